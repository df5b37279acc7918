#include <QPainter>

#include <algorithm>
#include <utility>

#include "reports/qt/pdf_blocks.h"

namespace weir::reports::qt::pdf {
namespace {

using charts::Role;

constexpr double kGutter = 18;

/// One figure with its caption, laid out for a width.
struct Laid {
  std::vector<charts::Scene> panels;
  std::shared_ptr<TextBlock> caption;
  double scenes_height = 0, gap = 0;  // pt; between panels
  double height() const { return scenes_height + (caption ? 4 + caption->height() : 0); }
};

Laid lay_out(const document::Figure& figure, double width, Language language) {
  charts::Layout layout;
  layout.width = width / kPointsPerPx;
  layout.height = figure.height;
  layout.language = language;
  Laid laid;
  laid.panels = figure.draw(layout);
  double panels_width = 0;
  for (const charts::Scene& scene : laid.panels) {
    laid.scenes_height = std::max(laid.scenes_height, scene.height * kPointsPerPx);
    panels_width += scene.width * kPointsPerPx;
  }
  if (laid.panels.size() > 1) laid.gap = (width - panels_width) / static_cast<double>(laid.panels.size() - 1);
  if (!figure.caption.empty()) {
    laid.caption =
        std::make_shared<TextBlock>(words(figure.caption), TextStyle{kSmall, Role::text_secondary, false}, width);
  }
  return laid;
}

void draw_figure(QPainter& painter, const Laid& laid, QPointF at, double captions_at) {
  double x = at.x();
  for (const charts::Scene& scene : laid.panels) {
    draw_scene(painter, scene, {x, at.y()}, kPointsPerPx);
    x += scene.width * kPointsPerPx + laid.gap;
  }
  if (laid.caption) laid.caption->draw(painter, {at.x(), at.y() + captions_at + 4});
}

}  // namespace

std::vector<Piece> figure_pieces(const document::Figures& block, Language language) {
  std::vector<Piece> pieces;
  constexpr double kHalf = (kTextWidth - kGutter) / 2;
  for (std::size_t i = 0; i < block.figures.size();) {
    const bool pair = !block.figures[i].wide && i + 1 < block.figures.size() && !block.figures[i + 1].wide;
    auto row = std::make_shared<std::vector<Laid>>();
    for (std::size_t k = 0; k < (pair ? 2U : 1U); ++k) {
      row->push_back(lay_out(block.figures[i + k], pair ? kHalf : kTextWidth, language));
    }
    Piece piece;
    piece.space_before = 13;
    double captions_at = 0;
    for (const Laid& laid : *row) captions_at = std::max(captions_at, laid.scenes_height);
    for (const Laid& laid : *row) {
      piece.height = std::max(piece.height, captions_at + laid.height() - laid.scenes_height);
    }
    piece.draw = [row, captions_at](QPainter& painter, QPointF at) {
      for (std::size_t k = 0; k < row->size(); ++k) {
        draw_figure(painter, (*row)[k], at + QPointF(static_cast<double>(k) * (kHalf + kGutter), 0), captions_at);
      }
    };
    pieces.push_back(std::move(piece));
    i += row->size();
  }
  return pieces;
}

}  // namespace weir::reports::qt::pdf
