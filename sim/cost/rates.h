#pragma once

#include <vector>

namespace weir::sim {

inline constexpr double kHoursPerMonth = 730, kHoursPerYear = 8760;
inline constexpr int kMonthsPerYear = 12;

/// Twelfth root of x > 0 by Newton's iteration. Only + - x /, so that the result is the same on every CPU and library.
double twelfth_root(double x);

/// (1 + per_year)^(k/12) for k = 0 .. months. per_year > -1.
std::vector<double> monthly_factors(double per_year, int months);

}  // namespace weir::sim
