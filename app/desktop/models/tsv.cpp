#include "app/desktop/models/tsv.h"

#include <algorithm>
#include <set>

#include "app/desktop/models/roles.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

/// One cell or head: no tab and no line break may stand in it.
QString single(const QString& text) {
  QString out = text;
  return out.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString cell_text(const QModelIndex& index) {
  const QVariant raw = index.data(SortRole);
  switch (raw.typeId()) {
    case QMetaType::Double:
      return QString::fromStdString(reports::shortest(raw.toDouble()));
    case QMetaType::Int:
    case QMetaType::LongLong:
      return QString::number(raw.toLongLong());
    default:
      break;
  }
  const QString text = index.data(Qt::DisplayRole).toString();
  const QString second = index.data(SecondaryRole).toString();
  return single(second.isEmpty() ? text : text + QLatin1Char(' ') + second);
}

}  // namespace

QString to_tsv(const QAbstractItemModel& model, const QModelIndexList& cells) {
  std::set<int> rows, columns;
  for (const QModelIndex& cell : cells) {
    rows.insert(cell.row());
    columns.insert(cell.column());
  }
  if (cells.isEmpty()) {
    for (int row = 0; row < model.rowCount(); ++row) rows.insert(row);
    for (int column = 0; column < model.columnCount(); ++column) columns.insert(column);
  }
  QString text;
  const auto line = [&](const auto& cell) {
    bool first = true;
    for (const int column : columns) {
      if (!first) text += QLatin1Char('\t');
      text += cell(column);
      first = false;
    }
    text += QLatin1Char('\n');
  };
  line([&](int column) { return single(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()); });
  for (const int row : rows) {
    line([&](int column) { return cell_text(model.index(row, column)); });
  }
  return text;
}

}  // namespace weir::desktop
