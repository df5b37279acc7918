#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// Log-linear histogram of durations: every octave has 128 equal cells, so a cell's middle is within 1/256 = 0.4% of
/// every value in it. Count, mean and maximum are exact. Mergeable; adding is O(1).
class Histogram {
 public:
  /// `count` values of `value` >= 0.
  void add(Time value, std::int64_t count = 1) {
    const std::size_t cell = cell_of(value.ticks());
    if (cell >= cells_.size()) cells_.resize(cell + 1);
    cells_[cell] += count;
    n_ += count;
    sum_ticks_ += static_cast<double>(value.ticks()) * static_cast<double>(count);
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }
  void merge(const Histogram& other);

  std::int64_t count() const { return n_; }
  /// Percentile p in [0, 100]: the middle of the cell that holds the order statistic of rank floor((n-1) p / 100).
  /// count() must not be 0.
  double percentile_s(double p) const;
  /// All but the interval of the mean, for which a histogram lacks the order of the values.
  Distribution distribution() const;

 private:
  static constexpr int kCellBits = 7;
  static constexpr std::size_t kCellsPerOctave = std::size_t{1} << kCellBits;

  /// Values below 2^8 have a cell each; from there the leading 8 bits choose it.
  static std::size_t cell_of(std::int64_t ticks) {
    const auto value = static_cast<std::uint64_t>(ticks);
    if (value < 2 * kCellsPerOctave) return value;
    const int shift = static_cast<int>(std::bit_width(value)) - (kCellBits + 1);
    return static_cast<std::size_t>(shift) * kCellsPerOctave + (value >> shift);
  }
  static double middle_of(std::size_t cell);

  std::vector<std::int64_t> cells_;
  std::int64_t n_ = 0;
  double sum_ticks_ = 0;
  Time min_ = Time::never(), max_;
};

}  // namespace weir::sim
