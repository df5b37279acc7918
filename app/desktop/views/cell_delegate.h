#pragma once

#include <QStyledItemDelegate>
#include <functional>

#include "app/desktop/views/cell.h"

namespace weir::desktop {

/// Paints the cells of every table: text with a quieter second part, markers, evidence marks in a gutter, strips of
/// ranges, check boxes. `look` reads a model's roles.
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using Look = std::function<Cell(const QModelIndex&)>;
  explicit CellDelegate(Look look, QObject* parent = nullptr);
  Cell look(const QModelIndex& index) const { return look_(index); }
  void set_stale(bool stale) { stale_ = stale; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 private:
  Look look_;
  bool stale_ = false;
};

}  // namespace weir::desktop
