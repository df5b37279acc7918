#include <QPainter>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "reports/qt/pdf_blocks.h"
#include "reports/qt/pdf_columns.h"

namespace weir::reports::qt::pdf {
namespace {

using charts::Role;
using document::Align;
using document::Cell;

constexpr double kBar = 2.2;  // pt, left of the chosen row

/// A table laid out for the paper. Shared by the pieces that draw its rows.
class TableLayout {
 public:
  explicit TableLayout(const document::Table& table) : table_(table), columns_(table_) { find_span_starts(); }

  double head_height() const {
    double lines = 0;
    for (const document::Column& column : table_.columns) {
      const bool ends = !column.strip_low_text.empty();
      lines =
          std::max(lines, 1.0 + static_cast<double>(std::count(column.head.begin(), column.head.end(), '\n')) + ends);
    }
    return lines * line_height(kSmall) + 4.5;
  }

  void draw_head(QPainter& painter, QPointF at) const {
    const double bottom = at.y() + head_height();
    const TextStyle style{kSmall, Role::text_secondary, false};
    for (const PaperColumn& paper : columns_.kept()) {
      const document::Column& column = table_.columns[paper.index];
      const double x = at.x() + paper.x;
      double y = bottom - 3.5;
      if (!column.strip_low_text.empty()) {
        y -= line_height(kSmall);
        draw_text(painter, {x, y}, words(column.strip_low_text), style);
        const QString high = words(column.strip_high_text);
        draw_text(painter, {x + paper.width - text_width(high, style), y}, high, style);
      }
      const TextBlock head(words(column.head), style, paper.width + 0.5);
      const bool right = column.align == Align::right;
      head.draw(painter, {x, y - head.height()}, right ? Qt::AlignRight : Qt::AlignLeft, paper.width);
    }
    draw_rule(painter, at.x(), bottom, kTextWidth, Role::control, 0.7);
  }

  double row_height(const document::Row& row) const {
    double height = line_height(columns_.text_size());
    for_cells(row, [&](const Cell& cell, const PaperColumn& column, double width) {
      if (!cell.strip) height = std::max(height, block(cell, row, width - columns_.decoration(cell, column)).height());
    });
    return height + padding();
  }

  void draw_row(QPainter& painter, QPointF at, const document::Row& row, double height) const {
    if (row.chosen) {
      fill_rect(painter, {at.x(), at.y(), kBar, height}, Role::owned);
      draw_rule(painter, at.x(), at.y(), kTextWidth, Role::owned, 0.7);
    } else if (row.total) {
      draw_rule(painter, at.x(), at.y(), kTextWidth, Role::control, 0.7);
    }
    draw_rule(painter, at.x(), at.y() + height, kTextWidth, row.chosen ? Role::owned : Role::grid,
              row.chosen ? 0.7 : 0.6);
    for_cells(row, [&](const Cell& cell, const PaperColumn& column, double width) {
      draw_cell(painter, {at.x() + column.x, at.y(), width, height}, cell, column, row);
    });
  }

  std::vector<data::Evidence> used_marks() const {
    std::set<data::Evidence> used;
    for (const document::Row& row : table_.rows) {
      for (const Cell& cell : row.cells) {
        if (cell.mark) used.insert(*cell.mark);
      }
    }
    return {used.begin(), used.end()};
  }

  const document::Table& table() const { return table_; }

 private:
  double padding() const { return table_.small ? 3.6 : 4.8; }

  TextBlock block(const Cell& cell, const document::Row& row, double width) const {
    const TextStyle style{columns_.text_size(), cell.problem ? Role::problem : Role::text, cell.strong || row.total};
    return TextBlock(words(cell.text), style, words(cell.muted), cell.problem ? Role::text : Role::text_secondary,
                     width + 0.5);
  }

  /// Calls f(cell, its first column that is there, the width it covers); cells of columns left out are skipped.
  template <class F>
  void for_cells(const document::Row& row, const F& f) const {
    std::size_t first = 0;
    for (const Cell& cell : row.cells) {
      const std::size_t end = first + static_cast<std::size_t>(std::max(1, cell.span));
      const PaperColumn* begin = nullptr;
      double right = 0;
      for (const PaperColumn& column : columns_.kept()) {
        if (column.index < first || column.index >= end) continue;
        if (begin == nullptr) begin = &column;
        right = column.x + column.width;
      }
      if (begin != nullptr && cell.span > 1 && span_start_ > 0) {
        PaperColumn wider = *begin;
        wider.x = std::min(wider.x, span_start_);
        f(cell, wider, right - wider.x);
      } else if (begin != nullptr) {
        f(cell, *begin, right - begin->x);
      }
      first = end;
    }
  }

