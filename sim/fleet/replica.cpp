#include "sim/fleet/replica.h"

#include <cmath>

namespace weir::sim {

std::int64_t step_reaching(std::int64_t first, std::int64_t increase, std::int64_t elapsed, bool at_least) {
  // progression_sum(i) = elapsed solved for i, in the form that loses no digits when the increase is small. The square
  // root is exact by IEEE 754, so the guess is the same on every machine; the loops below make it exact.
  const double begin = static_cast<double>(first) - 0.5 * static_cast<double>(increase);
  const double root = std::sqrt(begin * begin + 2.0 * static_cast<double>(increase) * static_cast<double>(elapsed));
  auto i = elapsed > 0 ? static_cast<std::int64_t>(2.0 * static_cast<double>(elapsed) / (begin + root)) : 0;
  const auto reached = [&](std::int64_t steps) {
    const std::int64_t sum = progression_sum(first, increase, steps);
    return at_least ? sum >= elapsed : sum > elapsed;
  };
  while (!reached(i + 1)) ++i;
  while (i > 0 && reached(i)) --i;
  return i;
}

}  // namespace weir::sim
