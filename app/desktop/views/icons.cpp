#include "app/desktop/views/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

QPainterPath polyline(std::initializer_list<QPointF> points, bool closed = false) {
  QPainterPath path;
  bool first = true;
  for (const QPointF& point : points) {
    if (first) path.moveTo(point);
    if (!first) path.lineTo(point);
    first = false;
  }
  if (closed) path.closeSubpath();
  return path;
}

QPainterPath turning_arrow(bool back) {
  QPainterPath path = polyline({{5.5, 2.5}, {2.5, 5.5}, {5.5, 8.5}});
  path.moveTo(2.5, 5.5);
  path.lineTo(9.5, 5.5);
  path.arcTo(QRectF(5.5, 5.5, 8, 8), 90, -180);
  path.lineTo(6.5, 13.5);
  return back ? path : QTransform(-1, 0, 0, 1, 16, 0).map(path);
}

QPainterPath open_path() {
  QPainterPath path = polyline({{2.5, 12.5}, {2.5, 3.5}, {6.2, 3.5}, {7.8, 5.5}, {12.5, 5.5}, {12.5, 7.5}});
  path.addPath(polyline({{2.5, 12.5}, {4.8, 7.5}, {14.5, 7.5}, {12.2, 12.5}}, true));
  return path;
}

QPainterPath save_path() {
  QPainterPath path = polyline({{2.5, 2.5}, {11, 2.5}, {13.5, 5}, {13.5, 13.5}, {2.5, 13.5}}, true);
  path.addPath(polyline({{5, 2.5}, {5, 6}, {10, 6}, {10, 2.5}}));
  path.addPath(polyline({{4.8, 13.5}, {4.8, 9}, {11.2, 9}, {11.2, 13.5}}));
  return path;
}

QPainterPath export_path() {
  QPainterPath path = polyline({{2.5, 8.5}, {2.5, 13.5}, {13.5, 13.5}, {13.5, 8.5}});
  path.addPath(polyline({{8, 10.5}, {8, 2.5}}));
  path.addPath(polyline({{5, 5.5}, {8, 2.5}, {11, 5.5}}));
  return path;
}

QPainterPath copy_path() {
  QPainterPath path;
  path.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 1, 1);
  path.addPath(polyline({{10.5, 5.5}, {10.5, 2.5}, {2.5, 2.5}, {2.5, 10.5}, {5.5, 10.5}}));
  return path;
}

/// Water over a wall: the program's own sign.
QPainterPath weir_path() {
  QPainterPath path = polyline({{2, 6}, {7, 6}});
  path.cubicTo(10.5, 6, 9, 12, 14, 12);
  path.addPath(polyline({{5, 8.5}, {5, 13.5}, {9, 13.5}}));
  path.addPath(polyline({{2, 3.5}, {9, 3.5}}));
  return path;
}

QPainterPath path_of(Symbol symbol) {
  switch (symbol) {
    case Symbol::new_file: {
      QPainterPath path = polyline({{3.5, 2.5}, {9.5, 2.5}, {12.5, 5.5}, {12.5, 13.5}, {3.5, 13.5}}, true);
      path.addPath(polyline({{9.5, 2.5}, {9.5, 5.5}, {12.5, 5.5}}));
      return path;
    }
    case Symbol::open:
      return open_path();
    case Symbol::save:
      return save_path();
    case Symbol::undo:
      return turning_arrow(true);
    case Symbol::redo:
      return turning_arrow(false);
    case Symbol::run:
      return polyline({{4.5, 2.5}, {13, 8}, {4.5, 13.5}}, true);
    case Symbol::stop: {
      QPainterPath path;
      path.addRoundedRect(QRectF(3.5, 3.5, 9, 9), 1, 1);
      return path;
    }
    case Symbol::export_file:
      return export_path();
    case Symbol::copy:
      return copy_path();
    case Symbol::panel: {
      QPainterPath path;
      path.addRect(QRectF(2.5, 3.5, 11, 9));
      path.addPath(polyline({{9.5, 3.5}, {9.5, 12.5}}));
      return path;
    }
    case Symbol::weir:
      return weir_path();
  }
  return {};
}

class LineIcon : public QIconEngine {
 public:
  explicit LineIcon(Symbol symbol) : symbol_(symbol), path_(path_of(symbol)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const Tokens& tokens = Theme::instance().tokens();
    QColor colour = mode == QIcon::Disabled ? tokens.control : tokens.text_quiet;
    if (symbol_ == Symbol::weir) colour = tokens.accent;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.topLeft());
    painter->scale(rect.width() / 16.0, rect.height() / 16.0);
    QPen pen(colour, symbol_ == Symbol::weir ? 1.8 : 1.2);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter->setPen(pen);
    painter->drawPath(path_);
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new LineIcon(symbol_); }

 private:
  Symbol symbol_;
  QPainterPath path_;
};

}  // namespace

QIcon icon(Symbol symbol) { return QIcon(new LineIcon(symbol)); }

}  // namespace weir::desktop
