#pragma once

#include <QWidget>
#include <vector>

class QHBoxLayout;

namespace weir::desktop {

struct KeyFigureText {
  QString name, value, note;
  int topic = -1;  ///< what the figure is about, for whoever explains it
};

/// A row of answers: name, figure, note, with rules between. Figures that do not fit go to the next row.
class KeyFigures : public QWidget {
  Q_OBJECT

 public:
  explicit KeyFigures(QWidget* parent = nullptr);
  void set_figures(const std::vector<KeyFigureText>& figures);
  void set_stale(bool stale);
  const std::vector<KeyFigureText>& figures() const { return figures_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 signals:
  void figure_entered(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  std::vector<QRect> places(int width) const;
  int width_of(const KeyFigureText& figure) const;

  std::vector<KeyFigureText> figures_;
  bool stale_ = false;
  int entered_ = -1;
};

}  // namespace weir::desktop
