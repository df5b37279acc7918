#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report.h"

namespace weir::reports {

/// Writes one RFC 4180 table: CRLF, quotes only where needed, numbers in the C locale. A text cell that a spreadsheet
/// would take for a formula (it begins with = + - @, a tab or a carriage return) gets a leading apostrophe.
class CsvTable {
 public:
  explicit CsvTable(const std::vector<std::string>& head);
  CsvTable& text(std::string_view value);
  CsvTable& number(std::optional<double> value);  ///< empty or not finite: an empty cell
  CsvTable& integer(std::optional<std::int64_t> value);
  void end_row();
  std::string take() { return std::move(out_); }

 private:
  void cell(std::string_view raw);

  std::string out_;
  bool first_ = true;
};

/// Every table of a decision: {"options.csv", text}, "cost_lines.csv", "cash_flow.csv", "classes.csv",
/// "cost_inputs.csv", "checks.csv".
std::vector<std::pair<std::string, std::string>> decision_tables(const Decision& decision);

}  // namespace weir::reports
