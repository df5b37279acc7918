#pragma once

#include <string>
#include <vector>

namespace weir::reports {

struct TextColumn {
  std::string head;    ///< up to two lines, separated by '\n'
  bool right = false;  ///< numbers right, words left
  int expendable = 0;  ///< when the terminal is narrow the most expendable go first; 0 is never left out
};

/// A table for a monospaced terminal: aligned by display width, head rule, no vertical lines. When the width is not
/// enough, expendable columns are left out, then the widest column of words is cut.
class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.empty(); }
  std::string render(int width) const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Text wrapped to `width` columns at blanks and between Chinese characters (never before their closing marks); the
/// first line starts with `first`, the others with as many blanks.
std::string wrap_text(const std::string& text, int width, const std::string& first = "");

}  // namespace weir::reports
