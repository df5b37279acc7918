#pragma once

#include <vector>

#include "reports/language.h"
#include "reports/report.h"
#include "reports/xlsx/flow_table.h"
#include "reports/xlsx/inputs_sheet.h"

namespace weir::reports::xlsx {

/// What the columns of one option's cash flow are made from.
struct FlowSource {
  const sim::TenureCost& cost;
  const InputNames& names;
  Language language;
  int horizon_months;
  const char* money;  ///< number format of amounts
  std::string unit;   ///< of amounts, as heads say it

  std::string t(const char* english) const { return say(language, english); }
  /// "Energy\n(USD)"
  std::string head(const char* english, const std::string& in) const;
  std::string amount_head(const char* english) const { return head(english, unit); }
  /// Amount of a line in a month, as Weir's own ledger has it; 0 for a line without amounts.
  double line(const char* key, int month) const;
  double line_total(const char* key) const;
  /// Middle of the input that starts so; 0 when there is none.
  double input(const std::string& start) const;
  /// What the line costs for one server, without discount; of owned servers.
  double each_of(const char* line) const;
  double equipment_each() const;     ///< before tax
  double accelerators_each() const;  ///< part of the server's price
  /// A column with the amounts of one line from month 1 on, each followed by its formula.
  FlowColumn running(const char* key, const std::string& group, const char* head_text,
                     const std::string& formula) const;
  const sim::FleetMonth& fleet(int month) const { return cost.schedule.months[static_cast<std::size_t>(month - 1)]; }
};

/// NaN in month 0, where running costs do not apply yet.
double from_month_1(int month, double value);

/// Where the sales of servers stand, so that the cash flow can add them up by month; empty ranges: nothing is sold.
struct ResaleCells {
  std::string sold_in, proceeds, disposal;
};

std::vector<FlowColumn> owned_columns(const FlowSource& source, const ResaleCells& resale);
std::vector<FlowColumn> rented_columns(const FlowSource& source);
/// Capex, opex and residual as numbers.
std::vector<FlowColumn> plain_columns(const FlowSource& source);
/// Total, cumulative, discounted; `parts` is the formula of a month's total.
void add_sums(std::vector<FlowColumn>& columns, const FlowSource& source, const std::string& parts);

}  // namespace weir::reports::xlsx