  /// A sentence over several columns begins where the words before it end, in all rows at the same place.
  void find_span_starts() {
    double start = 0;
    for (const document::Row& row : table_.rows) {
      const Cell* last = nullptr;
      const PaperColumn* place = nullptr;
      for_cells(row, [&](const Cell& cell, const PaperColumn& column, double width) {
        if (cell.span > 1 && last != nullptr) {
          start =
              std::max(start, place->x + columns_.decoration(*last, *place) + block(*last, row, width).width() + 14);
        }
        const auto found = std::find_if(columns_.kept().begin(), columns_.kept().end(),
                                        [&](const PaperColumn& other) { return other.index == column.index; });
        last = &cell;
        place = &*found;
      });
    }
    span_start_ = start;
  }

  void draw_cell(QPainter& painter, const QRectF& box, const Cell& cell, const PaperColumn& column,
                 const document::Row& row) const {
    const double top = box.y() + padding() / 2, line = line_height(columns_.text_size());
    if (cell.strip) {
      const document::Column& scale = table_.columns[column.index];
      return draw_strip(painter, {box.x(), top - 1, box.width(), line + 2}, *cell.strip, scale.strip_low,
                        scale.strip_high);
    }
    const bool right = table_.columns[column.index].align == Align::right && cell.span == 1;
    const double decoration = columns_.decoration(cell, column);
    const TextBlock text = block(cell, row, box.width() - decoration);
    double x = box.x();
    if (cell.mark) {
      const double at = right ? box.right() - column.number_width - PaperColumns::kMark : x;
      draw_evidence(painter, {std::max(box.x(), at), top + (line - PaperColumns::kSign) / 2}, PaperColumns::kSign,
                    *cell.mark);
    }
    if (column.has_mark && cell.span == 1) x += PaperColumns::kMark;
    if (cell.marker) {
      draw_option_marker(painter, {x + PaperColumns::kMarker / 2 - 1, top + line / 2}, 3, *cell.marker);
      x += PaperColumns::kMarker;
    }
    if (cell.problem && !cell.text.empty()) {
      draw_cross(painter, {x, top + (line - 6) / 2}, 6);
      x += PaperColumns::kCross;
    }
    if (right) {
      text.draw(painter, {box.x() + decoration, top}, Qt::AlignRight, box.width() - decoration);
    } else {
      text.draw(painter, {x, top});
    }
  }

  document::Table table_;
  PaperColumns columns_;
  double span_start_ = 0;  ///< x of the sentences that cover several columns; 0: there are none
};

}  // namespace

std::vector<Piece> table_pieces(const document::Table& table, Language language) {
  if (table.columns.empty()) return {};
  const auto layout = std::make_shared<const TableLayout>(table);
  std::vector<Piece> pieces;
  if (!table.caption.empty()) {
    pieces = text_pieces(words(table.caption), {kSmall, Role::text_secondary, false}, kTextWidth);
    for (Piece& piece : pieces) piece.keep_with_next = true;
    pieces.front().space_before = 10;
  }
  Piece head;
  head.height = layout->head_height();
  head.space_before = pieces.empty() ? 8 : 3;
  head.keep_with_next = true;
  head.draw = [layout](QPainter& painter, QPointF at) { layout->draw_head(painter, at); };
  const auto repeat = std::make_shared<const Piece>(head);
  pieces.push_back(std::move(head));
  const std::size_t rows = table.rows.size();
  for (std::size_t i = 0; i < rows; ++i) {
    Piece piece;
    piece.height = layout->row_height(layout->table().rows[i]);
    piece.keep_with_next = i + 1 < rows && (i == 0 || i + 2 == rows);
    piece.repeat = repeat;
    piece.draw = [layout, i, height = piece.height](QPainter& painter, QPointF at) {
      layout->draw_row(painter, at, layout->table().rows[i], height);
    };
    pieces.push_back(std::move(piece));
  }
  const std::vector<data::Evidence> used = layout->used_marks();
  if (table.mark_legend && !used.empty()) {
    pieces.back().keep_with_next = true;
    pieces.push_back(evidence_legend(used, language, kTextWidth));
  }
  return pieces;
}

}  // namespace weir::reports::qt::pdf
