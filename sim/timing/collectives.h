#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "data/efficiency.h"
#include "sim/timing/step_timer.h"
#include "sim/timing/topology.h"

namespace weir::sim {

enum class CollectiveOp { all_reduce, all_gather, reduce_scatter, all_to_all, send };
inline constexpr int kCollectiveOps = 5;

/// Steps of an algorithm, and the messages that cross a rank's link in it. All-reduce: one-shot r - 1 and r - 1 (every
/// rank reads all); two-shot r - 1 and 2 (r - 1) / r; low-latency and ring 2 (r - 1) and 2 (r - 1) / r (Patarasuk and
/// Yuan 2009). Gather, scatter, all-to-all: r - 1 and (r - 1) / r. Send: 1 and 1.
double collective_hops(CollectiveOp op, std::string_view line, int ranks);
double collective_volume(CollectiveOp op, std::string_view line, int ranks);
/// Seconds of the fastest line that this fit has: base + hop x hops + volume x bytes / (share x link).
double fit_seconds(const data::CollectiveFit& fit, CollectiveOp op, double bytes, int ranks, double link_bytes_per_s);
/// "median error 6 % on 30 sizes left out: SOURCE"
std::string describe(const data::CollectiveFit& fit);

/// Times of collectives and transfers of one replica. Ranks are neighbours and packed into servers: with more than
/// per_node of them every operation has a part inside the server (g = per_node ranks) and one between the N servers,
/// made of sends:
///   all_reduce      inside(bytes, g) + 2 (N - 1) sends of bytes / (g N)
///   all_gather, reduce_scatter   inside(bytes, g) + (N - 1) sends of bytes / (g N)
///   all_to_all      the longer of inside(bytes, g) and one send of bytes (N - 1) / N: both go at once
/// Everything is 0 s for one rank or no bytes. Immutable.
class Collectives {
 public:
  /// `kernels`: EngineOverhead::collective_kernels. `all_reduce_overlap`: share of an all-reduce's time hidden behind
  /// other kernels, in [0, 1).
  Collectives(const Topology& topology, const data::EfficiencyTable& efficiency, std::string_view kernels,
              double all_reduce_overlap = 0);

  double all_reduce_s(double bytes, int ranks) const;      ///< bytes: the tensor, of the same size on every rank
  double all_gather_s(double bytes, int ranks) const;      ///< bytes: the whole that is gathered
  double reduce_scatter_s(double bytes, int ranks) const;  ///< bytes: the whole before it is scattered
  double all_to_all_s(double bytes, int ranks) const;      ///< bytes: what one rank holds for all, itself included
  /// To the rank `distance` further: over the network when that is another server.
  double send_s(double bytes, int distance) const;
  /// The part of an all-reduce that a step waits for.
  double exposed_all_reduce_s(double bytes, int ranks) const;

  /// Where the times of an operation among `ranks` come from.
  std::vector<EvidenceNote> evidence(CollectiveOp op, int ranks) const;
  /// Half width of the P10..P90 interval of log(predicted/true) of that operation.
  double log_spread(CollectiveOp op, int ranks) const;
  const Topology& topology() const { return topology_; }

 private:
  /// What a library chooses from: its own kernels within their limits, and NCCL's.
  using Choice = std::vector<data::CollectiveFit>;
  struct LinkFits {
    std::array<Choice, kCollectiveOps> ops;
  };
  const Choice& choice(const Link& link, CollectiveOp op) const;
  double inside_s(CollectiveOp op, double bytes, int ranks) const;
  double half_s(CollectiveOp op, double bytes, int ranks) const;
  double between_s(double bytes) const;

  Topology topology_;
  double all_reduce_overlap_ = 0;
  LinkFits nvlink_, pcie_, network_;
};

}  // namespace weir::sim
