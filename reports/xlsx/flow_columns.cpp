#include "reports/xlsx/flow_columns.h"

#include <algorithm>
#include <limits>

#include "sim/cost/rates.h"

namespace weir::reports::xlsx {

double from_month_1(int month, double value) { return month == 0 ? std::numeric_limits<double>::quiet_NaN() : value; }

std::string FlowSource::head(const char* english, const std::string& in) const {
  return say(language, "{quantity}\n({unit})", {{"quantity", t(english)}, {"unit", in}});
}

double FlowSource::line(const char* key, int month) const {
  for (const sim::CostLine& l : cost.lines) {
    if (l.key == key && static_cast<std::size_t>(month) < l.by_month.size()) {
      return l.by_month[static_cast<std::size_t>(month)].units();
    }
  }
  return 0;
}

double FlowSource::line_total(const char* key) const {
  for (const sim::CostLine& l : cost.lines) {
    if (l.key == key) return l.total.units();
  }
  return 0;
}

double FlowSource::input(const std::string& start) const {
  const sim::CostInput* found = InputNames::find(cost, start);
  return found == nullptr ? 0 : found->value.mid;
}

double FlowSource::each_of(const char* line) const {
  double servers = 0;
  for (const sim::ServerLot& lot : cost.schedule.lots) servers += lot.servers;
  return servers > 0 ? line_total(line) / servers : 0;
}

double FlowSource::equipment_each() const {
  double sum = 0;
  for (const char* line : {"server", "network", "storage", "rack_setup", "spare_stock"}) sum += each_of(line);
  return sum;
}

double FlowSource::accelerators_each() const {
  const double list = input("server_price_usd.") * input("server_price_factor");
  if (!cost.schedule.accelerators_resold || !(list > 0)) return 0;
  return each_of("server") * std::max(0.0, 1 - input("host_chassis_") / list);
}

FlowColumn FlowSource::running(const char* key, const std::string& group, const char* head_text,
                               const std::string& formula) const {
  return {.key = key,
          .group = group,
          .head = amount_head(head_text),
          .format = money,
          .value = [this, key](int m) { return from_month_1(m, line(key, m)); },
          .formula = [formula](int) { return formula; },
          .summed = true};
}

std::vector<FlowColumn> plain_columns(const FlowSource& s) {
  const auto amount = [&](const char* key, const std::string& group, const char* head,
                          sim::Money sim::MonthlyCash::*part) {
    return FlowColumn{.key = key,
                      .group = group,
                      .head = s.amount_head(head),
                      .format = s.money,
                      .value = [&s, part](int m) { return (s.cost.months[static_cast<std::size_t>(m)].*part).units(); },
                      .summed = true};
  };
  std::vector<FlowColumn> columns;
  columns.push_back({.key = "month", .group = " ", .head = s.t("Month"), .value = [](int m) { return m; }});
  columns.push_back(amount("capex", s.t("Amounts"), "Capex", &sim::MonthlyCash::capex));
  columns.push_back(amount("opex", "", "Opex", &sim::MonthlyCash::opex));
  columns.push_back(amount("income", "", "Resale", &sim::MonthlyCash::residual));
  add_sums(columns, s, "[capex]+[opex]-[income]");
  return columns;
}

void add_sums(std::vector<FlowColumn>& columns, const FlowSource& s, const std::string& parts) {
  const double rate = s.input("discount_rate");
  const auto discount = sim::monthly_factors(rate, s.horizon_months);
  std::vector<double> totals, cumulative;
  sim::Money sum;
  for (const sim::MonthlyCash& month : s.cost.months) {
    const sim::Money total = month.capex + month.opex - month.residual;
    sum += total;
    totals.push_back(total.units());
    cumulative.push_back(sum.units());
  }
  const auto at = [](const std::vector<double>& values) {
    return [values](int m) { return values[static_cast<std::size_t>(m)]; };
  };
  columns.push_back({.key = "total",
                     .group = s.t("Cash flow"),
                     .head = s.amount_head("Cost of\nthe month"),
                     .format = s.money,
                     .value = at(totals),
                     .formula = [parts](int) { return parts; },
                     .summed = true,
                     .look = Look::strong_number});
  columns.push_back(
      {.key = "cumulative",
       .group = "",
       .head = s.amount_head("Cumulative"),
       .format = s.money,
       .value = at(cumulative),
       .formula = [](int m) { return m == 0 ? std::string("[total]") : std::string("[cumulative<]+[total]"); }});
  std::vector<double> factors, present;
  for (std::size_t m = 0; m < totals.size(); ++m) {
    factors.push_back(1 / discount[m]);
    present.push_back(totals[m] / discount[m]);
  }
  columns.push_back({.key = "discount",
                     .group = "",
                     .head = s.t("Discount\nfactor"),
                     .format = kFactor,
                     .value = at(factors),
                     .formula = [name = s.names["discount_rate"]](int) { return "1/(1+" + name + ")^([month]/12)"; }});
  columns.push_back({.key = "present",
                     .group = "",
                     .head = s.amount_head("Present\nvalue"),
                     .format = s.money,
                     .value = at(present),
                     .formula = [](int) { return std::string("[total]*[discount]"); },
                     .summed = true});
}

}  // namespace weir::reports::xlsx
