#pragma once

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

class QWidget;

/// What Style draws, piece by piece, in the colours of the theme.
namespace weir::desktop {

bool is_primary(const QWidget* widget);
bool has_problem(const QWidget* widget);
QColor mixed(const QColor& a, const QColor& b, double share);
/// A box whose 1 px border lies on whole device pixels.
void draw_box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& border, double radius = 3,
              double width = 1);
void draw_chevron(QPainter* painter, const QRectF& rect, const QColor& colour, bool up = false);
void draw_button(const QStyleOption* option, QPainter* painter, const QWidget* widget);
void draw_focus(QPainter* painter, const QRect& rect, const QWidget* widget);
void draw_field(const QStyleOption* option, QPainter* painter, const QWidget* widget);
void draw_check_box(const QStyleOption* option, QPainter* painter);
void draw_radio_button(const QStyleOption* option, QPainter* painter);
/// Icon, text, and a chevron where the button opens a menu.
void draw_tool_button(const QStyleOptionToolButton* button, QPainter* painter);
void draw_header_section(const QStyleOptionHeader* header, QPainter* painter);
void draw_scroll_bar(const QStyle* style, const QStyleOptionSlider* slider, QPainter* painter, const QWidget* widget);

}  // namespace weir::desktop
