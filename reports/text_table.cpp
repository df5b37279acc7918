#include "reports/text_table.h"

#include <algorithm>
#include <stdexcept>

#include "reports/format.h"

namespace weir::reports {
namespace {

constexpr int kGap = 2;

std::vector<std::string> head_lines(const std::string& head) {
  const std::size_t split = head.find('\n');
  if (split == std::string::npos) return {"", head};
  return {head.substr(0, split), head.substr(split + 1)};
}

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

std::string padded(const std::string& text, int width, bool right) {
  const std::string fitting = cut_to_width(text, width);
  const std::string space = blanks(width - display_width(fitting));
  return right ? space + fitting : fitting + space;
}

void trim_end(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

struct Layout {
  std::vector<std::size_t> kept;
  std::vector<int> widths;  ///< of all columns
  int total() const {
    int sum = 0;
    for (const std::size_t c : kept) sum += widths[c] + kGap;
    return sum - kGap;
  }
};

}  // namespace

void TextTable::add(std::vector<std::string> row) {
  if (row.size() != columns_.size()) throw std::logic_error("a row must have one cell a column");
  rows_.push_back(std::move(row));
}

std::string TextTable::render(int width) const {
  Layout layout;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    int needed = 0;
    for (const std::string& line : head_lines(columns_[c].head)) needed = std::max(needed, display_width(line));
    bool any = rows_.empty();
    for (const auto& row : rows_) {
      needed = std::max(needed, display_width(row[c]));
      any = any || !row[c].empty();
    }
    layout.widths.push_back(needed);
    if (any) layout.kept.push_back(c);
  }
  while (layout.total() > width) {
    const auto worst = std::max_element(layout.kept.begin(), layout.kept.end(), [&](std::size_t a, std::size_t b) {
      return columns_[a].expendable < columns_[b].expendable;
    });
    if (columns_[*worst].expendable == 0) break;
    layout.kept.erase(worst);
  }
  if (layout.total() > width) {
    std::size_t widest = layout.kept.front();
    for (const std::size_t c : layout.kept) {
      if (!columns_[c].right && layout.widths[c] > layout.widths[widest]) widest = c;
    }
    layout.widths[widest] = std::max(8, layout.widths[widest] - (layout.total() - width));
  }

  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < layout.kept.size(); ++i) {
      const std::size_t c = layout.kept[i];
      if (i > 0) line += blanks(kGap);
      line += padded(cell_of(c), layout.widths[c], columns_[c].right);
    }
    trim_end(line);
    out += line + "\n";
  };
  const bool two_lines = std::any_of(layout.kept.begin(), layout.kept.end(),
                                     [&](std::size_t c) { return columns_[c].head.find('\n') != std::string::npos; });
  if (two_lines) add_line([&](std::size_t c) { return head_lines(columns_[c].head)[0]; });
  add_line([&](std::size_t c) { return head_lines(columns_[c].head)[1]; });
  out += std::string(static_cast<std::size_t>(layout.total()), '-') + "\n";
  for (const auto& row : rows_) add_line([&](std::size_t c) { return row[c]; });
  return out;
}

}  // namespace weir::reports
