#include "sim/cost/money.h"

#include <cmath>

namespace weir::sim {

Money Money::from_units(double units) {
  const double micros = units * 1e6;
  // 2^63 is a double, so this comparison is exact; NaN fails it too.
  if (!(std::abs(micros) < 9223372036854775808.0)) throw std::overflow_error("amount of money out of range");
  return Money(static_cast<std::int64_t>(std::llround(micros)));
}

}  // namespace weir::sim
