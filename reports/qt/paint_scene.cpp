#include "reports/qt/paint_scene.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QImageWriter>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>

#include "data/errors.h"

namespace weir::reports::qt {
namespace {

using charts::Dash;
using charts::Role;
using charts::Theme;

/// Above this many points a line is painted one device pixel wide: wider pens take Qt's slow path.
constexpr std::size_t kManyPoints = 10'000;

QPointF point(const charts::Point& p) { return {p.x, p.y}; }

QPolygonF polygon(const std::vector<charts::Point>& points) {
  QPolygonF out;
  out.reserve(static_cast<qsizetype>(points.size()));
  for (const charts::Point& p : points) out.append(point(p));
  return out;
}

QList<qreal> pattern(Dash dash) {
  switch (dash) {
    case Dash::dashed:
      return {7, 3};
    case Dash::dash_dot:
      return {8, 3, 2, 3};
    case Dash::dotted:
      return {1.5, 2.5};
    case Dash::solid:
      break;
  }
  return {};
}

bool has_han(const QString& text) {
  return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x2E80; });
}

class ScenePainter {
 public:
  ScenePainter(QPainter& painter, Theme theme) : painter_(painter), theme_(theme) {
    const QPaintEngine::Type type = painter.paintEngine()->type();
    const bool paper = type == QPaintEngine::Pdf || type == QPaintEngine::Picture || type == QPaintEngine::SVG;
    medium_ = paper ? Medium::paper : Medium::screen;
    const QTransform transform = painter.deviceTransform();
    // Straight lines and bars keep to whole device pixels where there are such pixels.
    if (!paper && transform.type() <= QTransform::TxScale) {
      device_ = transform;
      inverse_ = transform.inverted();
      snaps_ = true;
    }
    painter_.setRenderHint(QPainter::Antialiasing);
  }

