#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weir::field {

/// A CSV file of numbers with a header, by column. Empty cells and anything that is no number are refused.
class NumberTable {
 public:
  /// Throws InputError: missing file, a row of another length than the header, a cell that is no number.
  explicit NumberTable(const std::filesystem::path& file);

  std::size_t rows() const { return rows_; }
  const std::string& file() const { return file_; }
  bool has(const std::string& column) const { return columns_.contains(column); }
  /// The column; throws InputError when the file has none of this name.
  const std::vector<double>& operator[](const std::string& column) const;

 private:
  std::string file_;
  std::map<std::string, std::vector<double>> columns_;
  std::size_t rows_ = 0;
};

}  // namespace weir::field
