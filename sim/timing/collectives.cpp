#include "sim/timing/collectives.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "sim/timing/kernel_times.h"

namespace weir::sim {
namespace {

constexpr std::array<std::string_view, kCollectiveOps> kNames{"all_reduce", "all_gather", "reduce_scatter",
                                                              "all_to_all", "send"};
constexpr std::array<std::string_view, kCollectiveOps> kWords{"all-reduce", "all-gather", "reduce-scatter",
                                                              "all-to-all", "send"};
constexpr auto kOps = {CollectiveOp::all_reduce, CollectiveOp::all_gather, CollectiveOp::reduce_scatter,
                       CollectiveOp::all_to_all, CollectiveOp::send};

std::size_t index(CollectiveOp op) { return static_cast<std::size_t>(op); }

bool takes(const data::CollectiveFit& fit, double bytes, int ranks) {
  return (fit.most_bytes <= 0 || bytes <= fit.most_bytes) && (fit.most_ranks <= 0 || ranks <= fit.most_ranks);
}

std::string percent(double share) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, 100 * share, std::chars_format::fixed, 0);
  return error == std::errc{} ? std::string(buffer, end) + " %" : std::string("?");
}

}  // namespace

std::string describe(const data::CollectiveFit& fit) {
  return "median error " + percent(fit.error_p50) + " on " + std::to_string(fit.held_out) +
         " sizes left out: " + fit.source;
}

double collective_hops(CollectiveOp op, std::string_view line, int ranks) {
  if (op == CollectiveOp::send) return 1;
  const bool ring = op == CollectiveOp::all_reduce && (line == "low-latency" || line == "ring");
  return (ring ? 2.0 : 1.0) * (ranks - 1);
}

