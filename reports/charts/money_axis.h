#pragma once

#include <string>

#include "reports/language.h"

namespace weir::reports::charts {

/// An amount axis in units, thousands or millions (in Chinese ten thousands or hundred millions), whichever gives short
/// labels.
struct MoneyScale {
  double divisor = 1;
  std::string unit;  ///< "USD", "thousand USD", "million USD"; "美元", "万美元", "亿美元"
};
MoneyScale money_scale(double largest, const std::string& currency, Language language);

/// An amount as people of that language write it in a chart: "$835k", "83.5 万美元".
std::string money_text(double amount, const std::string& currency, Language language);
/// Shorter, where a title names the currency: "$835k", "83.5 万".
std::string money_label(double amount, const std::string& currency, Language language);

}  // namespace weir::reports::charts
