#include "app/desktop/models/rejected_rows_model.h"

#include <QLocale>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/text.h"
#include "reports/format.h"

namespace weir::desktop {

RejectedRowsModel::RejectedRowsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RejectedRowsModel::set_trace(std::shared_ptr<const data::Trace> trace) {
  beginResetModel();
  trace_ = std::move(trace);
  endResetModel();
}

void RejectedRowsModel::set_language(reports::Language language) {
  beginResetModel();
  language_ = language;
  endResetModel();
}

int RejectedRowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !trace_ ? 0 : static_cast<int>(trace_->rejected.size());
}
int RejectedRowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RejectedRowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const data::RejectedRow& row = trace_->rejected[static_cast<std::size_t>(index.row())];
  const bool line = index.column() == Line;
  if (role == Qt::TextAlignmentRole) return int((line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == SortRole && line) return static_cast<qint64>(row.line);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != SortRole) return {};
  return line ? QString::fromStdString(reports::grouped(row.line)) : words(language_, row.reason);
}

QVariant RejectedRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section == Line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole || section >= ColumnCount) return {};
  return words(language_, std::string(section == Line ? "Line number" : "Why refused"));
}

}  // namespace weir::desktop
