#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/cost/cost.h"

namespace weir::sim {

enum class Line : std::size_t {
  server,
  network,
  storage,
  rack_setup,
  spare_stock,
  purchase_tax,
  energy,
  demand_charge,
  colocation,
  maintenance,
  staff,
  software,
  insurance,
  internet,
  parts,
  residual,
  disposal,
  cloud,
  cloud_support,
  cloud_storage,
  cloud_tax,
  count_
};
inline constexpr std::size_t kLines = static_cast<std::size_t>(Line::count_);

std::string_view key_of(Line line);

/// Books every amount once by month and once by line, rounded to the same micro-units, so that the months and the lines
/// add up to the same total exactly.
class Ledger {
 public:
  /// `by_line_and_month`: also remembers every line's amount of every month.
  explicit Ledger(int horizon_months, bool by_line_and_month = false);

  void capex(Line line, int month, double units);
  void opex(Line line, int month, double units);
  /// Money coming back; the line's total falls by it.
  void income(Line line, int month, double units);
  /// A cost taken off what comes back (disposal).
  void income_cost(Line line, int month, double units);

  Money line(Line line) const { return lines_[static_cast<std::size_t>(line)]; }
  /// What the line added to the total in month 0 .. horizon; empty unless the ledger was asked to remember it.
  const std::vector<Money>& line_by_month(Line line) const { return details_[static_cast<std::size_t>(line)]; }
  const std::vector<MonthlyCash>& months() const { return months_; }
  Money total() const;

 private:
  Money book(Line line, int month, double units);
  std::vector<MonthlyCash> months_;
  std::array<Money, kLines> lines_{};
  std::array<std::vector<Money>, kLines> details_;
};

}  // namespace weir::sim
