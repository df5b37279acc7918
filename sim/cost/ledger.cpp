#include "sim/cost/ledger.h"

namespace weir::sim {

std::string_view key_of(Line line) {
  static constexpr std::array<std::string_view, kLines> kKeys = {
      "server",        "network",    "storage",     "rack_setup", "spare_stock",   "purchase_tax",  "energy",
      "demand_charge", "colocation", "maintenance", "staff",      "software",      "insurance",     "internet",
      "parts",         "residual",   "disposal",    "cloud",      "cloud_support", "cloud_storage", "cloud_tax"};
  return kKeys[static_cast<std::size_t>(line)];
}

Ledger::Ledger(int horizon_months, bool by_line_and_month) : months_(static_cast<std::size_t>(horizon_months) + 1) {
  for (std::size_t m = 0; m < months_.size(); ++m) months_[m].month = static_cast<int>(m);
  if (!by_line_and_month) return;
  for (std::vector<Money>& line : details_) line.resize(months_.size());
}

Money Ledger::book(Line line, int month, double units) {
  const Money amount = Money::from_units(units);
  const auto index = static_cast<std::size_t>(line);
  lines_[index] += amount;
  if (!details_[index].empty()) details_[index][static_cast<std::size_t>(month)] += amount;
  return amount;
}

void Ledger::capex(Line line, int month, double units) {
  months_[static_cast<std::size_t>(month)].capex += book(line, month, units);
}

void Ledger::opex(Line line, int month, double units) {
  months_[static_cast<std::size_t>(month)].opex += book(line, month, units);
}

void Ledger::income(Line line, int month, double units) {
  months_[static_cast<std::size_t>(month)].residual -= book(line, month, -units);
}

void Ledger::income_cost(Line line, int month, double units) {
  months_[static_cast<std::size_t>(month)].residual -= book(line, month, units);
}

Money Ledger::total() const {
  Money sum;
  for (const MonthlyCash& m : months_) sum += m.capex + m.opex - m.residual;
  return sum;
}

}  // namespace weir::sim
