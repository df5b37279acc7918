#include "sim/cost/rates.h"

#include <cmath>
#include <cstddef>

namespace weir::sim {

double twelfth_root(double x) {
  // From above, the iteration for a convex function falls to the root without overshooting.
  double root = x > 1 ? 1 + (x - 1) / kMonthsPerYear : 1;
  for (int step = 0; step < 200; ++step) {
    const double r2 = root * root, r4 = r2 * r2, r11 = r4 * r4 * r2 * root;
    const double next = root - (r11 * root - x) / (kMonthsPerYear * r11);
    if (!(next < root)) break;
    root = next;
  }
  return root;
}

std::vector<double> monthly_factors(double per_year, int months) {
  const double monthly = twelfth_root(1 + per_year);
  std::vector<double> factors(static_cast<std::size_t>(months) + 1);
  double year = 1, within = 1;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    // Whole years are exact powers of 1 + per_year: twelve roots multiplied would carry their rounding along.
    if (k % kMonthsPerYear == 0) {
      if (k > 0) year *= 1 + per_year;
      within = 1;
    }
    factors[k] = year * within;
    within *= monthly;
  }
  return factors;
}

}  // namespace weir::sim
