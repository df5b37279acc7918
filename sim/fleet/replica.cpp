#include "sim/fleet/replica.h"

#include <cmath>

namespace weir::sim {

std::int64_t step_reaching(std::int64_t first, std::int64_t increase, std::int64_t elapsed, bool at_least) {
  // progression_sum(i) = elapsed solved for i. The loops below make it exact, whatever the guess.
  const double one = 1.0 / static_cast<double>(first);
  const double flat = static_cast<double>(elapsed) * one;                // steps if there were no increase
  const double bend = 0.5 * static_cast<double>(increase) * one * flat;  // relative to it
  double guess = flat - bend * (flat - 1);
  if (bend > 0.01 || bend < -0.01) [[unlikely]] {
    // In the form that loses no digits when the increase is small.
    const double begin = static_cast<double>(first) - 0.5 * static_cast<double>(increase);
    const double root = std::sqrt(begin * begin + 2.0 * static_cast<double>(increase) * static_cast<double>(elapsed));
    guess = 2.0 * static_cast<double>(elapsed) / (begin + root);
  }
  auto i = elapsed > 0 ? static_cast<std::int64_t>(guess) : 0;
  const auto reached = [&](std::int64_t steps) {
    const std::int64_t sum = progression_sum(first, increase, steps);
    return at_least ? sum >= elapsed : sum > elapsed;
  };
  while (!reached(i + 1)) ++i;
  while (i > 0 && reached(i)) --i;
  return i;
}

}  // namespace weir::sim
