#pragma once

#include <string>
#include <vector>

#include "data/evidence.h"

namespace weir::data {

/// One algorithm or protocol of a collective:
/// seconds = base_s + hop_s x hops(ranks) + volume(ranks) x bytes / (share x link). sim/timing/collectives.h has hops
/// and volume of each name: "one-shot", "two-shot", "low-latency", "ring", "direct".
struct CollectiveLine {
  std::string name;
  double base_s = 0, hop_s = 0;
  double share = 0;  ///< of the link's one-direction bandwidth, in (0, 1]
};

/// An operation of a set of kernels over a kind of link: the library takes the fastest of its lines. Fitted on every
/// second size of published tables, judged on the others.
struct CollectiveFit {
  std::string link;          ///< "nvlink", "pcie", "rdma", "ethernet"
  std::string architecture;  ///< "*" = all together
  std::string kernels;       ///< "custom-graph", "nccl", "nccl-eager"
  std::string op;            ///< "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"
  std::vector<CollectiveLine> lines;
  double most_bytes = 0;  ///< longest message these kernels take; 0 = any
  int most_ranks = 0;     ///< most ranks they serve; 0 = any
  int n = 0, held_out = 0;
  double error_p50 = 0, error_p80 = 0;  ///< of |log(predicted / measured)| on the sizes held out
  Evidence evidence = Evidence::assumption;
  std::string source;
};

}  // namespace weir::data