  void operator()(const charts::Line& line) {
    const bool level = line.from.y == line.to.y;
    const bool upright = line.from.x == line.to.x;
    if (snaps_ && (level || upright)) return straight(line, level);
    painter_.setPen(pen(line.stroke));
    painter_.drawLine(point(line.from), point(line.to));
  }
  void operator()(const charts::Polyline& line) {
    if (line.points.size() < 2) return;
    QPen p = pen(line.stroke);
    if (line.points.size() > kManyPoints || line.stroke.width <= 1) {
      p.setCosmetic(true);
      p.setWidthF(1);
    }
    painter_.setPen(p);
    painter_.drawPolyline(polygon(line.points));
  }
  void operator()(const charts::Polygon& shape) {
    if (shape.points.size() < 3) return;
    painter_.setPen(pen(shape.stroke));
    painter_.setBrush(brush(shape.fill));
    painter_.drawPolygon(polygon(shape.points));
  }
  void operator()(const charts::Rect& rect) {
    QRectF box(rect.x, rect.y, rect.width, rect.height);
    if (snaps_ && rect.radius == 0) box = snapped(box);
    if (rect.stroke.role != Role::none) {
      // The outline lies inside, so that a hollow bar is as long as a solid one.
      const double half = rect.stroke.width / 2;
      if (box.width() > 2 * half && box.height() > 2 * half) box.adjust(half, half, -half, -half);
    }
    painter_.setPen(pen(rect.stroke));
    painter_.setBrush(brush(rect.fill));
    if (rect.radius > 0) {
      painter_.drawRoundedRect(box, rect.radius, rect.radius);
    } else {
      painter_.drawRect(box);
    }
  }
  void operator()(const charts::Circle& circle) {
    painter_.setPen(pen(circle.stroke));
    painter_.setBrush(brush(circle.fill));
    painter_.drawEllipse(point(circle.centre), circle.radius, circle.radius);
  }
  void operator()(const charts::Text& text) {
    const QString words = QString::fromStdString(text.text);
    const QFont font = text_font(text.size, text.bold && !(medium_ == Medium::paper && has_han(words)), medium_);
    QPointF at = point(text.at);
    if (text.anchor != charts::Anchor::start) {
      const double width = QFontMetricsF(font, painter_.device()).horizontalAdvance(words);
      at.rx() -= text.anchor == charts::Anchor::end ? width : width / 2;
    }
    if (text.halo) {
      QPainterPath outline;
      outline.addText(at, font, words);
      painter_.strokePath(outline, QPen(color(Role::canvas), 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    painter_.setFont(font);
    painter_.setPen(color(text.role));
    painter_.drawText(at, words);
  }

 private:
  QColor color(Role role) const { return color(charts::colour(role, theme_), 1); }
  static QColor color(charts::Colour c, double opacity) {
    QColor out(c.red, c.green, c.blue);
    out.setAlphaF(static_cast<float>(opacity));
    return out;
  }

  QBrush brush(const charts::Fill& fill) const {
    if (fill.role == Role::none && fill.shade < 0) return {Qt::NoBrush};
    return {color(charts::fill_colour(fill, theme_), fill.opacity)};
  }

  QPen pen(const charts::Stroke& stroke) const {
    if (stroke.role == Role::none) return {Qt::NoPen};
    QPen p(color(stroke.role), stroke.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    QList<qreal> dashes = pattern(stroke.dash);
    if (!dashes.isEmpty()) {
      for (qreal& length : dashes) length /= stroke.width;  // Qt counts in pen widths
      p.setDashPattern(dashes);
    }
    return p;
  }

  /// The box with its edges on device pixels, never thinner than one.
  QRectF snapped(const QRectF& box) const {
    const QRectF device = device_.mapRect(box);
    const double left = std::round(device.left());
    const double top = std::round(device.top());
    const double right = device.width() > 0 ? std::max(left + 1, std::round(device.right())) : left;
    const double bottom = device.height() > 0 ? std::max(top + 1, std::round(device.bottom())) : top;
    return inverse_.mapRect(QRectF(left, top, right - left, bottom - top));
  }

  /// The same for a line: as thick at every place, whatever pixels its edges would fall on.
  QRectF thin(const QRectF& box, bool level) const {
    const QRectF device = device_.mapRect(box);
    const double thickness = std::max(1.0, std::round(level ? device.height() : device.width()));
    const QRectF on_pixels = level ? QRectF(std::round(device.left()), std::round(device.center().y() - thickness / 2),
                                            std::round(device.right()) - std::round(device.left()), thickness)
                                   : QRectF(std::round(device.center().x() - thickness / 2), std::round(device.top()),
                                            thickness, std::round(device.bottom()) - std::round(device.top()));
    return inverse_.mapRect(on_pixels);
  }

  void straight(const charts::Line& line, bool level) {
    const double half = line.stroke.width / 2;
    const QRectF thick = QRectF(point(line.from), point(line.to)).normalized();
    const QRectF box = thin(level ? thick.adjusted(0, -half, 0, half) : thick.adjusted(-half, 0, half, 0), level);
    if (line.stroke.dash == Dash::solid) return painter_.fillRect(box, color(line.stroke.role));
    charts::Stroke stroke = line.stroke;
    stroke.width = level ? box.height() : box.width();
    painter_.setPen(pen(stroke));
    if (level) {
      painter_.drawLine(QPointF(line.from.x, box.center().y()), QPointF(line.to.x, box.center().y()));
    } else {
      painter_.drawLine(QPointF(box.center().x(), line.from.y), QPointF(box.center().x(), line.to.y));
    }
  }

  QPainter& painter_;
  Theme theme_;
  Medium medium_ = Medium::screen;
  bool snaps_ = false;
  QTransform device_, inverse_;
};

std::string png_of(const charts::Scene& scene, Theme theme, double pixels_per_px) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QImageWriter writer(&buffer, "png");
  if (!writer.write(scene_image(scene, theme, pixels_per_px))) {
    throw data::SystemError("PNG: " + writer.errorString().toStdString());
  }
  return bytes.toStdString();
}

}  // namespace

void paint_scene(QPainter& painter, const charts::Scene& scene, Theme theme) {
  painter.save();
  ScenePainter paint(painter, theme);
  for (const charts::Primitive& item : scene.items) std::visit(paint, item);
  painter.restore();
}

QImage scene_image(const charts::Scene& scene, Theme theme, double pixels_per_px) {
  const QSize size(static_cast<int>(std::ceil(scene.width * pixels_per_px)),
                   static_cast<int>(std::ceil(scene.height * pixels_per_px)));
  QImage image(size, QImage::Format_RGB32);
  if (image.isNull()) throw data::SystemError("no memory for a picture of this size");
  const charts::Colour canvas = charts::colour(Role::canvas, theme);
  image.fill(QColor(canvas.red, canvas.green, canvas.blue));
  image.setDevicePixelRatio(pixels_per_px);
  // A fixed resolution, so that a viewer shows the chart in its size of 96 px an inch, whatever the screen here.
  const int dots_per_meter = static_cast<int>(std::lround(96 / 0.0254 * pixels_per_px));
  image.setDotsPerMeterX(dots_per_meter);
  image.setDotsPerMeterY(dots_per_meter);
  QPainter painter(&image);
  paint_scene(painter, scene, theme);
  return image;
}

std::string scene_png(const charts::Scene& scene, Theme theme, double pixels_per_px) {
  // In a thread of its own, whose glyph cache is empty: where a glyph lies in Qt's cache decides how its edges are
  // rounded, by one step of 255, so what was painted before would show in the bytes.
  return std::async(std::launch::async, png_of, std::cref(scene), theme, pixels_per_px).get();
}

}  // namespace weir::reports::qt
