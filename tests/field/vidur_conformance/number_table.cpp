#include "tests/field/vidur_conformance/number_table.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "data/errors.h"

namespace weir::field {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

NumberTable::NumberTable(const std::filesystem::path& file) : file_(file.string()) {
  std::ifstream in(file);
  if (!in) throw data::InputError(file_, "", "", "there is no such file, or it cannot be read");
  std::string line;
  if (!std::getline(in, line)) throw data::InputError(file_, "", "", "expected a CSV file with a header");
  std::vector<std::vector<double>*> columns;
  for (const std::string_view name : cells_of(line)) columns.push_back(&columns_[std::string(name)]);
  while (std::getline(in, line)) {
    const std::vector<std::string_view> cells = cells_of(line);
    const std::string place = std::to_string(rows_ + 2);
    if (cells.size() != columns.size())
      throw data::InputError(file_, place, line, "expected as many cells as the header");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double value = 0;
      const char* end = cells[i].data() + cells[i].size();
      const auto [stop, error] = std::from_chars(cells[i].data(), end, value);
      if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) {
        throw data::InputError(file_, place, std::string(cells[i]), "expected a number >= 0");
      }
      columns[i]->push_back(value);
    }
    ++rows_;
  }
}

const std::vector<double>& NumberTable::operator[](const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) throw data::InputError(file_, "1", column, "expected a column of this name");
  return found->second;
}

}  // namespace weir::field
