#include "probes/steady_state.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weir::probes {
namespace {

double read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double share_of(const RawSample& sample) { return sample.wall_s > 0 ? sample.cpu_s / sample.wall_s : 0; }

double parallelism_of(std::span<const RawSample> samples, int threads) {
  std::vector<double> shares;
  for (const RawSample& sample : samples) shares.push_back(share_of(sample));
  std::sort(shares.begin(), shares.end());
  return std::min(static_cast<double>(threads), shares[shares.size() * 3 / 4]);
}

}  // namespace

Clocks Clocks::system() {
  return {[] { return read_clock(CLOCK_MONOTONIC); }, [] { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }};
}

double median(std::vector<double> values) {
  if (values.empty()) throw std::logic_error("median of nothing");
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median_absolute_deviation(const std::vector<double>& values) {
  const double centre = median(values);
  std::vector<double> deviations;
  for (double value : values) deviations.push_back(std::abs(value - centre));
  return median(deviations);
}

SamplePlan plan_samples(double estimate_s, double between_s, bool single, const Protocol& protocol) {
  SamplePlan plan;
  const double once_s = std::max(estimate_s, 1e-9);
  if (!single) plan.executions = static_cast<long>(std::ceil(std::max(1.0, protocol.least_sample_s / once_s)));
  const double sample_s = once_s * static_cast<double>(plan.executions);
  const double by_time = std::min(protocol.budget_s / sample_s, protocol.wall_budget_s / (sample_s + between_s));
  // An execution much longer than the budget averages over its own duration: two, or one after the warm-up, say enough.
  const double lengths = once_s / protocol.budget_s;
  const int least = lengths >= 10 ? 1 : lengths >= 2 ? 2 : protocol.min_samples;
  plan.samples = static_cast<int>(
      std::clamp(by_time, static_cast<double>(least), static_cast<double>(std::max(least, protocol.max_samples))));
  return plan;
}

std::vector<RawSample> clean_samples(std::span<const RawSample> samples, int threads, const Protocol& protocol) {
  if (samples.empty()) return {};
  const double bar = std::max(protocol.clean_share * parallelism_of(samples, threads), protocol.least_parallelism);
  std::vector<RawSample> clean;
  for (const RawSample& sample : samples) {
    if (share_of(sample) >= bar) clean.push_back(sample);
  }
  return clean;
}

Measurement summarise(std::span<const RawSample> samples, int threads, double foreign_share, const Protocol& protocol) {
  if (samples.empty()) throw std::logic_error("no samples to summarise");
  std::vector<RawSample> used = clean_samples(samples, threads, protocol);
  Measurement result;
  const bool mostly_disturbed = 2 * used.size() < samples.size();
  if (mostly_disturbed || foreign_share > protocol.foreign_limit) result.flags.push_back("contended");
  if (used.empty()) used.assign(samples.begin(), samples.end());
  std::vector<double> times_s;
  double timed_s = 0;
  for (const RawSample& sample : used) {
    times_s.push_back(sample.wall_s / static_cast<double>(sample.executions));
    timed_s += sample.wall_s;
  }
  result.median_s = median(times_s);
  result.mad_s = median_absolute_deviation(times_s);
  result.n = static_cast<int>(used.size());
  result.parallelism = parallelism_of(samples, threads);
  if (result.n < protocol.min_samples && timed_s < protocol.budget_s) result.flags.push_back("few-samples");
  return result;
}

}  // namespace weir::probes
