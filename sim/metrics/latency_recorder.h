#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/time.h"
#include "sim/metrics/batch_means.h"
#include "sim/metrics/histogram.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// Up to so many values a distribution keeps each of them and its percentiles are exact; with more it is a histogram.
inline constexpr std::size_t kExactLimit = 100'000;

/// One latency of one class, a value a request. Which values came is all that matters, not in which order.
class LatencyRecorder {
 public:
  explicit LatencyRecorder(std::size_t exact_limit = kExactLimit) : exact_limit_(exact_limit) {}

  void add(const BulkValues& values);
  /// Values of other requests of the same demand, or of an independent run.
  void merge(const LatencyRecorder& other);
  bool operator==(const LatencyRecorder& other) const;

  std::int64_t count() const { return exact_ ? static_cast<std::int64_t>(values_.size()) : histogram_.count(); }
  WideInt sum_ticks() const { return batches_.sum_ticks(); }
  bool exact() const { return exact_; }
  /// Percentiles are interpolated between the order statistics around rank (n-1) p / 100 while exact, else they are
  /// Histogram's. Sorts the values.
  Distribution distribution();
  /// The tail at up to 60 log-spaced latencies from the least to the greatest value. `offered` >= count(): requests
  /// that were never served are slower than every point. Sorts the values.
  std::vector<TailPoint> tail(std::int64_t offered);

 private:
  void fold();
  void sort();

  std::size_t exact_limit_;
  bool exact_ = true;
  std::vector<std::int64_t> values_;  ///< while exact
  Histogram histogram_;               ///< afterwards
  BatchMeans batches_;
};

/// Percentile p in [0, 100] in seconds of ascending ticks, interpolated between the order statistics around rank
/// (n-1) p / 100. Not for empty spans.
double percentile_of_sorted(std::span<const std::int64_t> ascending, double p);

}  // namespace weir::sim
