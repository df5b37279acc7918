#pragma once

#include <memory>
#include <vector>

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "reports/charts/scene.h"
#include "reports/document.h"

class QPainter;
class QTextLayout;

/// Paper measured in points, and text set on it.
namespace weir::reports::qt::pdf {

inline constexpr double kPageWidth = 595.276, kPageHeight = 841.89;  // A4
inline constexpr double kMargin = 48.189;                            // 17 mm
inline constexpr double kTextWidth = kPageWidth - 2 * kMargin;

/// Units of the painter in a point: font sizes are whole numbers of them.
inline constexpr int kUnitsPerPoint = 20;

/// The four sizes of the report, in pt.
inline constexpr double kSmall = 7.5, kBody = 9, kLarge = 12, kHuge = 19;

/// Charts are laid out in px; their words, 11 px high, stand on paper as large as captions.
inline constexpr double kPointsPerPx = kSmall / 11;

struct TextStyle {
  double size = kBody;
  charts::Role role = charts::Role::text;
  bool bold = false;
};

/// Distance of two lines of text.
double line_height(double size);

/// Text broken into lines of at most `width`; measured once, drawn once.
class TextBlock {
 public:
  TextBlock(const QString& text, const TextStyle& style, double width);
  /// `tail` follows the text in another colour, never bold.
  TextBlock(const QString& text, const TextStyle& style, const QString& tail, charts::Role tail_role, double width);
  ~TextBlock();
  TextBlock(TextBlock&&) noexcept;
  TextBlock& operator=(TextBlock&&) noexcept;

  int lines() const;
  double height() const { return lines() * line_height(style_.size); }
  double width() const;  ///< of the widest line
  void draw_line(QPainter& painter, int line, QPointF top_left) const;
  void draw(QPainter& painter, QPointF top_left, Qt::Alignment side = Qt::AlignLeft, double width = 0) const;

 private:
  std::unique_ptr<QTextLayout> layout_;
  TextStyle style_;
};

/// Width of one line.
double text_width(const QString& text, const TextStyle& style);
/// Width of the widest part that cannot be broken.
double unbreakable_width(const QString& text, const TextStyle& style);
/// One line; its end becomes an ellipsis when it is wider than `width`.
QString elided(const QString& text, const TextStyle& style, double width);
void draw_text(QPainter& painter, QPointF top_left, const QString& text, const TextStyle& style);

QColor ink(charts::Role role);
void draw_rule(QPainter& painter, double x, double y, double width, charts::Role role, double thickness);
void fill_rect(QPainter& painter, const QRectF& rect, charts::Role role, double opacity = 1);

/// The sign of how a number is known, in a square of `size` pt.
void draw_evidence(QPainter& painter, QPointF top_left, double size, data::Evidence evidence);
void draw_option_marker(QPainter& painter, QPointF centre, double radius, const document::Marker& marker);
/// P10 to P90 as a bar, the value as a tick.
void draw_strip(QPainter& painter, const QRectF& box, const document::Strip& strip, double low, double high);
/// The sign before words that tell of a problem.
void draw_cross(QPainter& painter, QPointF top_left, double size);
void draw_scene(QPainter& painter, const charts::Scene& scene, QPointF top_left, double points_per_px);

QString words(const std::string& utf8);

}  // namespace weir::reports::qt::pdf
