#pragma once

#include <QPixmap>
#include <QWidget>
#include <functional>
#include <optional>

#include "reports/charts/figures.h"
#include "reports/charts/read_out.h"

namespace weir::desktop {

/// A chart on screen: laid out for the size it has, painted once per size, theme and view. The pointer reads values
/// out, the wheel zooms, dragging pans, a double click shows all again; the same by keyboard.
class ChartWidget : public QWidget {
  Q_OBJECT

 public:
  using Draw = std::function<reports::charts::Scene(const reports::charts::Layout&)>;

  explicit ChartWidget(QWidget* parent = nullptr);
  /// Empty: nothing is shown. `text` stands for the chart's data where its scene has no series to read (bars).
  void set_chart(Draw draw, const QString& text = {});
  void set_stale(bool stale);
  const reports::charts::Scene& scene() const { return scene_; }
  /// Its series as tab-separated columns, full precision, C locale.
  QString as_text() const;
  /// Writes an .svg (always of the light theme) or a .png. False when the file cannot be written.
  bool save_to(const QString& file) const;
  bool is_zoomed() const;
  void reset_view();
  /// Shows the read-out of a place, as the pointer does.
  void point_at(const QPointF& place);
  QString read_out_line() const;
  QSize minimumSizeHint() const override { return {180, 150}; }

 signals:
  void save_failed(const QString& file);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void lay_out();
  void zoom(double factor, const QPointF& at);
  void pan(double dx, double dy);
  void move_read_out(int direction);
  void ask_and_save(const QString& suffix);
  void show_table();
  const reports::charts::Plot* plot_at(const QPointF& place) const;

  Draw draw_;
  QString data_;
  reports::charts::Layout layout_;
  reports::charts::Scene scene_;
  QPixmap cache_;
  bool stale_ = false;
  std::optional<reports::charts::ReadOut> read_;
  std::optional<QPointF> drag_from_;
};

}  // namespace weir::desktop
