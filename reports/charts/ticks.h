#pragma once

#include <string>
#include <vector>

namespace weir::reports::charts {

struct Tick {
  double value = 0;
  std::string label;
};

/// Round numbers (1, 2 or 5 times a power of ten, or 25, 250, ...) inside [low, high], about `wanted` of them, and at
/// least two. Needs low < high.
std::vector<Tick> linear_ticks(double low, double high, int wanted = 5);
/// Whole months: steps of 1, 2, 3, 6, 12 or 24, starting at 0.
std::vector<Tick> month_ticks(int months, int wanted = 6);
/// For a logarithmic axis: powers of ten, 2 and 5 (or 3) times them when there are few, even steps on a short axis.
/// Needs 0 < low < high.
std::vector<Tick> log_ticks(double low, double high, int wanted = 5);

/// The range made wider until both ends are round numbers.
struct Range {
  double low = 0, high = 1;
};
/// Linear axis from zero up to a round number above `high`.
Range from_zero(double high, int wanted = 5);
/// Linear axis whose ends are round numbers around [low, high].
Range round_range(double low, double high, int wanted = 5);
/// Logarithmic axis whose ends are 1, 2 or 5 times a power of ten.
Range log_range(double low, double high);
/// The same with more round numbers to choose from, for data that fill less than a decade.
Range snug_log_range(double low, double high);

}  // namespace weir::reports::charts
