#include "reports/qt/pdf_blocks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reports/decision_view.h"

namespace weir::reports::qt::pdf {
namespace {

using charts::Role;

constexpr double kSign = 6.6;  // pt, of the evidence signs

TextStyle heading_style(int level) {
  if (level <= 1) return {kHuge, Role::text, true};
  return {level == 2 ? kLarge : kBody, Role::text, true};
}

std::vector<Piece> heading_pieces(const document::Heading& heading) {
  const TextStyle style = heading_style(heading.level);
  std::vector<Piece> pieces = text_pieces(words(heading.text), style, kTextWidth);
  for (Piece& piece : pieces) piece.keep_with_next = true;
  if (!pieces.empty()) {
    pieces.front().space_before = heading.level <= 2 ? 20 : 13;
    pieces.back().height += heading.level <= 2 ? 2 : 0;
  }
  return pieces;
}

std::vector<Piece> paragraph_pieces(const document::Paragraph& paragraph) {
  using document::Tone;
  TextStyle style;
  if (paragraph.tone == Tone::lead) style.size = kLarge;
  if (paragraph.tone == Tone::quiet) style.role = Role::text_secondary;
  if (paragraph.tone == Tone::problem) style.role = Role::problem;
  const bool problem = paragraph.tone == Tone::problem;
  constexpr double kIndent = 9;
  std::vector<Piece> pieces = text_pieces(words(paragraph.text), style, kTextWidth, problem ? kIndent : 0);
  if (!pieces.empty()) pieces.front().space_before = paragraph.tone == Tone::lead ? 9 : 5;
  if (!problem) return pieces;
  for (Piece& piece : pieces) {
    piece.draw = [draw = piece.draw, height = piece.height](QPainter& painter, QPointF at) {
      fill_rect(painter, {at.x(), at.y(), 2.2, height}, Role::problem);
      draw(painter, at);
    };
  }
  return pieces;
}

std::vector<Piece> list_pieces(const document::List& list) {
  constexpr double kIndent = 12;
  std::vector<Piece> pieces;
  for (const std::string& item : list.items) {
    std::vector<Piece> lines = text_pieces(words(item), {}, kTextWidth, kIndent);
    if (lines.empty()) continue;
    lines.front().space_before = 3;
    lines.front().draw = [draw = lines.front().draw, mark = list.mark](QPainter& painter, QPointF at) {
      const double middle = at.y() + line_height(kBody) / 2;
      if (mark) {
        draw_evidence(painter, {at.x() + 0.5, middle - kSign / 2}, kSign, *mark);
      } else {
        fill_rect(painter, {at.x() + 2.5, middle - 0.4, 4.5, 0.8}, Role::control);
      }
      draw(painter, at);
    };
    pieces.insert(pieces.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
  }
  if (!pieces.empty()) pieces.front().space_before = 6;
  return pieces;
}

/// Numbers and units must not be parted where the sentence breaks its line, but QTextLayout keeps no-break spaces.
struct Pieces {
  Language language;
  std::vector<Piece> operator()(const document::Heading& block) const { return heading_pieces(block); }
  std::vector<Piece> operator()(const document::Paragraph& block) const { return paragraph_pieces(block); }
  std::vector<Piece> operator()(const document::List& block) const { return list_pieces(block); }
  std::vector<Piece> operator()(const document::KeyFigures& block) const { return key_figure_pieces(block); }
  std::vector<Piece> operator()(const document::Table& block) const { return table_pieces(block, language); }
  std::vector<Piece> operator()(const document::Figures& block) const { return figure_pieces(block, language); }
  std::vector<Piece> operator()(const document::EvidenceBar& block) const {
    return evidence_bar_pieces(block, language, kTextWidth);
  }
};

}  // namespace

std::vector<Piece> block_pieces(const document::Block& block, Language language) {
  return std::visit(Pieces{language}, block);
}

Piece stacked(std::vector<Piece> pieces) {
  Piece all;
  if (pieces.empty()) return all;
  all.space_before = pieces.front().space_before;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    all.height += (i > 0 ? pieces[i].space_before : 0) + pieces[i].height;
  }
  all.draw = [pieces = std::move(pieces)](QPainter& painter, QPointF at) {
    double y = at.y();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      y += i > 0 ? pieces[i].space_before : 0;
      pieces[i].draw(painter, {at.x(), y});
      y += pieces[i].height;
    }
  };
  return all;
}

