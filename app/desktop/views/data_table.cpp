#include "app/desktop/views/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <set>

#include "app/desktop/views/theme.h"

namespace weir::desktop {

DataTable::DataTable(const QString& name, CellDelegate::Look look, QWidget* parent)
    : QTableView(parent), cells_(new CellDelegate(std::move(look), this)) {
  setItemDelegate(cells_);
  setAccessibleName(name);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  setWordWrap(false);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setSelectionBehavior(QAbstractItemView::SelectItems);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(px(18));
  verticalHeader()->setDefaultSectionSize(px(25));
  QHeaderView* head = horizontalHeader();
  head->setAccessibleName(name);
  verticalHeader()->setAccessibleName(name);
  head->setFont(caption_font());
  head->setHighlightSections(false);
  head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignBottom);
  head->setSectionsClickable(false);
  head->setMinimumSectionSize(px(24));
  connect(this, &QAbstractItemView::entered, this, &DataTable::cell_entered);
}

void DataTable::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  if (model == nullptr) return;
  const auto resized = [this] {
    if (wordWrap()) resizeRowsToContents();
    updateGeometry();
  };
  connect(model, &QAbstractItemModel::modelReset, this, resized);
  connect(model, &QAbstractItemModel::rowsInserted, this, resized);
  connect(model, &QAbstractItemModel::rowsRemoved, this, resized);
}

void DataTable::set_stale(bool stale) {
  cells_->set_stale(stale);
  viewport()->update();
}

void DataTable::set_shows_all_rows(bool all) {
  all_rows_ = all;
  if (all) {
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }
  updateGeometry();
}

QSize DataTable::sizeHint() const {
  if (!all_rows_) return QTableView::sizeHint();
  const int head = horizontalHeader()->isVisible() || !isVisible() ? horizontalHeader()->sizeHint().height() : 0;
  const int bar = horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff && horizontalScrollBar()->maximum() > 0
                      ? horizontalScrollBar()->sizeHint().height()
                      : 0;
  return {px(400), head + verticalHeader()->length() + bar + 1};
}

QSize DataTable::minimumSizeHint() const {
  return all_rows_ ? QSize(px(200), sizeHint().height()) : QTableView::minimumSizeHint();
}

QString DataTable::as_text(bool selection_only) const {
  if (model() == nullptr) return {};
  std::set<int> rows;
  if (selection_only) {
    for (const QModelIndex& index : selectionModel()->selectedIndexes()) rows.insert(index.row());
  }
  if (rows.empty()) {
    for (int row = 0; row < model()->rowCount(); ++row) rows.insert(row);
  }
  const auto clean = [](QString text) {
    return text.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\t'), QLatin1Char(' '));
  };
  QString out;
  const auto line = [&](const std::function<QString(int)>& cell) {
    QStringList cells;
    for (int column = 0; column < model()->columnCount(); ++column) cells << clean(cell(column));
    out += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  };
  line([&](int column) { return model()->headerData(column, Qt::Horizontal).toString(); });
  for (const int row : rows) {
    line([&](int column) {
      const Cell cell = cells_->look(model()->index(row, column));
      return cell.muted.isEmpty() ? cell.text : QString(cell.text + QLatin1Char(' ') + cell.muted).trimmed();
    });
  }
  return out;
}

void DataTable::copy() { QApplication::clipboard()->setText(as_text(false)); }

void DataTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    copy();
    event->accept();
    return;
  }
  QTableView::keyPressEvent(event);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("&Copy table"), this, &DataTable::copy);
  menu.exec(event->globalPos());
}

void DataTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (!wordWrap()) return;
  resizeRowsToContents();
  updateGeometry();
}

void DataTable::wheelEvent(QWheelEvent* event) {
  if (all_rows_) return event->ignore();  // the page scrolls
  QTableView::wheelEvent(event);
}

void DataTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.isValid()) emit cell_chosen(current);
}

}  // namespace weir::desktop
