#include "app/desktop/views/cell_delegate.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/desktop/views/marks.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

/// Padding of text inside a cell, left and right.
int padding() { return px(6); }

QColor text_colour(const Cell& cell) {
  const Tokens& tokens = Theme::instance().tokens();
  if (cell.disabled) return tokens.control;
  if (cell.problem) return tokens.problem;
  if (cell.link) return tokens.accent;
  return cell.quiet ? tokens.text_quiet : tokens.text;
}

void paint_frame(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, const Cell& cell) {
  const Tokens& tokens = Theme::instance().tokens();
  const QRect rect = option.rect;
  painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), cell.chosen_row ? tokens.accent : tokens.grid);
  if (cell.chosen_row) {
    painter->fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), tokens.accent);
    if (index.column() == 0) painter->fillRect(QRect(rect.left(), rect.top(), px(3), rect.height()), tokens.accent);
  }
}

void paint_current(QPainter* painter, const QStyleOptionViewItem& option) {
  if (!(option.state & QStyle::State_HasFocus)) return;
  painter->setPen(QPen(Theme::instance().tokens().accent, 2));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
}

void paint_strip(QPainter* painter, const QRect& rect, const CellStrip& strip) {
  const Theme& theme = Theme::instance();
  const double left = rect.left() + px(6), width = rect.width() - px(12);
  const auto x = [&](double value) {
    const double span = strip.high - strip.low;
    return left + (span > 0 ? (value - strip.low) / span : 0) * width;
  };
  const double middle = rect.center().y() + 0.5, thickness = px(5);
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme.colour(strip.role));
  painter->drawRect(QRectF(x(strip.p10), middle - thickness / 2, qMax(2.0, x(strip.p90) - x(strip.p10)), thickness));
  painter->setBrush(theme.tokens().text);
  painter->drawRect(QRectF(x(strip.value) - 1, middle - px(7), 2, px(14)));
}

QRect check_rect(const QStyleOptionViewItem& option) {
  const int side = px(16);
  return {option.rect.left() + padding(), option.rect.center().y() - side / 2, side, side};
}

QFont first_font(const Cell& cell) { return cell.strong ? strong_font() : body_font(); }

/// Text and its quieter part in one line, cut with an ellipsis only where there is no room.
void paint_text(QPainter* painter, QRect rect, const Cell& cell) {
  if (!cell.sign.isEmpty()) {
    painter->setFont(strong_font());
    painter->setPen(Theme::instance().tokens().problem);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, cell.sign);
    rect.setLeft(rect.left() + QFontMetrics(strong_font()).horizontalAdvance(cell.sign) + px(8));
  }
  if (cell.wrap) {
    painter->setFont(first_font(cell));
    painter->setPen(text_colour(cell));
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, cell.text);
    return;
  }
  const QFontMetrics first(first_font(cell));
  const int gap = cell.text.isEmpty() || cell.muted.isEmpty() ? 0 : px(5);
  const QString text = first.elidedText(cell.text, Qt::ElideRight, rect.width());
  const int used = first.horizontalAdvance(text);
  painter->setFont(first_font(cell));
  painter->setPen(text_colour(cell));
  if (cell.muted.isEmpty()) {
    painter->drawText(rect, (cell.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
    return;
  }
  const QFontMetrics second(body_font());
  const QString muted = second.elidedText(cell.muted, Qt::ElideRight, qMax(0, rect.width() - used - gap));
  if (cell.right) rect.setLeft(rect.right() + 1 - used - gap - second.horizontalAdvance(muted));
  painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, text);
  painter->setFont(body_font());
  painter->setPen(cell.disabled ? Theme::instance().tokens().control : Theme::instance().tokens().text_quiet);
  painter->drawText(rect.adjusted(used + gap, 0, px(4), 0), Qt::AlignLeft | Qt::AlignVCenter, muted);
}

}  // namespace

CellDelegate::CellDelegate(Look look, QObject* parent) : QStyledItemDelegate(parent), look_(std::move(look)) {}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Cell cell = look_(index);
  painter->save();
  paint_frame(painter, option, index, cell);
  if (stale_) painter->setOpacity(0.5);
  QRect inside = option.rect.adjusted(padding(), 0, -padding(), 0);
  if (cell.checked) {
    QStyleOptionButton box;
    box.rect = check_rect(option);
    box.state = (cell.disabled ? QStyle::State_None : QStyle::State_Enabled) |
                (*cell.checked ? QStyle::State_On : QStyle::State_Off);
    QApplication::style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &box, painter);
    inside.setLeft(box.rect.right() + px(8));
  }
  if (cell.strip) paint_strip(painter, option.rect, *cell.strip);
  if (cell.marker) {
    paint_marker(*painter, QPointF(inside.left() + px(5), inside.center().y() + 0.5), px(4), cell.marker->shape,
                 cell.marker->role, cell.marker->hollow);
    inside.setLeft(inside.left() + px(18));
  }
  if (cell.mark || cell.mark_gutter) {
    // The mark stands right before the number; the number's right edge stays where the column has it.
    const int width = QFontMetrics(first_font(cell)).horizontalAdvance(cell.text);
    const double x = cell.right ? inside.right() - width - px(9) : inside.left() + mark_side() / 2.0;
    if (cell.mark) paint_evidence(*painter, QPointF(x, inside.center().y() + 0.5), *cell.mark);
    if (!cell.right) inside.setLeft(inside.left() + mark_gutter());
  }
  paint_text(painter, inside, cell);
  painter->setOpacity(1);
  paint_current(painter, option);
  painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Cell cell = look_(index);
  if (cell.wrap && option.rect.width() > 0) {
    const QRect room(0, 0, option.rect.width() - 2 * padding(), 10000);
    const QRect text = QFontMetrics(first_font(cell)).boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, cell.text);
    return {option.rect.width(), qMax(px(25), text.height() + px(7))};
  }
  int width = 2 * padding() + 2;
  if (cell.checked) width += px(24);
  if (cell.marker) width += px(18);
  if (cell.mark || cell.mark_gutter) width += mark_gutter();
  if (cell.strip) width += px(84);
  width += QFontMetrics(first_font(cell)).horizontalAdvance(cell.text);
  if (!cell.muted.isEmpty()) width += px(5) + QFontMetrics(body_font()).horizontalAdvance(cell.muted);
  return {width, px(25)};
}

bool CellDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
  if (!(index.flags() & Qt::ItemIsUserCheckable) || !(index.flags() & Qt::ItemIsEnabled)) return false;
  bool toggles = false;
  if (event->type() == QEvent::MouseButtonRelease) {
    const QRect target = check_rect(option).adjusted(-px(6), -px(6), px(6), px(6));
    toggles = target.contains(static_cast<QMouseEvent*>(event)->position().toPoint());
  }
  if (event->type() == QEvent::KeyPress) toggles = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
  if (!toggles) return false;
  const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
  return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

void CellDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(0, 0, 0, 0));
}

}  // namespace weir::desktop
