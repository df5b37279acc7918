#include "app/desktop/views/rank_legend.h"

#include <QPainter>
#include <functional>

#include "app/desktop/views/marks.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

using reports::charts::Role;

QString name_of(Role role) {
  if (role == Role::rented) return QObject::tr("rented");
  return role == Role::hybrid ? QObject::tr("hybrid") : QObject::tr("owned");
}

QVector<qreal> dashes_of(Role role) {
  if (role == Role::rented) return {4, 2};
  return role == Role::hybrid ? QVector<qreal>{5, 2, 1, 2} : QVector<qreal>{};
}

}  // namespace

RankLegend::RankLegend(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("Legend"));
}

void RankLegend::set_content(const std::vector<Role>& tenures, const std::vector<Card>& cards, bool has_hollow) {
  tenures_ = tenures;
  cards_ = cards;
  has_hollow_ = has_hollow;
  updateGeometry();
  update();
}

QSize RankLegend::sizeHint() const { return {px(500), heightForWidth(px(900))}; }
int RankLegend::heightForWidth(int width) const { return lay_out(width, nullptr); }

void RankLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  lay_out(width(), &painter);
}

int RankLegend::lay_out(int width, QPainter* painter) const {
  const Theme& theme = Theme::instance();
  const QFontMetrics metrics(caption_font());
  const int line = px(18), gap = px(16);
  int x = 0, y = 0;
  const auto item = [&](int sign_width, const QString& text, const std::function<void(QPointF)>& sign) {
    const int wide = sign_width + metrics.horizontalAdvance(text);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += line;
    }
    if (painter != nullptr) {
      if (sign) sign(QPointF(x, y + line / 2.0));
      painter->setFont(caption_font());
      painter->setPen(theme.tokens().text_quiet);
      painter->drawText(x + sign_width, y, wide, line, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    x += wide + gap;
  };
  for (const Role role : tenures_) {
    item(px(30), name_of(role), [&, role](QPointF at) {
      QPen pen(theme.colour(role), 2);
      pen.setCapStyle(Qt::FlatCap);
      if (!dashes_of(role).isEmpty()) pen.setDashPattern(dashes_of(role));
      painter->setPen(pen);
      painter->drawLine(at, at + QPointF(px(24), 0));
    });
  }
  if (!cards_.empty()) item(0, tr("shape = card:"), {});
  for (const Card& card : cards_) {
    item(px(16), card.name, [&, shape = card.shape](QPointF at) {
      paint_marker(*painter, at + QPointF(px(6), 0), px(4), shape, Role::text_secondary, false);
    });
  }
  if (has_hollow_) item(0, tr("hollow = not eligible"), {});
  item(0, tr("numbers in charts = rows"), {});
  return y + line;
}

}  // namespace weir::desktop
