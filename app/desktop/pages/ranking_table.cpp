#include "app/desktop/pages/ranking_table.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>

#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

Cell ranking_cell(const QModelIndex& index) {
  const auto* options = static_cast<const OptionModel*>(index.model());
  const OptionModel::Column column = options->column_at(index.column());
  Cell cell = model_cell(index);
  const bool eligible = options->is_eligible(index.row());
  if (!eligible && index.column() > options->section_of(OptionModel::Option)) {
    cell = Cell{};
    cell.text = index.siblingAtColumn(options->section_of(OptionModel::Option)).data(SentenceRole).toString();
    return cell;
  }
  cell.strong = column == OptionModel::Tco || (cell.chosen_row && column == OptionModel::Option);
  const bool timing = column == OptionModel::Ttft || column == OptionModel::E2e;
  // One mark a group of numbers, where the group begins; the other columns explain themselves when pointed at.
  cell.mark_gutter = timing || column == OptionModel::Capex;
  if (!cell.mark_gutter) cell.mark.reset();
  return cell;
}

}  // namespace

RankingTable::RankingTable(OptionModel* options, QWidget* parent)
    : DataTable(tr("Ranking of the options"), ranking_cell, parent), options_(options) {
  setObjectName(QStringLiteral("ranking"));
  setModel(options);
  set_shows_all_rows(true);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

void RankingTable::refresh() {
  clearSpans();
  const int option = options_->section_of(OptionModel::Option);
  for (int row = 0; row < options_->rowCount(); ++row) {
    if (!options_->is_eligible(row) && option >= 0) {
      setSpan(row, option + 1, 1, qMax(1, options_->columnCount() - option - 1));
    }
  }
  fit_columns();
  updateGeometry();
}

void RankingTable::fit_columns() {
  if (options_->columnCount() == 0) return;
  const QFontMetrics head(horizontalHeader()->font());
  std::vector<int> widths;
  int all = 0;
  for (int column = 0; column < options_->columnCount(); ++column) {
    int width = 0;
    const QString text = options_->headerData(column, Qt::Horizontal).toString();
    for (const QString& line : text.split(QLatin1Char('\n')))
      width = qMax(width, head.horizontalAdvance(line) + px(17));
    for (int row = 0; row < options_->rowCount(); ++row) {
      if (columnSpan(row, column) > 1) continue;
      if (!options_->is_eligible(row) && column > options_->section_of(OptionModel::Option)) continue;
      width = qMax(width, cells()->sizeHint({}, options_->index(row, column)).width());
    }
    widths.push_back(width);
    all += width;
  }
  // Spare room goes to the strips, which need it to be read, and then to the names.
  int spare = viewport()->width() - all;
  const int range = options_->section_of(OptionModel::Range), name = options_->section_of(OptionModel::Option);
  if (spare > 0 && range >= 0) {
    const int more = qMin(spare, px(80));
    widths[static_cast<std::size_t>(range)] += more;
    spare -= more;
  }
  if (spare > 0) {
    const int columns = static_cast<int>(widths.size());
    for (int column = 0; column < columns; ++column) widths[static_cast<std::size_t>(column)] += spare / (columns + 1);
    widths[static_cast<std::size_t>(name)] += spare - spare / (columns + 1) * columns;
  }
  for (int column = 0; column < options_->columnCount(); ++column) {
    horizontalHeader()->resizeSection(column, widths[static_cast<std::size_t>(column)]);
  }
}

void RankingTable::resizeEvent(QResizeEvent* event) {
  DataTable::resizeEvent(event);
  fit_columns();
}

bool RankingTable::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QString provenance = indexAt(help->pos()).data(ProvenanceRole).toString();
    if (provenance.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), provenance, this);
    }
    return true;
  }
  return DataTable::viewportEvent(event);
}

}  // namespace weir::desktop
