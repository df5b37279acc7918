#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/xlsx/book.h"

namespace weir::reports::xlsx {

/// One column of a table whose rows are months. Formulas name other columns in brackets: [bought] is the cell of the
/// same row, [server^] the cell of the row "one server", [bought@] all months of the column.
struct FlowColumn {
  std::string key{};
  std::string group{};  ///< empty: the same as the column before
  std::string head{};
  const char* format = kWhole;
  std::function<double(int)> value{};         ///< of a month; NaN: nothing stands there
  std::function<std::string(int)> formula{};  ///< empty: the value stands as a number
  bool summed = false;                        ///< has a total over all months
  std::string each{};                         ///< formula of the cell in the row "one server"
  double each_value = 0;
  Look look = Look::number;
};

/// Where the pieces of a written table are.
class FlowTable {
 public:
  /// Heads in rows first and first + 1, then "one server" if any column has it, the total, and months 0 .. horizon.
  FlowTable(Sheet& sheet, std::uint32_t first, int horizon_months, std::vector<FlowColumn> columns, std::string each,
            std::string total);
  void write();

  std::string total_cell(const std::string& key) const;
  std::string month_cell(const std::string& key, int month) const;
  /// "$B$8:$B$44", months `from` to `to`.
  std::string months(const std::string& key, int from, int to) const;
  std::uint32_t total_row() const { return total_row_; }
  std::uint32_t first_month_row() const { return total_row_ + 1; }
  std::uint32_t last_row() const { return first_month_row() + static_cast<std::uint32_t>(horizon_); }
  std::uint16_t column(const std::string& key) const;

 private:
  std::string with_cells(const std::string& formula, std::uint32_t row) const;
  void write_heads();
  void write_column(std::uint16_t at, const FlowColumn& column);
  Sheet& sheet_;
  std::uint32_t first_, each_row_ = 0, total_row_;
  int horizon_;
  std::vector<FlowColumn> columns_;
  std::string each_words_, total_words_;
};

}  // namespace weir::reports::xlsx
