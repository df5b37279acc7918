#include "app/desktop/views/key_figures.h"

#include <QMouseEvent>
#include <QPainter>

#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

int row_height() { return QFontMetrics(caption_font()).height() * 2 + QFontMetrics(title_font()).height() + px(6); }

}  // namespace

KeyFigures::KeyFigures(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void KeyFigures::set_figures(const std::vector<KeyFigureText>& figures) {
  figures_ = figures;
  QStringList spoken;
  for (const KeyFigureText& figure : figures_) {
    spoken << QString(figure.name + QStringLiteral(": ") + figure.value + QStringLiteral(". ") + figure.note);
  }
  setAccessibleName(tr("Key figures"));
  setAccessibleDescription(spoken.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void KeyFigures::set_stale(bool stale) {
  stale_ = stale;
  update();
}

int KeyFigures::width_of(const KeyFigureText& figure) const {
  const QFontMetrics caption(caption_font()), title(title_font());
  return qMax(title.horizontalAdvance(figure.value),
              qMax(caption.horizontalAdvance(figure.name), caption.horizontalAdvance(figure.note))) +
         2;
}

std::vector<QRect> KeyFigures::places(int width) const {
  std::vector<QRect> places;
  int x = 0, y = 0;
  for (const KeyFigureText& figure : figures_) {
    const int wide = width_of(figure);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += row_height() + px(8);
    }
    places.emplace_back(x, y, wide, row_height());
    x += wide + px(40);
  }
  return places;
}

int KeyFigures::heightForWidth(int width) const {
  const auto all = places(width);
  return all.empty() ? 0 : all.back().bottom() + 1;
}

QSize KeyFigures::sizeHint() const { return {px(700), row_height()}; }
QSize KeyFigures::minimumSizeHint() const { return {px(200), row_height()}; }

void KeyFigures::paintEvent(QPaintEvent*) {
  const Tokens& tokens = Theme::instance().tokens();
  QPainter painter(this);
  const auto all = places(width());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QRect& place = all[i];
    const KeyFigureText& figure = figures_[i];
    painter.setOpacity(1);
    if (place.left() > 0) painter.fillRect(QRect(place.left() - px(20), place.top(), 1, place.height()), tokens.line);
    if (stale_) painter.setOpacity(0.5);
    const int caption = QFontMetrics(caption_font()).height(), title = QFontMetrics(title_font()).height();
    painter.setFont(caption_font());
    painter.setPen(tokens.text_quiet);
    painter.drawText(place.left(), place.top(), place.width() + px(8), caption, Qt::AlignLeft | Qt::AlignVCenter,
                     figure.name);
    painter.drawText(place.left(), place.top() + caption + title + px(4), place.width() + px(8), caption,
                     Qt::AlignLeft | Qt::AlignVCenter, figure.note);
    painter.setFont(title_font());
    painter.setPen(tokens.text);
    painter.drawText(place.left(), place.top() + caption + px(1), place.width() + px(8), title,
                     Qt::AlignLeft | Qt::AlignVCenter, figure.value);
  }
}

void KeyFigures::mouseMoveEvent(QMouseEvent* event) {
  const auto all = places(width());
  int now = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].contains(event->position().toPoint())) now = static_cast<int>(i);
  }
  if (now >= 0 && now != entered_) emit figure_entered(now);
  entered_ = now;
}

}  // namespace weir::desktop
