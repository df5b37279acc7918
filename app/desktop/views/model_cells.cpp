#include "app/desktop/views/model_cells.h"

#include "app/desktop/models/roles.h"

namespace weir::desktop {

Cell model_cell(const QModelIndex& index) {
  Cell cell;
  cell.text = index.data(Qt::DisplayRole).toString();
  cell.muted = index.data(SecondaryRole).toString();
  cell.mark = evidence_of(index.data(EvidenceRole));
  cell.chosen_row = index.data(ChosenRole).toBool();
  cell.problem = index.data(ProblemRole).toBool();
  cell.right = (Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()) & Qt::AlignRight) != 0;
  cell.disabled = !(index.flags() & Qt::ItemIsEnabled);
  if (const QVariant check = index.data(Qt::CheckStateRole); check.isValid()) {
    cell.checked = check.toInt() == Qt::Checked;
  }
  if (const QVariant marker = index.data(MarkerRole); marker.canConvert<MarkerValue>()) {
    const auto value = marker.value<MarkerValue>();
    cell.marker = CellMarker{value.shape, value.role, value.hollow};
  }
  if (const QVariant strip = index.data(StripRole); strip.canConvert<StripValue>()) {
    const auto value = strip.value<StripValue>();
    cell.strip = CellStrip{value.p10, value.value, value.p90, value.scale_low, value.scale_high, value.role};
  }
  return cell;
}

Explanation explain_cell(const QModelIndex& index, int name_column) {
  Explanation explanation;
  const QString provenance = index.data(ProvenanceRole).toString();
  if (provenance.isEmpty()) return explanation;
  const QModelIndex named = index.siblingAtColumn(name_column);
  const QString head = index.model()->headerData(index.column(), Qt::Horizontal).toString();
  explanation.title =
      QObject::tr("%1, %2").arg(named.data().toString(), QString(head).replace(QLatin1Char('\n'), QLatin1Char(' ')));
  if (index.column() == name_column) explanation.title = named.data().toString();
  explanation.value = index.column() == name_column ? QString() : index.data().toString();
  explanation.mark = evidence_of(index.data(EvidenceRole));
  explanation.formula = provenance.split(QLatin1Char('\n'));
  return explanation;
}

}  // namespace weir::desktop
