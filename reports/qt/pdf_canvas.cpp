#include "reports/qt/pdf_canvas.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QTextBoundaryFinder>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

#include "reports/qt/paint_scene.h"

namespace weir::reports::qt::pdf {
namespace {

using charts::Role;

bool has_han(const QString& text) {
  return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x2E80; });
}

QFont font_of(const TextStyle& style, const QString& text) {
  return text_font(style.size * kUnitsPerPoint, style.bold && !has_han(text), Medium::paper);
}

double in_units(double points) { return points * kUnitsPerPoint; }
QPointF in_units(QPointF points) { return points * kUnitsPerPoint; }
QRectF in_units(const QRectF& r) {
  return {in_units(r.x()), in_units(r.y()), in_units(r.width()), in_units(r.height())};
}

/// Where the letters stand in a line: Latin and Chinese fonts differ in ascent, so the baseline is fixed by the size.
double baseline(double size) { return (line_height(size) + size * 0.72) / 2; }

/// Unicode lets a line end behind the dash of "P10-P90"; a reader wants the range in one piece.
void keep_range_whole(QTextLine& line, const QString& text) {
  const int end = line.textStart() + line.textLength();
  if (end >= text.size() || end < 2) return;
  const bool range = text[end - 1] == QChar(0x2013) && text[end].isLetterOrNumber() && text[end - 2].isLetterOrNumber();
  if (!range) return;
  QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
  finder.setPosition(end - 1);
  const auto before = static_cast<int>(finder.toPreviousBoundary());
  if (before > line.textStart()) line.setNumColumns(before - line.textStart());
}

}  // namespace

QString words(const std::string& utf8) { return QString::fromStdString(utf8); }

double line_height(double size) { return size >= kHuge ? size * 1.3 : size >= kLarge ? size * 1.42 : size * 1.36; }

TextBlock::TextBlock(const QString& text, const TextStyle& style, double width)
    : TextBlock(text, style, QString(), style.role, width) {}

TextBlock::TextBlock(const QString& text, const TextStyle& style, const QString& tail, Role tail_role, double width)
    : layout_(std::make_unique<QTextLayout>()), style_(style) {
  QString all = text;
  all.replace(QLatin1Char('\n'), QChar::LineSeparator);
  QList<QTextLayout::FormatRange> ranges;
  if (!tail.isEmpty()) {
    // A name and what it is part between themselves before they part inside.
    const double whole = text_width(QString(all % QLatin1Char(' ') % tail), style);
    const bool apart = whole > width && text_width(text, style) <= width && text_width(tail, style) <= width;
    if (!all.isEmpty()) all += apart ? QChar(QChar::LineSeparator) : QChar(QLatin1Char(' '));
    QTextCharFormat format;
    format.setForeground(ink(tail_role));
    format.setFontWeight(QFont::Normal);
    ranges.append({static_cast<int>(all.size()), static_cast<int>(tail.size()), format});
    all += tail;
  }
  layout_->setText(all);
  layout_->setFont(font_of(style, text));
  layout_->setFormats(ranges);
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout_->setTextOption(option);
  layout_->setCacheEnabled(true);
  layout_->beginLayout();
  for (QTextLine line = layout_->createLine(); line.isValid(); line = layout_->createLine()) {
    line.setLineWidth(in_units(std::max(1.0, width)));
    keep_range_whole(line, all);
    line.setPosition({0, 0});
  }
  layout_->endLayout();
}

TextBlock::~TextBlock() = default;
TextBlock::TextBlock(TextBlock&&) noexcept = default;
TextBlock& TextBlock::operator=(TextBlock&&) noexcept = default;

int TextBlock::lines() const { return layout_->lineCount(); }

double TextBlock::width() const {
  double widest = 0;
  for (int i = 0; i < lines(); ++i) widest = std::max(widest, layout_->lineAt(i).naturalTextWidth());
  return widest / kUnitsPerPoint;
}

void TextBlock::draw_line(QPainter& painter, int line, QPointF top_left) const {
  const QTextLine at = layout_->lineAt(line);
  painter.setPen(ink(style_.role));
  const QPointF top = in_units(top_left + QPointF(0, baseline(style_.size)));
  at.draw(&painter, {top.x(), top.y() - at.ascent()});
}

void TextBlock::draw(QPainter& painter, QPointF top_left, Qt::Alignment side, double width) const {
  for (int i = 0; i < lines(); ++i) {
    const double own = layout_->lineAt(i).naturalTextWidth() / kUnitsPerPoint;
    const double shift = side == Qt::AlignRight ? width - own : 0;
    draw_line(painter, i, top_left + QPointF(shift, i * line_height(style_.size)));
  }
}

double text_width(const QString& text, const TextStyle& style) {
  const QFontMetricsF metrics(font_of(style, text));
  double widest = 0;
  for (const QString& line : text.split(QLatin1Char('\n'))) {
    widest = std::max(widest, metrics.horizontalAdvance(line));
  }
  return widest / kUnitsPerPoint;
}