Piece evidence_beside(const document::EvidenceBar& bar, const document::Heading& heading,
                      const document::Paragraph& paragraph, Language language) {
  constexpr double kGap = 24, kHalf = (kTextWidth - kGap) / 2;
  const Piece left = stacked(evidence_bar_pieces(bar, language, kHalf));
  std::vector<Piece> words_beside = text_pieces(words(heading.text), heading_style(heading.level), kHalf);
  std::vector<Piece> lines = text_pieces(words(paragraph.text), {kBody, Role::text_secondary, false}, kHalf);
  if (!lines.empty()) lines.front().space_before = 3;
  for (Piece& line : lines) words_beside.push_back(std::move(line));
  const Piece right = stacked(std::move(words_beside));
  constexpr double kAbove = 9;  // pt between the rule and the words
  Piece both;
  both.space_before = 12;
  both.height = kAbove + std::max(left.height, right.height);
  both.draw = [left, right](QPainter& painter, QPointF at) {
    draw_rule(painter, at.x(), at.y(), kTextWidth, Role::grid, 0.6);
    if (left.draw) left.draw(painter, at + QPointF(0, kAbove));
    if (right.draw) right.draw(painter, at + QPointF(kHalf + kGap, kAbove));
  };
  return both;
}

std::vector<Piece> text_pieces(const QString& text, const TextStyle& style, double width, double indent) {
  const auto block = std::make_shared<const TextBlock>(text, style, width - indent);
  std::vector<Piece> pieces;
  const int lines = block->lines();
  for (int i = 0; i < lines; ++i) {
    Piece piece;
    piece.height = line_height(style.size);
    // Two lines at least on either side of a page break.
    piece.keep_with_next = i + 1 < lines && (i == 0 || i + 2 == lines);
    piece.draw = [block, i, indent](QPainter& painter, QPointF at) {
      block->draw_line(painter, i, at + QPointF(indent, 0));
    };
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<Piece> key_figure_pieces(const document::KeyFigures& block) {
  if (block.figures.empty()) return {};
  constexpr double kGap = 11;
  const double column = (kTextWidth + kGap) / static_cast<double>(block.figures.size());
  const double width = column - kGap;
  double size = kHuge;
  for (const document::KeyFigure& figure : block.figures) {
    // Figures beside each other have one size: the largest in which all of them fit.
    const double needed = text_width(words(figure.value), {size, Role::text, false});
    if (needed > width) size = std::max(kLarge, std::floor(size * width / needed));
  }
  struct Column {
    TextBlock name, value, note;
  };
  const auto columns = std::make_shared<std::vector<Column>>();
  double name_height = 0, value_height = 0, note_height = 0;
  for (const document::KeyFigure& figure : block.figures) {
    columns->push_back({TextBlock(words(figure.name), {kSmall, Role::text_secondary, false}, width),
                        TextBlock(words(figure.value), {size, Role::text, false}, width),
                        TextBlock(words(figure.note), {kSmall, Role::text_secondary, false}, width)});
    name_height = std::max(name_height, columns->back().name.height());
    value_height = std::max(value_height, columns->back().value.height());
    note_height = std::max(note_height, columns->back().note.height());
  }
  Piece piece;
  piece.space_before = 14;
  piece.height = name_height + value_height + note_height + 4;
  piece.draw = [=, height = piece.height](QPainter& painter, QPointF at) {
    for (std::size_t i = 0; i < columns->size(); ++i) {
      const Column& c = (*columns)[i];
      const double x = at.x() + static_cast<double>(i) * column;
      if (i > 0) fill_rect(painter, {x - kGap / 2 - 0.25, at.y() + 1, 0.5, height - 2}, Role::grid);
      c.name.draw(painter, {x, at.y() + name_height - c.name.height()});
      c.value.draw(painter, {x, at.y() + name_height + 1});
      c.note.draw(painter, {x, at.y() + name_height + value_height + 2});
    }
  };
  return {piece};
}

Piece evidence_legend(const std::vector<data::Evidence>& used, Language language, double width) {
  struct Entry {
    double x, y;
    data::Evidence evidence;
    QString text;
  };
  constexpr double kGap = 3.5, kBetween = 12;
  const TextStyle style{kSmall, Role::text_secondary, false};
  std::vector<Entry> entries;
  double x = 0, y = 0;
  for (const data::Evidence evidence : used) {
    const QString text = words(evidence_long_word(evidence, language));
    const double needed = kSign + kGap + text_width(text, style);
    if (x > 0 && x + needed > width) {
      x = 0;
      y += line_height(kSmall) + 1;
    }
    entries.push_back({x, y, evidence, text});
    x += needed + kBetween;
  }
  Piece piece;
  piece.space_before = 5;
  piece.height = entries.empty() ? 0 : y + line_height(kSmall);
  piece.draw = [entries, style](QPainter& painter, QPointF at) {
    for (const Entry& entry : entries) {
      const QPointF top = at + QPointF(entry.x, entry.y);
      draw_evidence(painter, top + QPointF(0, (line_height(kSmall) - kSign) / 2), kSign, entry.evidence);
      draw_text(painter, top + QPointF(kSign + kGap, 0), entry.text, style);
    }
  };
  return piece;
}

namespace {

/// Shades from the strongest to the weakest evidence: the weaker, the lighter; an assumption is only an outline.
void draw_share(QPainter& painter, const QRectF& box, data::Evidence evidence) {
  using data::Evidence;
  constexpr double kRim = 0.8;
  const bool assumed = evidence == Evidence::assumption;
  fill_rect(painter, box, assumed ? Role::problem : Role::text_secondary);
  const double shade = evidence == Evidence::measured_here        ? 1
                       : evidence == Evidence::measured_elsewhere ? 0.66
                       : evidence == Evidence::fitted             ? 0.4
                       : evidence == Evidence::datasheet          ? 0.2
                                                                  : 0;
  const QRectF inside = box.adjusted(kRim, kRim, -kRim, -kRim);
  fill_rect(painter, inside, Role::canvas);
  if (shade > 0) fill_rect(painter, inside, Role::text_secondary, shade);
}

}  // namespace

std::vector<Piece> evidence_bar_pieces(const document::EvidenceBar& bar, Language language, double width) {
  std::vector<std::pair<data::Evidence, int>> shares;
  for (const auto& share : bar.counts) {
    if (share.second > 0) shares.push_back(share);
  }
  const double total =
      std::accumulate(shares.begin(), shares.end(), 0.0, [](double sum, const auto& s) { return sum + s.second; });
  if (shares.empty()) return {};
  constexpr double kBar = 9, kLeast = 14;
  std::vector<double> widths;
  const double bar_width = std::min(width, 0.62 * kTextWidth),
               shared = bar_width - kLeast * static_cast<double>(shares.size());
  for (const auto& share : shares) widths.push_back(kLeast + shared * share.second / total);
  std::vector<Piece> pieces = text_pieces(words(bar.title), {kBody, Role::text, true}, width);
  for (Piece& piece : pieces) piece.keep_with_next = true;
  if (!pieces.empty()) pieces.front().space_before = 14;
  Piece drawn;
  drawn.space_before = 4;
  drawn.height = kBar + 2 + line_height(kSmall);
  drawn.keep_with_next = true;
  drawn.draw = [shares, widths](QPainter& painter, QPointF at) {
    double x = at.x();
    for (std::size_t i = 0; i < shares.size(); ++i) {
      draw_share(painter, {x, at.y(), widths[i] - 1, kBar}, shares[i].first);
      draw_text(painter, {x, at.y() + kBar + 2}, QString::number(shares[i].second), {kSmall, Role::text, false});
      x += widths[i];
    }
  };
  pieces.push_back(std::move(drawn));
  std::vector<data::Evidence> used;
  for (const auto& share : shares) used.push_back(share.first);
  pieces.push_back(evidence_legend(used, language, width));
  return pieces;
}

}  // namespace weir::reports::qt::pdf
