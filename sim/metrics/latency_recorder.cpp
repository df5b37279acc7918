#include "sim/metrics/latency_recorder.h"

#include <algorithm>

#include "sim/core/math.h"

namespace weir::sim {
namespace {

std::vector<std::int64_t> sorted_copy(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double percentile_of_sorted(std::span<const std::int64_t> ascending, double p) {
  const auto value = [&](std::size_t i) { return Time::from_ticks(ascending[i]).seconds(); };
  const double rank = static_cast<double>(ascending.size() - 1) * p / 100;
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= ascending.size()) return value(ascending.size() - 1);
  return value(below) + (rank - static_cast<double>(below)) * (value(below + 1) - value(below));
}

void LatencyRecorder::add(const BulkValues& values) {
  batches_.add(values);
  if (exact_ && values_.size() + values.ticks.size() > exact_limit_) fold();
  if (exact_) {
    values_.insert(values_.end(), values.ticks.begin(), values.ticks.end());
  } else {
    histogram_.add(values.ticks, values.sum);
  }
}

void LatencyRecorder::fold() {
  histogram_.add(values_, sum_of(values_));
  values_ = {};
  exact_ = false;
}

void LatencyRecorder::sort() {
  if (!std::is_sorted(values_.begin(), values_.end())) std::sort(values_.begin(), values_.end());
}

void LatencyRecorder::merge(const LatencyRecorder& other) {
  batches_.merge(other.batches_);
  if (exact_ && other.exact_ && values_.size() + other.values_.size() <= exact_limit_) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    return;
  }
  if (exact_) fold();
  histogram_.merge(other.histogram_);
  histogram_.add(other.values_, sum_of(other.values_));
}

bool LatencyRecorder::operator==(const LatencyRecorder& other) const {
  return exact_ == other.exact_ && histogram_ == other.histogram_ && batches_ == other.batches_ &&
         values_.size() == other.values_.size() && sorted_copy(values_) == sorted_copy(other.values_);
}

Distribution LatencyRecorder::distribution() {
  Distribution d;
  if (count() == 0) return d;
  if (exact_) {
    sort();
    d.p50 = percentile_of_sorted(values_, 50);
    d.p90 = percentile_of_sorted(values_, 90);
    d.p95 = percentile_of_sorted(values_, 95);
    d.p99 = percentile_of_sorted(values_, 99);
    d.p999 = percentile_of_sorted(values_, 99.9);
    d.max = Time::from_ticks(values_.back()).seconds();
  } else {
    d = histogram_.distribution();
  }
  const auto ticks_per_s = static_cast<double>(Time::kTicksPerSecond);
  d.n = count();
  d.mean = static_cast<double>(sum_ticks()) / static_cast<double>(d.n) / ticks_per_s;
  if (const auto half_width = batches_.half_width_99()) d.mean_half_width_99 = *half_width / ticks_per_s;
  return d;
}

std::vector<TailPoint> LatencyRecorder::tail(std::int64_t offered) {
  constexpr int kPoints = 60;
  std::vector<TailPoint> points;
  if (count() == 0) return points;
  if (exact_) sort();
  const double greatest = exact_ ? Time::from_ticks(values_.back()).seconds() : histogram_.max().seconds();
  const double smallest = exact_ ? Time::from_ticks(values_.front()).seconds() : histogram_.min().seconds();
  const double least = std::max(smallest, greatest * 1e-6);  // a latency of 0 has no place on a log axis
  const int count = least < greatest ? kPoints : 1;
  for (int i = 0; i < count; ++i) {
    double latency_s = greatest;
    if (i == 0) latency_s = least;
    if (i > 0 && i + 1 < count) latency_s = least * math::pow(greatest / least, static_cast<double>(i) / (count - 1));
    const std::int64_t ticks = Time::from_seconds(latency_s).ticks();
    const std::int64_t not_slower = exact_ ? std::upper_bound(values_.begin(), values_.end(), ticks) - values_.begin()
                                           : histogram_.count_up_to(Time::from_ticks(ticks));
    points.push_back({latency_s, static_cast<double>(offered - not_slower) / static_cast<double>(offered)});
  }
  return points;
}

}  // namespace weir::sim
