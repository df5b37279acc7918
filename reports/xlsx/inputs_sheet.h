#pragma once

#include <map>
#include <string>

#include "reports/language.h"
#include "reports/report.h"
#include "reports/xlsx/book.h"

namespace weir::reports::xlsx {

/// The economic inputs as the other sheets speak of them.
class InputNames {
 public:
  explicit InputNames(const sim::PlanResult& plan);
  /// The defined name of an input; every cash flow may use it. "0" for an input this plan does not have.
  std::string operator[](const std::string& key) const;
  /// The one input that starts so: "cloud_usd_per_hour." of an option's own inputs.
  static const sim::CostInput* find(const sim::TenureCost& cost, const std::string& start);
  /// "*exchange_rate_usd_cny", or nothing when amounts are in USD.
  const std::string& times_exchange_rate() const { return times_exchange_rate_; }

 private:
  std::map<std::string, std::string> names_;
  std::string times_exchange_rate_;
};

/// Hours of the month that every amount of energy and rent is reckoned with.
inline constexpr const char* kHoursName = "hours_per_month";

/// Every input with its value, which may be changed where the cash flows follow it.
void write_inputs(Book& book, const sim::PlanResult& plan, const InputNames& names, Language language);

}  // namespace weir::reports::xlsx
