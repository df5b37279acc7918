#include "app/desktop/views/chart_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QWheelEvent>

#include "app/desktop/views/chart_table.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "reports/charts/svg.h"
#include "reports/charts/view.h"
#include "reports/qt/paint_scene.h"

namespace weir::desktop {
namespace charts = reports::charts;

ChartWidget::ChartWidget(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    cache_ = {};
    update();
  });
}

void ChartWidget::set_chart(Draw draw, const QString& text) {
  draw_ = std::move(draw);
  data_ = text;
  layout_ = charts::reset_view(layout_);
  lay_out();
}

void ChartWidget::set_stale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  update();
}

void ChartWidget::lay_out() {
  cache_ = {};
  read_.reset();
  layout_.width = width();
  layout_.height = height();
  layout_.language = ui_language();
  scene_ = draw_ && width() > 60 && height() > 60 ? draw_(layout_) : charts::Scene{};
  setAccessibleName(QString::fromStdString(scene_.title));
  setAccessibleDescription(QString::fromStdString(scene_.summary));
  update();
}

bool ChartWidget::is_zoomed() const { return charts::has_view(layout_); }

void ChartWidget::reset_view() {
  layout_ = charts::reset_view(layout_);
  lay_out();
}

const charts::Plot* ChartWidget::plot_at(const QPointF& place) const {
  for (const charts::Plot& plot : scene_.plots) {
    const charts::Rect& a = plot.area;
    if (QRectF(a.x, a.y, a.width, a.height).contains(place)) return &plot;
  }
  return nullptr;
}

void ChartWidget::zoom(double factor, const QPointF& at) {
  const charts::Plot* plot = plot_at(at);
  if (plot == nullptr) return;
  layout_ = charts::zoom_about(layout_, *plot, {at.x(), at.y()}, factor);
  lay_out();
}

void ChartWidget::pan(double dx, double dy) {
  if (scene_.plots.empty()) return;
  layout_ = charts::pan(layout_, scene_.plots.front(), dx, dy);
  lay_out();
}

void ChartWidget::point_at(const QPointF& place) {
  read_ = charts::read_out(scene_, {place.x(), place.y()});
  update();
}

QString ChartWidget::read_out_line() const { return read_ ? QString::fromStdString(read_->line) : QString(); }

void ChartWidget::move_read_out(int direction) {
  if (scene_.plots.empty()) return;
  const charts::Rect& area = scene_.plots.front().area;
  const double step = qMax(2.0, area.width / 60);
  const double x = read_ ? read_->rule_x + direction * step : area.x + area.width / 2;
  const double y = read_ && !read_->values.empty() ? read_->values.front().at.y : area.y + area.height / 2;
  point_at({qBound(area.x, x, area.x + area.width), qBound(area.y, y, area.y + area.height)});
}

void ChartWidget::paintEvent(QPaintEvent*) {
  if (scene_.items.empty()) return;
  const double ratio = devicePixelRatioF();
  if (cache_.isNull() || cache_.devicePixelRatio() != ratio) {
    cache_ = QPixmap((QSizeF(size()) * ratio).toSize());
    cache_.setDevicePixelRatio(ratio);
    cache_.fill(Qt::transparent);
    QPainter painter(&cache_);
    reports::qt::paint_scene(painter, scene_, Theme::instance().chart_theme());
  }
  QPainter painter(this);
  if (stale_) painter.setOpacity(0.45);
  painter.drawPixmap(0, 0, cache_);
  painter.setOpacity(1);
  if (read_) reports::qt::paint_scene(painter, charts::read_out_marks(scene_, *read_), Theme::instance().chart_theme());
  if (hasFocus()) {
    painter.setPen(QPen(Theme::instance().tokens().accent, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void ChartWidget::resizeEvent(QResizeEvent*) { lay_out(); }

void ChartWidget::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
    cache_ = {};
    update();
  }
  QWidget::changeEvent(event);
}

void ChartWidget::mouseMoveEvent(QMouseEvent* event) {
  const QPointF place = event->position();
  if (drag_from_ && (event->buttons() & Qt::LeftButton)) {
    const QPointF moved = place - *drag_from_;
    drag_from_ = place;
    return pan(moved.x(), moved.y());
  }
  point_at(place);
}

void ChartWidget::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && is_zoomed() && plot_at(event->position()) != nullptr) {
    drag_from_ = event->position();
    setCursor(Qt::ClosedHandCursor);
  }
}

