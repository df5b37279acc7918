#include "app/desktop/views/style.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOption>
#include <QToolButton>

#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

bool is_primary(const QWidget* widget) { return widget != nullptr && widget->property("primary").toBool(); }
bool has_problem(const QWidget* widget) { return widget != nullptr && widget->property("problem").toBool(); }

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto part = [share](int x, int y) { return qRound(x * (1 - share) + y * share); };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

/// A box whose 1 px border lies on whole device pixels.
void draw_box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& border, double radius = 3,
              double width = 1) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const double inset = width / 2;
  painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
  painter->restore();
}

void draw_chevron(QPainter* painter, const QRectF& rect, const QColor& colour, bool up = false) {
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

/// Icon, text, and a chevron where the button opens a menu.
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

}  // namespace

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QPushButton*>(widget) || qobject_cast<QComboBox*>(widget) || qobject_cast<QToolButton*>(widget) ||
      qobject_cast<QScrollBar*>(widget) || qobject_cast<QLineEdit*>(widget)) {
    widget->setAttribute(Qt::WA_Hover);
  }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_ScrollBarExtent:
      return px(11);
    case PM_ScrollBarSliderMin:
      return px(28);
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return px(16);
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
      return px(16);
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
      return 1;
    case PM_ToolBarFrameWidth:
    case PM_DockWidgetFrameWidth:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_ToolBarItemSpacing:
      return px(4);
    case PM_ToolBarItemMargin:
      return px(5);
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuBarItemSpacing:
      return 0;
    case PM_MenuBarHMargin:
      return px(4);
    case PM_HeaderMargin:
      return px(4);
    case PM_FocusFrameHMargin:
      return px(2);
    case PM_DefaultFrameWidth:
      return qobject_cast<const QAbstractScrollArea*>(widget) ? 1 : QProxyStyle::pixelMetric(metric, option, widget);
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
  switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_UnderlineShortcut:
      return hint == SH_UnderlineShortcut ? QProxyStyle::styleHint(hint, option, widget, returned) : 0;
    case SH_ComboBox_Popup:
    case SH_ItemView_ShowDecorationSelected:
      return hint == SH_ItemView_ShowDecorationSelected ? 1 : 0;
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
      return 0;
    case SH_ToolTip_WakeUpDelay:
      return 350;
    case SH_DialogButtonBox_ButtonsHaveIcons:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, returned);
  }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
  QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
    case CT_PushButton:
      return {size.width() + px(26), qMax(px(28), size.height() + px(6))};
    case CT_LineEdit:
    case CT_ComboBox:
      wanted.setHeight(px(26));
      if (type == CT_ComboBox) wanted.setWidth(size.width() + px(36));
      return wanted;
    case CT_MenuItem:
      return {wanted.width() + px(12), qMax(wanted.height(), widget && size.height() > 4 ? px(24) : 0)};
    case CT_MenuBarItem:
      return {size.width() + px(14), px(26)};
    case CT_ToolButton: {
      const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      const bool menu = button && (button->features & QStyleOptionToolButton::HasMenu);
      return {size.width() + px(menu ? 30 : 18), qMax(px(28), size.height() + px(6))};
    }
    case CT_HeaderSection:
      return {wanted.width(), wanted.height() + px(4)};
    default:
      return wanted;
  }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
    return visualRect(option->direction, option->rect, option->rect.adjusted(px(8), 1, -px(26), -1));
  }
  if (control == CC_ComboBox && part == SC_ComboBoxArrow) {
    const QRect r = option->rect;
    return visualRect(option->direction, r, QRect(r.right() - px(26), r.top(), px(26), r.height()));
  }
  if (control == CC_ScrollBar) {
    if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine) return {};
    if (part == SC_ScrollBarGroove) return option->rect;
    if (part == SC_ScrollBarSlider) {
      const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
      if (slider == nullptr) return {};
      const bool vertical = slider->orientation == Qt::Vertical;
      const int length = vertical ? slider->rect.height() : slider->rect.width();
      const double range = static_cast<double>(slider->maximum) - slider->minimum + slider->pageStep;
      const int handle = qBound(qMin(px(28), length), qRound(length * slider->pageStep / qMax(1.0, range)), length);
      const int at = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition, length - handle,
                                             slider->upsideDown);
      return vertical ? QRect(slider->rect.left(), slider->rect.top() + at, slider->rect.width(), handle)
                      : QRect(slider->rect.left() + at, slider->rect.top(), handle, slider->rect.height());
    }
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  if (element == SE_PushButtonFocusRect) return option->rect;
  const bool in_combo = widget != nullptr && qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr;
  if (element == SE_LineEditContents && in_combo) return option->rect;
  if (element == SE_LineEditContents)
    return QProxyStyle::subElementRect(element, option, widget).adjusted(px(5), 0, -px(5), 0);
  if (element == SE_HeaderLabel) return option->rect.adjusted(px(6), px(2), -px(6), -px(4));
  if (element == SE_HeaderArrow) {
    const QRect r = option->rect;
    return {r.right() - px(9), r.bottom() - px(14), px(8), px(8)};
  }
  if (element == SE_ProgressBarGroove || element == SE_ProgressBarContents) return option->rect;
  return QProxyStyle::subElementRect(element, option, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const Tokens& t = Theme::instance().tokens();
  switch (element) {
    case PE_PanelButtonCommand:
      return draw_button(option, painter, widget);
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
    case PE_FrameMenu:
      if (element == PE_PanelStatusBar)
        painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)), t.line);
      if (element == PE_FrameMenu) draw_box(painter, option->rect, QColor(), t.control, 0);
      return;
    case PE_FrameFocusRect:
      if (qobject_cast<const QAbstractItemView*>(widget)) return;  // delegates draw the current cell
      return draw_focus(painter, option->rect, widget);
    case PE_PanelLineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0) {
        draw_field(option, painter, widget);
      }
      return;
    case PE_FrameLineEdit:
      return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      return draw_check_box(option, painter);
    case PE_IndicatorRadioButton:
      return draw_radio_button(option, painter);
    case PE_Frame:
      painter->setPen(t.line);
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_PanelButtonTool: {
      const bool on = option->state & (State_On | State_Sunken);
      const bool hover = (option->state & State_MouseOver) && (option->state & State_Enabled);
      if (on || hover) draw_box(painter, option->rect, mixed(t.chrome, t.text, on ? 0.12 : 0.07), QColor());
      if (option->state & State_HasFocus) draw_focus(painter, option->rect, widget);
      return;
    }
    case PE_IndicatorToolBarSeparator: {
      const QRect r = option->rect;
      painter->fillRect(QRect(r.center().x(), r.center().y() - px(9), 1, px(18)), t.line);
      return;
    }
    case PE_IndicatorHeaderArrow: {
      const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
      return draw_chevron(painter, option->rect, t.text, header && header->sortIndicator == QStyleOptionHeader::SortUp);
    }
    case PE_IndicatorArrowDown:
      if (qobject_cast<const QToolButton*>(widget)) return;  // drawn beside its text
      return draw_chevron(painter, option->rect, (option->state & State_Enabled) ? t.text_quiet : t.control);
    case PE_PanelTipLabel:
      return draw_box(painter, option->rect, t.raised, t.control, 0);
    case PE_PanelScrollAreaCorner:
      painter->fillRect(option->rect, t.canvas);
      return;
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const Tokens& t = Theme::instance().tokens();
  switch (element) {
    case CE_PushButtonLabel: {
      auto button = *qstyleoption_cast<const QStyleOptionButton*>(option);
      if (is_primary(widget)) {
        const bool enabled = button.state & State_Enabled;
        button.palette.setColor(QPalette::ButtonText, enabled ? t.on_accent : t.text_quiet);
      }
      return QProxyStyle::drawControl(element, &button, painter, widget);
    }
    case CE_ToolBar:
      painter->fillRect(option->rect, t.chrome);
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.line);
      return;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, t.chrome);
      return;
    case CE_MenuBarItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      painter->fillRect(option->rect, t.chrome);
      if (option->state & State_Selected) draw_box(painter, option->rect, mixed(t.chrome, t.text, 0.08), QColor());
      const int flags =
          Qt::AlignCenter | Qt::TextSingleLine |
          (styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
      return drawItemText(painter, item->rect, flags, item->palette, item->state & State_Enabled, item->text,
                          QPalette::WindowText);
    }
    case CE_ToolButtonLabel: {
      const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      if (button->toolButtonStyle != Qt::ToolButtonTextBesideIcon || button->icon.isNull()) break;
      return draw_tool_button(button, painter);
    }
    case CE_HeaderSection:
      return draw_header_section(qstyleoption_cast<const QStyleOptionHeader*>(option), painter);
    case CE_HeaderLabel: {
      const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
      painter->setPen(header->sortIndicator == QStyleOptionHeader::None ? t.text_quiet : t.text);
      const Qt::Alignment across = header->textAlignment & Qt::AlignHorizontal_Mask;
      painter->drawText(header->rect, static_cast<int>(across | Qt::AlignBottom), header->text);
      return;
    }
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, t.canvas);
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.control);
      return;
    case CE_ProgressBarGroove:
      return draw_box(painter, option->rect, t.canvas, t.control, 2);
    case CE_ProgressBarContents: {
      const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
      const double span = bar->maximum - bar->minimum;
      const double share = span > 0 ? qBound(0.0, (bar->progress - bar->minimum) / span, 1.0) : 0;
      QRect filled = option->rect;
      filled.setWidth(qRound(filled.width() * share));
      if (filled.width() > 1) draw_box(painter, filled, t.accent, t.accent, 2);
      return;
    }
    case CE_ProgressBarLabel:
      return;
    case CE_Splitter:
      painter->fillRect(option->rect, t.line);
      return;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  const Tokens& t = Theme::instance().tokens();
  if (control == CC_ComboBox) {
    draw_field(option, painter, widget);
    const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    return draw_chevron(painter, arrow, (option->state & State_Enabled) ? t.text_quiet : t.control);
  }
  if (control == CC_ScrollBar) {
    return draw_scroll_bar(this, qstyleoption_cast<const QStyleOptionSlider*>(option), painter, widget);
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace weir::desktop
