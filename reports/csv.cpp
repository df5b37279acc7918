#include "reports/csv.h"

#include <cmath>

#include "reports/format.h"

namespace weir::reports {

CsvTable::CsvTable(const std::vector<std::string>& head) {
  for (const std::string& name : head) text(name);
  end_row();
}

void CsvTable::cell(std::string_view raw) {
  if (!first_) out_ += ',';
  first_ = false;
  if (raw.find_first_of(",\"\r\n") == std::string_view::npos) {
    out_ += raw;
    return;
  }
  out_ += '"';
  for (const char c : raw) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
}

CsvTable& CsvTable::text(std::string_view value) {
  constexpr std::string_view kFormulaStarts = "=+-@\t\r";
  if (!value.empty() && kFormulaStarts.find(value.front()) != std::string_view::npos) {
    cell("'" + std::string(value));
  } else {
    cell(value);
  }
  return *this;
}

CsvTable& CsvTable::number(std::optional<double> value) {
  cell(value && std::isfinite(*value) ? shortest(*value) : std::string());
  return *this;
}

CsvTable& CsvTable::integer(std::optional<std::int64_t> value) {
  cell(value ? std::to_string(*value) : std::string());
  return *this;
}

void CsvTable::end_row() {
  out_ += "\r\n";
  first_ = true;
}

}  // namespace weir::reports
