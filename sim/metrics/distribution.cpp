#include "sim/metrics/distribution.h"

#include <algorithm>
#include <cmath>

#include "sim/metrics/histogram.h"

namespace weir::sim {
namespace {

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

double percentile_of_sorted(std::span<const double> ascending, double p) {
  const double rank = static_cast<double>(ascending.size() - 1) * p / 100;
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= ascending.size()) return ascending.back();
  const double fraction = rank - static_cast<double>(below);
  return ascending[below] + fraction * (ascending[below + 1] - ascending[below]);
}

std::optional<double> batch_means_half_width_99(std::span<const double> values) {
  constexpr std::size_t kBatches = 20, kFewest = 1000;
  constexpr double kStudent = 2.8609346064649799;  // t quantile 0.995, 19 degrees of freedom
  if (values.size() < kFewest) return std::nullopt;
  std::vector<double> means;
  for (std::size_t i = 0; i < kBatches; ++i) {
    const std::size_t begin = values.size() * i / kBatches, end = values.size() * (i + 1) / kBatches;
    means.push_back(sum_of(values.subspan(begin, end - begin)) / static_cast<double>(end - begin));
  }
  const double mean = sum_of(means) / kBatches;
  double squares = 0;
  for (const double m : means) squares += (m - mean) * (m - mean);
  return kStudent * std::sqrt(squares / (kBatches - 1) / kBatches);
}

Distribution distribution_of(std::vector<double>& values) {
  Distribution d;
  if (values.empty()) return d;
  d.n = static_cast<std::int64_t>(values.size());
  d.mean = sum_of(values) / static_cast<double>(values.size());
  d.mean_half_width_99 = batch_means_half_width_99(values);
  if (values.size() > kExactLimit) {
    Histogram histogram;
    for (const double value : values) histogram.add(Time::from_seconds(value));
    const Distribution coarse = histogram.distribution();
    d.p50 = coarse.p50, d.p90 = coarse.p90, d.p95 = coarse.p95, d.p99 = coarse.p99, d.p999 = coarse.p999;
    d.max = *std::max_element(values.begin(), values.end());
    return d;
  }
  std::sort(values.begin(), values.end());
  d.p50 = percentile_of_sorted(values, 50);
  d.p90 = percentile_of_sorted(values, 90);
  d.p95 = percentile_of_sorted(values, 95);
  d.p99 = percentile_of_sorted(values, 99);
  d.p999 = percentile_of_sorted(values, 99.9);
  d.max = values.back();
  return d;
}

}  // namespace weir::sim