double unbreakable_width(const QString& text, const TextStyle& style) {
  QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
  double widest = 0;
  qsizetype from = 0;
  for (qsizetype to = finder.toNextBoundary(); to >= 0; to = finder.toNextBoundary()) {
    widest = std::max(widest, text_width(text.mid(from, to - from).trimmed(), style));
    from = to;
  }
  return widest;
}

QString elided(const QString& text, const TextStyle& style, double width) {
  return QFontMetricsF(font_of(style, text)).elidedText(text, Qt::ElideRight, in_units(width));
}

void draw_text(QPainter& painter, QPointF top_left, const QString& text, const TextStyle& style) {
  painter.setFont(font_of(style, text));
  painter.setPen(ink(style.role));
  painter.drawText(in_units(top_left + QPointF(0, baseline(style.size))), text);
}

QColor ink(Role role) {
  const charts::Colour c = charts::colour(role, charts::Theme::light);
  return {c.red, c.green, c.blue};
}

void draw_rule(QPainter& painter, double x, double y, double width, Role role, double thickness) {
  fill_rect(painter, {x, y - thickness / 2, width, thickness}, role);
}

void fill_rect(QPainter& painter, const QRectF& rect, Role role, double opacity) {
  QColor colour = ink(role);
  colour.setAlphaF(static_cast<float>(opacity));
  painter.fillRect(in_units(rect), colour);
}

void draw_evidence(QPainter& painter, QPointF top_left, double size, data::Evidence evidence) {
  using data::Evidence;
  const bool assumed = evidence == Evidence::assumption;
  const QColor colour = ink(assumed ? Role::problem : Role::text_secondary);
  painter.save();
  painter.translate(in_units(top_left));
  painter.scale(in_units(size) / 10, in_units(size) / 10);
  painter.setPen(QPen(colour, 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  painter.setBrush(evidence == Evidence::measured_here ? QBrush(colour) : QBrush(Qt::NoBrush));
  if (assumed) {
    painter.drawPolygon(QPolygonF({{5, 1.2}, {9, 8.6}, {1, 8.6}}));
  } else {
    painter.drawEllipse(QPointF(5, 5), 3.5, 3.5);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  constexpr int kQuarter = 90 * 16;
  if (evidence == Evidence::measured_elsewhere) painter.drawPie(QRectF(1.5, 1.5, 7, 7), kQuarter, 2 * kQuarter);
  if (evidence == Evidence::fitted) painter.drawPie(QRectF(1.5, 1.5, 7, 7), 2 * kQuarter, 2 * kQuarter);
  painter.restore();
}

void draw_option_marker(QPainter& painter, QPointF centre, double radius, const document::Marker& marker) {
  constexpr double kSide = 20;
  charts::Scene scene;
  scene.width = scene.height = kSide;
  charts::draw_marker(scene, {kSide / 2, kSide / 2}, 6, marker.shape, marker.role, marker.hollow);
  const double scale = radius / 6;
  draw_scene(painter, scene, centre - QPointF(kSide / 2, kSide / 2) * scale, scale);
}

void draw_strip(QPainter& painter, const QRectF& box, const document::Strip& strip, double low, double high) {
  if (!(high > low)) return;
  const auto x = [&](double value) {
    return box.x() + std::clamp((value - low) / (high - low), 0.0, 1.0) * box.width();
  };
  const double middle = box.center().y();
  constexpr double kBar = 3.6, kTick = 8, kTickWidth = 1.3, kNarrowest = 1;
  for (const double end : {box.left(), box.right()}) {
    fill_rect(painter, {end - 0.25, box.y(), 0.5, box.height()}, Role::grid);
  }
  const double from = x(strip.p10), to = std::max(x(strip.p90), from + kNarrowest);
  fill_rect(painter, {from, middle - kBar / 2, to - from, kBar}, strip.role);
  fill_rect(painter, {x(strip.value) - kTickWidth / 2, middle - kTick / 2, kTickWidth, kTick}, Role::text);
}

void draw_cross(QPainter& painter, QPointF top_left, double size) {
  painter.save();
  painter.translate(in_units(top_left));
  painter.scale(in_units(size) / 10, in_units(size) / 10);
  painter.setPen(QPen(ink(Role::problem), 1.8, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(1.5, 1.5), QPointF(8.5, 8.5));
  painter.drawLine(QPointF(1.5, 8.5), QPointF(8.5, 1.5));
  painter.restore();
}

void draw_scene(QPainter& painter, const charts::Scene& scene, QPointF top_left, double points_per_px) {
  painter.save();
  painter.translate(in_units(top_left));
  painter.scale(in_units(points_per_px), in_units(points_per_px));
  paint_scene(painter, scene, charts::Theme::light);
  painter.restore();
}

}  // namespace weir::reports::qt::pdf
