#include "data/collective_fit_reader.h"

#include <limits>

namespace weir::data {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();

CollectiveLine read_line(const JsonReader& reader) {
  const auto entry = reader.object({"line", "base_s", "hop_s", "share"});
  CollectiveLine line;
  line.name = entry.at("line").one_of({"one-shot", "two-shot", "low-latency", "ring", "direct"});
  line.base_s = entry.at("base_s").number(kNonNegative);
  line.hop_s = entry.at("hop_s").number(kNonNegative);
  line.share = entry.at("share").number(kPositiveFraction);
  return line;
}

}  // namespace

const std::vector<std::string>& collective_kernel_names() {
  static const std::vector<std::string> names{"custom-graph", "nccl", "nccl-eager"};
  return names;
}

CollectiveFit read_collective_fit(const JsonReader& reader) {
  const auto entry = reader.object({"link", "architecture", "kernels", "op", "lines", "most_bytes", "most_ranks", "n",
                                    "held_out", "error_p50", "error_p80", "evidence", "source"});
  CollectiveFit fit;
  fit.link = entry.at("link").one_of({"nvlink", "pcie", "rdma", "ethernet"});
  fit.architecture = entry.at("architecture").text();
  fit.kernels = entry.at("kernels").one_of(collective_kernel_names());
  fit.op = entry.at("op").one_of({"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"});
  for (const JsonReader& line : entry.at("lines").non_empty_array()) fit.lines.push_back(read_line(line));
  fit.most_bytes = entry.number_or("most_bytes", 0, kPositive);
  fit.most_ranks = entry.integer_or("most_ranks", 0, 2, kMost);
  fit.n = entry.at("n").small_integer(1, kMost);
  fit.held_out = entry.at("held_out").small_integer(0, kMost);
  fit.error_p50 = entry.at("error_p50").number(kNonNegative);
  fit.error_p80 = entry.at("error_p80").number(kNonNegative);
  fit.evidence = entry.at("evidence").evidence();
  fit.source = entry.at("source").text();
  return fit;
}

}  // namespace weir::data
