#pragma once

#include <QAbstractItemModel>
#include <QModelIndexList>
#include <QString>

namespace weir::desktop {

/// Tab-separated text for a spreadsheet: headers, then rows in the order of the model given (a proxy keeps its own).
/// Numbers are raw (SortRole, C locale, full precision), other cells their text. With `cells` only those rows and
/// columns.
QString to_tsv(const QAbstractItemModel& model, const QModelIndexList& cells = {});

}  // namespace weir::desktop
