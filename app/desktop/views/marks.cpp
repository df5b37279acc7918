#include "app/desktop/views/marks.h"

#include "app/desktop/views/theme.h"
#include "reports/qt/paint_scene.h"

namespace weir::desktop {

using data::Evidence;
using reports::charts::Role;

int mark_side() { return px(9); }
int mark_gutter() { return px(14); }

void paint_evidence(QPainter& painter, const QPointF& centre, Evidence evidence) {
  const Tokens& tokens = Theme::instance().tokens();
  const double r = mark_side() / 2.0 - 0.75;
  const QRectF circle(centre.x() - r, centre.y() - r, 2 * r, 2 * r);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens.text_quiet, 1.2));
  painter.setBrush(Qt::NoBrush);
  switch (evidence) {
    case Evidence::measured_here:
      painter.setBrush(tokens.text_quiet);
      painter.drawEllipse(circle);
      break;
    case Evidence::measured_elsewhere:
    case Evidence::fitted:
      painter.drawEllipse(circle);
      painter.setPen(Qt::NoPen);
      painter.setBrush(tokens.text_quiet);
      painter.drawPie(circle, evidence == Evidence::fitted ? 180 * 16 : 90 * 16, 180 * 16);
      break;
    case Evidence::datasheet:
      painter.drawEllipse(circle);
      break;
    case Evidence::assumption:
      painter.setPen(QPen(tokens.problem, 1.3));
      painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - r},
                                     {centre.x() + r, centre.y() + r * 0.85},
                                     {centre.x() - r, centre.y() + r * 0.85}}));
      break;
  }
  painter.restore();
}

void paint_marker(QPainter& painter, const QPointF& centre, double radius, reports::charts::Shape shape, Role role,
                  bool hollow) {
  reports::charts::Scene scene;
  reports::charts::draw_marker(scene, {radius * 2, radius * 2}, radius, shape, role, hollow);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(centre - QPointF(radius * 2, radius * 2));
  reports::qt::paint_scene(painter, scene, Theme::instance().chart_theme());
  painter.restore();
}

QString evidence_words(Evidence evidence) {
  switch (evidence) {
    case Evidence::measured_here:
      return QObject::tr("measured here");
    case Evidence::measured_elsewhere:
      return QObject::tr("published measurement");
    case Evidence::fitted:
      return QObject::tr("fitted to published measurements");
    case Evidence::datasheet:
      return QObject::tr("datasheet or price list");
    case Evidence::assumption:
      return QObject::tr("assumption");
  }
  return {};
}

EvidenceMark::EvidenceMark(std::optional<Evidence> evidence, QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  set_evidence(evidence);
}

void EvidenceMark::set_evidence(std::optional<Evidence> evidence) {
  evidence_ = evidence;
  const QString words = evidence ? evidence_words(*evidence) : QString();
  setToolTip(words);
  setAccessibleName(words);
  update();
}

QSize EvidenceMark::sizeHint() const { return {mark_side() + 2, px(18)}; }

void EvidenceMark::paintEvent(QPaintEvent*) {
  if (!evidence_) return;
  QPainter painter(this);
  paint_evidence(painter, QRectF(rect()).center(), *evidence_);
}

}  // namespace weir::desktop
