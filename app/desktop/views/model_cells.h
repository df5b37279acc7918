#pragma once

#include <QModelIndex>

#include "app/desktop/views/cell.h"
#include "app/desktop/views/explanation.h"

namespace weir::desktop {

/// The look of a cell of our models: roles.h turned into what CellDelegate paints.
Cell model_cell(const QModelIndex& index);
/// Where the number of a cell comes from: head and row name it, its provenance explains it. Empty for a cell without.
Explanation explain_cell(const QModelIndex& index, int name_column);

}  // namespace weir::desktop