void ChartWidget::mouseReleaseEvent(QMouseEvent*) {
  drag_from_.reset();
  unsetCursor();
}

void ChartWidget::mouseDoubleClickEvent(QMouseEvent*) { reset_view(); }

void ChartWidget::leaveEvent(QEvent*) {
  read_.reset();
  update();
}

void ChartWidget::wheelEvent(QWheelEvent* event) {
  // Without Ctrl the page scrolls: a chart must not catch whoever scrolls past it. Once zoomed or focused it is meant.
  const bool meant = hasFocus() || is_zoomed() || (event->modifiers() & Qt::ControlModifier);
  if (!meant || plot_at(event->position()) == nullptr) return event->ignore();
  zoom(event->angleDelta().y() > 0 ? 1.25 : 0.8, event->position());
  event->accept();
}

void ChartWidget::keyPressEvent(QKeyEvent* event) {
  if (scene_.plots.empty()) return QWidget::keyPressEvent(event);
  const charts::Rect& area = scene_.plots.front().area;
  const QPointF middle(area.x + area.width / 2, area.y + area.height / 2);
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->matches(QKeySequence::Copy)) {
    QApplication::clipboard()->setText(as_text());
    return;
  }
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(1.25, middle);
    case Qt::Key_Minus:
      return zoom(0.8, middle);
    case Qt::Key_0:
      return reset_view();
    case Qt::Key_Left:
      return shift ? pan(area.width / 8, 0) : move_read_out(-1);
    case Qt::Key_Right:
      return shift ? pan(-area.width / 8, 0) : move_read_out(1);
    default:
      QWidget::keyPressEvent(event);
  }
}

QString ChartWidget::as_text() const { return data_.isEmpty() ? chart_text(scene_) : data_; }

bool ChartWidget::save_to(const QString& file) const {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return false;
  // Files are always of the light theme, as reports are: they end on white pages.
  const std::string bytes = file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)
                                ? charts::to_svg(scene_, "chart")
                                : reports::qt::scene_png(scene_, charts::Theme::light, 2);
  out.write(bytes.data(), static_cast<qint64>(bytes.size()));
  return out.commit();
}

void ChartWidget::ask_and_save(const QString& suffix) {
  QString file = QFileDialog::getSaveFileName(this, tr("Save chart"), QString(), QStringLiteral("*.") + suffix);
  if (file.isEmpty()) return;
  if (!file.endsWith(QLatin1Char('.') + suffix, Qt::CaseInsensitive)) file += QLatin1Char('.') + suffix;
  if (!save_to(file)) emit save_failed(file);
}

void ChartWidget::show_table() { show_chart_table(this, scene_, data_); }

void ChartWidget::contextMenuEvent(QContextMenuEvent* event) {
  if (scene_.items.empty()) return;
  QMenu menu(this);
  menu.addAction(tr("&Copy data"), this, [this] { QApplication::clipboard()->setText(as_text()); });
  menu.addAction(tr("Save as &PNG…"), this, [this] { ask_and_save(QStringLiteral("png")); });
  menu.addAction(tr("Save as &SVG…"), this, [this] { ask_and_save(QStringLiteral("svg")); });
  menu.addAction(tr("Show as &table"), this, [this] { show_table(); });
  menu.addSeparator();
  menu.addAction(tr("Show &all"), this, &ChartWidget::reset_view)->setEnabled(is_zoomed());
  menu.exec(event->globalPos());
}

}  // namespace weir::desktop