double collective_volume(CollectiveOp op, std::string_view line, int ranks) {
  if (op == CollectiveOp::send) return 1;
  if (line == "one-shot") return ranks - 1;
  return (op == CollectiveOp::all_reduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
}

double fit_seconds(const data::CollectiveFit& fit, CollectiveOp op, double bytes, int ranks, double link_bytes_per_s) {
  double least = std::numeric_limits<double>::infinity();
  for (const data::CollectiveLine& line : fit.lines) {
    const double seconds = line.base_s + line.hop_s * collective_hops(op, line.name, ranks) +
                           collective_volume(op, line.name, ranks) * bytes / (line.share * link_bytes_per_s);
    least = std::min(least, seconds);
  }
  return least;
}

Collectives::Collectives(const Topology& topology, const data::EfficiencyTable& efficiency, std::string_view kernels,
                         double all_reduce_overlap)
    : topology_(topology), all_reduce_overlap_(all_reduce_overlap) {
  const auto fill = [&](LinkFits& fits, std::string_view link, CollectiveOp op) {
    Choice& choice = fits.ops[index(op)];
    choice.push_back(efficiency.collective(link, topology_.architecture, kernels, kNames[index(op)]));
    const data::CollectiveFit& own = choice.front();
    // Beyond their limits an engine's own kernels leave the message to NCCL.
    if (own.most_bytes > 0 || own.most_ranks > 0) {
      choice.push_back(efficiency.collective(link, topology_.architecture, "nccl", kNames[index(op)]));
    }
  };
  for (const CollectiveOp op : kOps) {
    fill(nvlink_, "nvlink", op);
    fill(pcie_, "pcie", op);
  }
  if (!topology_.network_kind.empty()) fill(network_, topology_.network_kind, CollectiveOp::send);
}

const Collectives::Choice& Collectives::choice(const Link& link, CollectiveOp op) const {
  if (link.kind == "nvlink") return nvlink_.ops[index(op)];
  if (link.kind == "pcie") return pcie_.ops[index(op)];
  return network_.ops[index(op)];
}

double Collectives::inside_s(CollectiveOp op, double bytes, int ranks) const {
  if (ranks <= 1) return 0;
  const Link link = node_link(topology_, ranks);
  double least = std::numeric_limits<double>::infinity();
  for (const data::CollectiveFit& fit : choice(link, op)) {
    if (takes(fit, bytes, ranks)) least = std::min(least, fit_seconds(fit, op, bytes, ranks, link.bytes_per_s));
  }
  return least;
}

double Collectives::between_s(double bytes) const {
  const Link link = network_link(topology_);
  return fit_seconds(choice(link, CollectiveOp::send).front(), CollectiveOp::send, bytes, 2, link.bytes_per_s);
}

double Collectives::all_reduce_s(double bytes, int ranks) const {
  if (ranks <= 1 || bytes <= 0) return 0;
  const int inside = std::min(ranks, topology_.per_node), nodes = (ranks + inside - 1) / inside;
  const double inside_seconds = inside_s(CollectiveOp::all_reduce, bytes, inside);
  return nodes == 1 ? inside_seconds : inside_seconds + 2.0 * (nodes - 1) * between_s(bytes / inside / nodes);
}

/// Half of an all-reduce: a gather, or a scatter of sums.
double Collectives::half_s(CollectiveOp op, double bytes, int ranks) const {
  if (ranks <= 1 || bytes <= 0) return 0;
  const int inside = std::min(ranks, topology_.per_node), nodes = (ranks + inside - 1) / inside;
  const double inside_seconds = inside_s(op, bytes, inside);
  return nodes == 1 ? inside_seconds : inside_seconds + (nodes - 1) * between_s(bytes / inside / nodes);
}

double Collectives::all_gather_s(double bytes, int ranks) const {
  return half_s(CollectiveOp::all_gather, bytes, ranks);
}

double Collectives::reduce_scatter_s(double bytes, int ranks) const {
  return half_s(CollectiveOp::reduce_scatter, bytes, ranks);
}

double Collectives::all_to_all_s(double bytes, int ranks) const {
  if (ranks <= 1 || bytes <= 0) return 0;
  const int inside = std::min(ranks, topology_.per_node), nodes = (ranks + inside - 1) / inside;
  const double inside_seconds = inside_s(CollectiveOp::all_to_all, bytes, inside);
  return nodes == 1 ? inside_seconds : std::max(inside_seconds, between_s(bytes * (nodes - 1) / nodes));
}

double Collectives::send_s(double bytes, int distance) const {
  if (distance < 1 || bytes <= 0) return 0;
  if (distance >= topology_.per_node) return between_s(bytes);
  const Link link =
      distance == 1 || topology_.wiring != Wiring::pairs ? node_link(topology_, 2) : node_link(topology_, distance + 1);
  return fit_seconds(choice(link, CollectiveOp::send).front(), CollectiveOp::send, bytes, 2, link.bytes_per_s);
}

double Collectives::exposed_all_reduce_s(double bytes, int ranks) const {
  return (1 - all_reduce_overlap_) * all_reduce_s(bytes, ranks);
}

std::vector<EvidenceNote> Collectives::evidence(CollectiveOp op, int ranks) const {
  std::vector<EvidenceNote> notes;
  if (ranks <= 1) return notes;
  const std::string what(kWords[index(op)]);
  const auto note = [&](const Link& link, const data::CollectiveFit& fit) {
    notes.push_back({what + " over " + link.name, fit.evidence, describe(fit)});
  };
  const int inside = std::min(ranks, topology_.per_node);
  if (inside > 1) {
    const Link link = node_link(topology_, inside);
    for (const data::CollectiveFit& fit : choice(link, op)) {
      if (takes(fit, 0, inside)) note(link, fit);
    }
  }
  if (ranks > inside) note(network_link(topology_), choice(network_link(topology_), CollectiveOp::send).front());
  return notes;
}

double Collectives::log_spread(CollectiveOp op, int ranks) const {
  double widest = 0;
  const auto widen = [&](const data::CollectiveFit& fit) {
    const bool borrowed = fit.evidence == data::Evidence::assumption;
    widest = std::max(widest, (borrowed ? kBorrowedSpread : 1.0) * fit.error_p80);
  };
  const int inside = std::min(ranks, topology_.per_node);
  if (inside > 1) {
    const Choice& fits = choice(node_link(topology_, inside), op);
    widen(takes(fits.front(), 0, inside) ? fits.front() : fits.back());
  }
  if (ranks > inside) widen(choice(network_link(topology_), CollectiveOp::send).front());
  return widest;
}

}  // namespace weir::sim
