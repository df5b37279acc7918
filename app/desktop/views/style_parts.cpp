#include "app/desktop/views/style_parts.h"

#include <QPolygonF>
#include <QWidget>

#include "app/desktop/views/theme.h"

namespace weir::desktop {

bool is_primary(const QWidget* widget) { return widget != nullptr && widget->property("primary").toBool(); }
bool has_problem(const QWidget* widget) { return widget != nullptr && widget->property("problem").toBool(); }

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto part = [share](int x, int y) { return qRound(x * (1 - share) + y * share); };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

void draw_box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& border, double radius,
              double width) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const double inset = width / 2;
  painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
  painter->restore();
}

void draw_chevron(QPainter* painter, const QRectF& rect, const QColor& colour, bool up) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  QPen pen(colour, 1.3);
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter->setPen(pen);
  const QPointF c = rect.center();
  const double w = px(4), h = (up ? -1 : 1) * px(4) / 2.0;
  painter->drawPolyline(QPolygonF({{c.x() - w, c.y() - h}, {c.x(), c.y() + h}, {c.x() + w, c.y() - h}}));
  painter->restore();
}

void draw_button(const QStyleOption* option, QPainter* painter, const QWidget* widget) {
  const Tokens& t = Theme::instance().tokens();
  const bool enabled = option->state & QStyle::State_Enabled;
  const bool hover = enabled && (option->state & QStyle::State_MouseOver);
  const bool down = option->state & (QStyle::State_Sunken | QStyle::State_On);
  if (is_primary(widget)) {
    QColor fill = enabled ? t.accent : t.line;
    if (hover || down) fill = mixed(fill, t.text, down ? 0.25 : 0.12);
    draw_box(painter, option->rect, fill, fill);
    return;
  }
  QColor fill = t.canvas;
  if (hover || down) fill = mixed(fill, t.text, down ? 0.10 : 0.05);
  draw_box(painter, option->rect, fill, enabled ? t.control : t.line);
}

void draw_focus(QPainter* painter, const QRect& rect, const QWidget* widget) {
  const Tokens& t = Theme::instance().tokens();
  const QColor ring = is_primary(widget) ? t.on_accent : t.accent;
  draw_box(painter, is_primary(widget) ? rect.adjusted(2, 2, -2, -2) : rect, QColor(), ring, 3, 2);
}

void draw_field(const QStyleOption* option, QPainter* painter, const QWidget* widget) {
  const Tokens& t = Theme::instance().tokens();
  const bool enabled = option->state & QStyle::State_Enabled;
  const bool focus = option->state & QStyle::State_HasFocus;
  QColor border = enabled ? t.control : t.line;
  if (focus) border = t.accent;
  if (has_problem(widget)) border = t.problem;
  draw_box(painter, option->rect, enabled ? t.canvas : t.chrome, border, 3, focus || has_problem(widget) ? 2 : 1);
}

void draw_check_box(const QStyleOption* option, QPainter* painter) {
  const Tokens& t = Theme::instance().tokens();
  const bool enabled = option->state & QStyle::State_Enabled;
  const int side = px(14);
  QRect box(0, 0, side, side);
  box.moveCenter(option->rect.center());
  const bool on = option->state & QStyle::State_On, part = option->state & QStyle::State_NoChange;
  const QColor strong = enabled ? t.accent : t.control;
  const bool focus = option->state & QStyle::State_HasFocus;
  draw_box(painter, box, on || part ? strong : t.canvas, on || part ? strong : (focus ? t.accent : t.control), 2);
  if (!on && !part) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  QPen pen(enabled ? t.on_accent : t.canvas, 1.8);
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter->setPen(pen);
  const QRectF r(box);
  if (part) {
    painter->drawLine(QPointF(r.left() + 0.25 * side, r.center().y()),
                      QPointF(r.right() - 0.25 * side, r.center().y()));
  } else {
    painter->drawPolyline(QPolygonF({{r.left() + 0.22 * side, r.top() + 0.53 * side},
                                     {r.left() + 0.42 * side, r.top() + 0.73 * side},
                                     {r.left() + 0.79 * side, r.top() + 0.28 * side}}));
  }
  painter->restore();
}

void draw_radio_button(const QStyleOption* option, QPainter* painter) {
  const Tokens& t = Theme::instance().tokens();
  const int side = px(14);
  QRectF box(0, 0, side, side);
  box.moveCenter(QRectF(option->rect).center());
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool on = option->state & QStyle::State_On;
  painter->setPen(QPen(on || (option->state & QStyle::State_HasFocus) ? t.accent : t.control, on ? 1.5 : 1));
  painter->setBrush(t.canvas);
  painter->drawEllipse(box.adjusted(1, 1, -1, -1));
  if (on) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(t.accent);
    painter->drawEllipse(box.center(), side * 0.24, side * 0.24);
  }
  painter->restore();
}

void draw_tool_button(const QStyleOptionToolButton* button, QPainter* painter) {
  const Tokens& t = Theme::instance().tokens();
  const bool enabled = button->state & QStyle::State_Enabled;
  const QRect rect = button->rect;
  const int side = button->iconSize.width();
  const QRect place(rect.left() + px(7), rect.center().y() - side / 2 + 1, side, side);
  button->icon.paint(painter, place, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
  painter->setPen(enabled ? t.text : t.control);
  const QRect words = rect.adjusted(px(13) + side, 0, 0, 0);
  painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, button->text);
  if (button->features & QStyleOptionToolButton::HasMenu) {
    draw_chevron(painter, QRectF(rect.right() - px(18), rect.top(), px(12), rect.height()),
                 enabled ? t.text_quiet : t.control);
  }
}

void draw_header_section(const QStyleOptionHeader* header, QPainter* painter) {
  const Tokens& t = Theme::instance().tokens();
  painter->fillRect(header->rect, t.canvas);
  painter->fillRect(QRect(header->rect.left(), header->rect.bottom(), header->rect.width(), 1), t.control);
}

void draw_scroll_bar(const QStyle* style, const QStyleOptionSlider* slider, QPainter* painter, const QWidget* widget) {
  const Tokens& t = Theme::instance().tokens();
  painter->fillRect(slider->rect, slider->palette.color(QPalette::Base));
  if (slider->maximum <= slider->minimum) return;
  QRect handle = style->subControlRect(QStyle::CC_ScrollBar, slider, QStyle::SC_ScrollBarSlider, widget);
  const int margin = 3;
  handle = slider->orientation == Qt::Vertical ? handle.adjusted(margin, 1, -margin, -1)
                                               : handle.adjusted(1, margin, -1, -margin);
  const bool active = slider->state & QStyle::State_MouseOver || slider->activeSubControls & QStyle::SC_ScrollBarSlider;
  draw_box(painter, handle, active ? t.control : mixed(t.line, t.control, 0.35), QColor(), 2);
}

}  // namespace weir::desktop
