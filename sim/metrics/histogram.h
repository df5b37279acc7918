#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/metrics/run_result.h"
#include "sim/serving/step.h"

namespace weir::sim {

/// Log-linear histogram of durations: every octave has 128 equal cells, so a cell's middle is within 1/256 = 0.4% of
/// every value in it. Count, sum, minimum and maximum are exact, and all is integers: adding in another order, in bulk
/// or in parts that are merged gives an equal histogram. Memory follows the largest value: 1 KB an octave.
class Histogram {
 public:
  /// `count` >= 1 values of `value` >= 0.
  void add(Time value, std::int64_t count = 1) {
    const std::int64_t ticks = value.ticks();
    widen_range(ticks, ticks);
    cells_[cell_of(ticks)] += count;
    sum_ += WideInt{ticks} * count;
  }
  /// Values >= 0 in ticks, and their sum.
  void add(std::span<const std::int64_t> ticks, WideInt sum);

  /// All values of the gap, which are >= 0: the same as adding one by one, in time that grows with the cells it
  /// crosses.
  void add_progression(const Gap& gap) {
    const std::int64_t last = gap.first_ticks + gap.increase_ticks * (gap.steps - 1);
    widen_range(std::min(gap.first_ticks, last), std::max(gap.first_ticks, last));
    const int shift = shift_of(gap.first_ticks);
    const std::int64_t leading = gap.first_ticks >> shift;
    if (last >> shift != leading) [[unlikely]] {
      add_cells(gap);
    } else {
      cells_[index_of(shift, leading)] += gap.steps * gap.count;
    }
    sum_ += WideInt{gap.count} * (gap.steps * gap.first_ticks + gap.increase_ticks * (gap.steps * (gap.steps - 1) / 2));
  }
  void merge(const Histogram& other);
  bool operator==(const Histogram&) const = default;

  std::int64_t count() const;  ///< O(cells)
  WideInt sum_ticks() const { return sum_; }
  Time min() const { return Time::from_ticks(min_); }  ///< of no values: the greatest time
  Time max() const { return Time::from_ticks(max_); }  ///< of no values: below zero
  /// Percentile p in [0, 100]: the middle of the cell that holds the order statistic of rank floor((n-1) p / 100).
  /// count() must not be 0.
  double percentile_s(double p) const;
  /// Values up to the end of the cell that `value` lies in: those <= value, and some that are up to 0.8% above it.
  std::int64_t count_up_to(Time value) const;
  /// All but the interval of the mean, for which a histogram lacks the order of the values.
  Distribution distribution() const;

 private:
  static constexpr int kCellBits = 7;
  static constexpr std::size_t kCellsPerOctave = std::size_t{1} << kCellBits;

  /// Values below 2^8 have a cell each; from there the leading 8 bits choose it.
  static int shift_of(std::int64_t ticks) {
    constexpr auto kSmall = static_cast<std::uint64_t>(2 * kCellsPerOctave - 1);
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(ticks) | kSmall)) - (kCellBits + 1);
  }
  static std::size_t index_of(int shift, std::int64_t leading) {
    return (static_cast<std::size_t>(shift) << kCellBits) + static_cast<std::size_t>(leading);
  }
  static std::size_t cell_of(std::int64_t ticks) {
    const int shift = shift_of(ticks);
    return index_of(shift, ticks >> shift);
  }
  static double middle_of(std::size_t cell);

  void add_cells(const Gap& gap);
  /// Once a run has shown its extremes this changes nothing, which the CPU foresees.
  void widen_range(std::int64_t least, std::int64_t greatest) {
    if (least < min_) [[unlikely]]
      min_ = least;
    if (greatest > max_) [[unlikely]]
      raise_max(greatest);
  }
  void raise_max(std::int64_t greatest);

  std::vector<std::int64_t> cells_;  ///< whole octaves, up to that of max_
  WideInt sum_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max(), max_ = -1;
};

}  // namespace weir::sim
