#pragma once

#include <QPainter>
#include <QString>
#include <QWidget>
#include <optional>

#include "data/evidence.h"
#include "reports/charts/figures.h"

namespace weir::desktop {

/// Side of the box an evidence mark is drawn in, and the gutter it takes before a number.
int mark_side();
int mark_gutter();

/// Filled: measured here; half: published or fitted; ring: datasheet or price list; triangle: assumption.
void paint_evidence(QPainter& painter, const QPointF& centre, data::Evidence evidence);
/// Shape = card, colour = tenure, hollow = not eligible.
void paint_marker(QPainter& painter, const QPointF& centre, double radius, reports::charts::Shape shape,
                  reports::charts::Role role, bool hollow);
QString evidence_words(data::Evidence evidence);

/// One mark as a widget, for forms and the inspector.
class EvidenceMark : public QWidget {
  Q_OBJECT

 public:
  explicit EvidenceMark(std::optional<data::Evidence> evidence, QWidget* parent = nullptr);
  void set_evidence(std::optional<data::Evidence> evidence);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<data::Evidence> evidence_;
};

}  // namespace weir::desktop
