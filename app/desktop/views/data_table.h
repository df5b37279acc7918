#pragma once

#include <QTableView>

#include "app/desktop/views/cell_delegate.h"

namespace weir::desktop {

/// A table as all pages show them: no grid, heads with a rule below, current cell framed, Ctrl+C copies with heads as
/// tab-separated text.
class DataTable : public QTableView {
  Q_OBJECT

 public:
  DataTable(const QString& name, CellDelegate::Look look, QWidget* parent = nullptr);
  CellDelegate* cells() const { return cells_; }
  void set_stale(bool stale);
  /// As high as all its rows, so that the page scrolls and not the table.
  void set_shows_all_rows(bool all);
  /// The selected rows (all when none is) with heads, as a spreadsheet takes them.
  QString as_text(bool selection_only) const;
  void copy();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  void setModel(QAbstractItemModel* model) override;

 signals:
  void cell_entered(const QModelIndex& index);
  void cell_chosen(const QModelIndex& index);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  CellDelegate* cells_;
  bool all_rows_ = false;
};

}  // namespace weir::desktop
