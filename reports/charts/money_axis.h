#pragma once

#include <string>

#include "reports/charts/frame.h"

namespace weir::reports::charts {

/// An amount axis in units, thousands or millions, whichever gives short labels.
struct MoneyScale {
  double divisor = 1;
  std::string unit;  ///< "USD", "thousand USD", "million USD"
};

inline MoneyScale money_scale(double largest, const std::string& currency) {
  if (largest >= 2e6) return {1e6, "million " + currency};
  if (largest >= 2e3) return {1e3, "thousand " + currency};
  return {1, currency};
}

}  // namespace weir::reports::charts
