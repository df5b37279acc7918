#include "reports/xlsx/flow_table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weir::reports::xlsx {

FlowTable::FlowTable(Sheet& sheet, std::uint32_t first, int horizon_months, std::vector<FlowColumn> columns,
                     std::string each, std::string total)
    : sheet_(sheet),
      first_(first),
      horizon_(horizon_months),
      columns_(std::move(columns)),
      each_words_(std::move(each)),
      total_words_(std::move(total)) {
  const bool has_each =
      std::any_of(columns_.begin(), columns_.end(), [](const FlowColumn& c) { return !c.each.empty(); });
  each_row_ = first_ + 2;
  total_row_ = first_ + (has_each ? 3 : 2);
}

std::uint16_t FlowTable::column(const std::string& key) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].key == key) return static_cast<std::uint16_t>(i);
  }
  throw std::logic_error("no column " + key);
}

std::string FlowTable::month_cell(const std::string& key, int month) const {
  return fixed_cell(first_month_row() + static_cast<std::uint32_t>(month), column(key));
}

std::string FlowTable::total_cell(const std::string& key) const { return fixed_cell(total_row_, column(key)); }

std::string FlowTable::months(const std::string& key, int from, int to) const {
  return month_cell(key, from) + ":" + month_cell(key, to);
}

std::string FlowTable::with_cells(const std::string& formula, std::uint32_t row) const {
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    const std::size_t open = formula.find('[', at);
    out += formula.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = formula.find(']', open);
    std::string key = formula.substr(open + 1, close - open - 1);
    const char sign = key.back();
    if (sign == '^' || sign == '@' || sign == '<') key.pop_back();
    if (sign == '^') {
      out += fixed_cell(each_row_, column(key));
    } else if (sign == '@') {
      out += months(key, 0, horizon_);
    } else {
      out += cell_name(sign == '<' ? row - 1 : row, column(key));
    }
    at = close + 1;
  }
  return out;
}

void FlowTable::write_heads() {
  for (std::size_t i = 0; i < columns_.size();) {
    std::size_t next = i + 1;
    while (next < columns_.size() && columns_[next].group.empty()) ++next;
    if (columns_[i].group != " ")
      sheet_.group(first_, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(next - 1), columns_[i].group);
    i = next;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    sheet_.words(first_ + 1, static_cast<std::uint16_t>(i), columns_[i].head, i == 0 ? Look::head : Look::head_right);
  }
  sheet_.row_height(first_ + 1, 46);
  if (total_row_ > each_row_) sheet_.words(each_row_, 0, each_words_, Look::quiet);
  sheet_.words(total_row_, 0, total_words_, Look::total_words);
}

void FlowTable::write_column(std::uint16_t at, const FlowColumn& column) {
  if (!column.each.empty()) {
    sheet_.formula(each_row_, at, with_cells(column.each, each_row_), column.each_value, column.format);
  }
  double sum = 0;
  for (int month = 0; month <= horizon_; ++month) {
    const std::uint32_t row = first_month_row() + static_cast<std::uint32_t>(month);
    const double value = column.value(month);
    if (!std::isfinite(value)) {
      sheet_.blank(row, at);
      continue;
    }
    sum += value;
    const std::string formula = column.formula ? column.formula(month) : std::string();
    if (formula.empty()) {
      sheet_.number(row, at, value, column.format, column.look);
    } else {
      sheet_.formula(row, at, with_cells(formula, row), value, column.format, column.look);
    }
  }
  if (column.summed) {
    sheet_.formula(total_row_, at, "SUM(" + months(column.key, 0, horizon_) + ")", sum, column.format, Look::total);
  } else if (at > 0) {
    sheet_.words(total_row_, at, "", Look::total_words);
  }
}

void FlowTable::write() {
  write_heads();
  for (std::size_t i = 0; i < columns_.size(); ++i) write_column(static_cast<std::uint16_t>(i), columns_[i]);
  sheet_.freeze(total_row_ + 1, 1, first_);
  constexpr std::size_t kReadableOnOnePage = 24;
  if (columns_.size() > kReadableOnOnePage) sheet_.pages_wide(2, 1);
}

}  // namespace weir::reports::xlsx
