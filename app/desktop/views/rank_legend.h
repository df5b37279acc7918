#pragma once

#include <QWidget>
#include <vector>

#include "app/desktop/views/cell.h"

namespace weir::desktop {

/// What lines, shapes and numbers of the ranking and its charts mean, in as many lines as needed.
class RankLegend : public QWidget {
  Q_OBJECT

 public:
  struct Card {
    reports::charts::Shape shape;
    QString name;
  };

  explicit RankLegend(QWidget* parent = nullptr);
  void set_content(const std::vector<reports::charts::Role>& tenures, const std::vector<Card>& cards, bool has_hollow);
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int lay_out(int width, QPainter* painter) const;

  std::vector<reports::charts::Role> tenures_;
  std::vector<Card> cards_;
  bool has_hollow_ = false;
};

}  // namespace weir::desktop
