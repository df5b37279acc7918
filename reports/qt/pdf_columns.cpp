#include "reports/qt/pdf_columns.h"

#include <algorithm>
#include <numeric>

namespace weir::reports::qt::pdf {
namespace {

using document::Align;

constexpr double kLeftInset = 6, kRightInset = 3;  // room for the bar of the chosen row
constexpr double kStrip = 74, kNarrowStrip = 58;
constexpr double kNarrowGap = 6, kNarrowestGap = 4.4;
constexpr double kShortWords = 150;  // what is wider than this is a sentence and may break

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Columns that share `room`: none is wider than its weight times a limit that is the same for all.
struct Group {
  std::vector<double*> widths;
  std::vector<double> least, natural, weights;
};

void fill_level(const Group& group, double room) {
  const auto& [widths, least, natural, weights] = group;
  double low = 0, high = 4 * kTextWidth;
  const auto total_at = [&](double limit) {
    double total = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      *widths[i] = std::clamp(limit * weights[i], std::min(least[i], natural[i]), natural[i]);
      total += *widths[i];
    }
    return total;
  };
  constexpr int kSteps = 50;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (low + high) / 2;
    (total_at(middle) > room ? high : low) = middle;
  }
  total_at(low);
}

}  // namespace

PaperColumns::PaperColumns(const document::Table& table)
    : table_(table), text_size_(table.small ? kSmall : kBody), strip_(kStrip) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) kept_.push_back({.index = i});
  measure();
  make_room();
  share_width();
}

/// Gives up, one after the other: white space, names in one line, columns that are not needed, the size of the text.
void PaperColumns::make_room() {
  if (sum_of(&Need::natural) <= available()) return;
  gap_ = kNarrowGap;
  strip_ = kNarrowStrip;
  measure();
  if (sum_of(&Need::natural) <= available()) return;
  gap_ = kNarrowestGap;
  if (sum_of(&Need::natural) <= available()) return;
  gap_ = kNarrowGap;
  while (sum_of(&Need::comfortable) > available() && drop_one()) measure();
  if (sum_of(&Need::comfortable) <= available() || text_size_ <= kSmall) return;
  text_size_ = kSmall;
  measure();
}

double PaperColumns::sum_of(double Need::*width) const {
  double total = 0;
  for (const Need& n : needs_) total += n.*width;
  return total;
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
  n.is_strip = about.strip_high > about.strip_low;
  if (n.is_strip) n.natural = n.comfortable = n.least = strip_;
  each_cell([&](const document::Cell& cell, const document::Row& row) {
    if (cell.strip) return;
    const TextStyle style{text_size_, charts::Role::text, cell.strong || row.total};
    const QString text = words(cell.text), tail = words(cell.muted);
    const QString all = tail.isEmpty() ? text : QString(text % QLatin1Char(' ') % tail);
    const double beside = decoration(cell, paper), width = text_width(all, style);
    const double parts = std::max(text_width(text, style), text_width(tail, style));
    n.natural = std::max(n.natural, beside + width);
    n.comfortable = std::max(n.comfortable, beside + (right ? width : std::min(parts, kShortWords)));
    n.least = std::max(n.least, beside + (right ? width : unbreakable_width(all, style)));
    if (right) n.number_width = std::max(n.number_width, width);
  });
  const double head_width = text_width(words(about.head), head);
  n.natural = std::max(n.natural, head_width);
  n.least = std::max(n.least, right || n.is_strip ? head_width : unbreakable_width(words(about.head), head));
  n.comfortable = std::max({n.comfortable, n.least, std::min(head_width, n.natural)});
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

bool PaperColumns::takes_words(const PaperColumn& column) const {
  const document::Column& about = table_.columns[column.index];
  return about.align == Align::left && about.strip_high <= about.strip_low;
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
  if (sum(natural) > room) {
    squeeze(room);
  } else {
    spread(room - sum(natural));
  }
  double x = kLeftInset;
  for (PaperColumn& column : kept_) {
    column.x = x;
    x += column.width + gap_;
  }
}

/// Columns of words give: first those that take no spare width, as long as the sentences beside them are cramped,
/// then the sentences, the widest first.
void PaperColumns::squeeze(double room) {
  constexpr double kSentences = 0.38 * kTextWidth, kNarrowWords = 78;
  Group names, sentences;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!takes_words(kept_[i])) {
      room -= kept_[i].width;
      continue;
    }
    const double weight = table_.columns[kept_[i].index].weight;
    const bool sentence = weight > 0;
    Group& group = sentence ? sentences : names;
    group.widths.push_back(&kept_[i].width);
    group.natural.push_back(needs_[i].natural);
    group.weights.push_back(sentence ? weight : 1);
    group.least.push_back(sentence ? needs_[i].least : std::max(needs_[i].least, kNarrowWords));
  }
  const double wanted =
      sentences.widths.empty() ? 0 : std::min(sum(sentences.natural), std::max(kSentences, sum(sentences.least)));
  fill_level(names, room - wanted);
  for (const double* width : names.widths) room -= *width;
  fill_level(sentences, room);
  for (const double* width : sentences.widths) room -= *width;
  if (room >= -0.5) return;
  // Even the narrowest form is too wide: words break inside.
  double total = 0;
  for (const PaperColumn& column : kept_) total += column.width;
  for (PaperColumn& column : kept_) column.width *= available() / total;
}

/// Some of the spare width goes to columns of words, the rest between all columns alike.
void PaperColumns::spread(double spare) {
  constexpr double kToWords = 0.45;
  double weights = 0;
  for (const PaperColumn& column : kept_) weights += takes_words(column) ? table_.columns[column.index].weight : 0;
  const double to_words = weights > 0 ? spare * kToWords : 0;
  for (PaperColumn& column : kept_) {
    if (takes_words(column) && weights > 0) column.width += to_words * table_.columns[column.index].weight / weights;
  }
  if (kept_.size() > 1) gap_ += (spare - to_words) / static_cast<double>(kept_.size() - 1);
}

}  // namespace weir::reports::qt::pdf
