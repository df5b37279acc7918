#include "reports/qt/pdf_columns.h"

#include <algorithm>
#include <numeric>

namespace weir::reports::qt::pdf {
namespace {

using document::Align;

constexpr double kLeftInset = 6, kRightInset = 3;  // room for the bar of the chosen row
constexpr double kStrip = 74, kNarrowStrip = 52;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

PaperColumns::PaperColumns(const document::Table& table) : table_(table), text_size_(table.small ? kSmall : kBody) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) kept_.push_back({.index = i});
  measure();
  const auto too_wide = [&] {
    double least = 0;
    for (const Need& n : needs_) least += n.least;
    return least > available();
  };
  if (too_wide()) gap_ = 7;
  while (too_wide() && drop_one()) measure();
  if (too_wide() && text_size_ > kSmall) {
    text_size_ = kSmall;
    gap_ = 6;
    measure();
  }
  share_width();
}

double PaperColumns::available() const {
  return kTextWidth - kLeftInset - kRightInset - gap_ * static_cast<double>(kept_.size() - 1);
}

double PaperColumns::decoration(const document::Cell& cell, const PaperColumn& column) const {
  const bool cross = cell.problem && !cell.text.empty();
  return (column.has_mark && cell.span == 1 ? kMark : 0) + (cell.marker ? kMarker : 0) + (cross ? kCross : 0);
}

PaperColumns::Need PaperColumns::need(std::size_t column) const {
  const document::Column& about = table_.columns[column];
  const TextStyle head{kSmall, charts::Role::text_secondary, false};
  const bool right = about.align == Align::right;
  Need n;
  PaperColumn paper{.index = column};
  const auto each_cell = [&](const auto& f) {
    for (const document::Row& row : table_.rows) {
      std::size_t at = 0;
      for (const document::Cell& cell : row.cells) {
        if (at == column && cell.span == 1) f(cell, row);
        at += static_cast<std::size_t>(std::max(1, cell.span));
      }
    }
  };
  each_cell([&](const document::Cell& cell, const document::Row&) { paper.has_mark |= cell.mark.has_value(); });
  n.has_mark = paper.has_mark;
  each_cell([&](const document::Cell& cell, const document::Row& row) {
    if (cell.strip) {
      n.natural = std::max(n.natural, kStrip);
      n.least = std::max(n.least, kNarrowStrip);
      return;
    }
    const TextStyle style{text_size_, charts::Role::text, cell.strong || row.total};
    const QString all = words(cell.muted.empty() ? cell.text : cell.text + " " + cell.muted);
    const double decorations = decoration(cell, paper), width = text_width(all, style);
    n.natural = std::max(n.natural, decorations + width);
    n.least = std::max(n.least, decorations + (right ? width : unbreakable_width(all, style)));
    if (right) n.number_width = std::max(n.number_width, width);
  });
  const double head_width = std::max(text_width(words(about.head), head), about.strip_low_text.empty() ? 0 : kStrip);
  n.natural = std::max(n.natural, head_width);
  n.least = std::max(n.least, right ? head_width : unbreakable_width(words(about.head), head));
  return n;
}

void PaperColumns::measure() {
  needs_.clear();
  for (const PaperColumn& column : kept_) needs_.push_back(need(column.index));
}

bool PaperColumns::drop_one() {
  const auto most = std::max_element(kept_.begin(), kept_.end(), [&](const PaperColumn& a, const PaperColumn& b) {
    return table_.columns[a.index].expendable < table_.columns[b.index].expendable;
  });
  if (most == kept_.end() || table_.columns[most->index].expendable <= 0) return false;
  kept_.erase(most);
  return true;
}

void PaperColumns::share_width() {
  std::vector<double> natural;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    kept_[i].number_width = needs_[i].number_width;
    kept_[i].has_mark = needs_[i].has_mark;
    kept_[i].width = needs_[i].natural;
    natural.push_back(needs_[i].natural);
  }
  const double room = available();
  if (sum(natural) > room)
    squeeze(room);
  else
    spread(room - sum(natural));
  double x = kLeftInset;
  for (PaperColumn& column : kept_) {
    column.x = x;
    x += column.width + gap_;
  }
}

/// The widest columns of words give first: none is wider than a limit that makes the table fit.
void PaperColumns::squeeze(double room) {
  double low = 0, high = kTextWidth;
  const auto widths_at = [&](double limit) {
    double total = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      kept_[i].width = std::clamp(limit, std::min(needs_[i].least, needs_[i].natural), needs_[i].natural);
      total += kept_[i].width;
    }
    return total;
  };
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (widths_at(middle) > room ? high : low) = middle;
  }
  const double total = widths_at(low);
  if (total <= room) return;
  // Even the narrowest form is too wide: words break inside.
  for (PaperColumn& column : kept_) column.width *= room / total;
}

/// Some of the spare width goes to columns of words, the rest between all columns alike.
void PaperColumns::spread(double spare) {
  constexpr double kToWords = 0.45;
  double weights = 0;
  for (const PaperColumn& column : kept_) {
    const document::Column& about = table_.columns[column.index];
    if (about.align == Align::left && about.strip_high <= about.strip_low) weights += about.weight;
  }
  const double to_words = weights > 0 ? spare * kToWords : 0;
  for (PaperColumn& column : kept_) {
    const document::Column& about = table_.columns[column.index];
    const bool takes = about.align == Align::left && about.strip_high <= about.strip_low;
    if (takes && weights > 0) column.width += to_words * about.weight / weights;
  }
  if (kept_.size() > 1) gap_ += (spare - to_words) / static_cast<double>(kept_.size() - 1);
}

}  // namespace weir::reports::qt::pdf
