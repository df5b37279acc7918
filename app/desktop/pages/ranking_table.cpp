#include "app/desktop/pages/ranking_table.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "app/desktop/models/text.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

/// The head of the strips says what their scale is: both ends stand below the title.
class RankingHeader : public QHeaderView {
 public:
  RankingHeader(const OptionModel* options, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), options_(options) {}

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    if (options_->columnCount() <= section || options_->column_at(section) != OptionModel::Range) {
      return QHeaderView::paintSection(painter, rect, section);
    }
    QStyleOptionHeader option;
    initStyleOption(&option);
    option.rect = rect;
    style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
    const StripValue strip = options_->index(0, section).data(StripRole).value<StripValue>();
    const QRect words = rect.adjusted(px(6), px(2), -px(6), -px(4));
    painter->setFont(font());
    painter->setPen(Theme::instance().tokens().text_quiet);
    const int line = fontMetrics().height();
    painter->drawText(words.adjusted(0, 0, 0, -line), Qt::AlignLeft | Qt::AlignBottom, QStringLiteral("P10–P90"));
    painter->drawText(words, Qt::AlignLeft | Qt::AlignBottom, number_text(strip.scale_low));
    painter->drawText(words, Qt::AlignRight | Qt::AlignBottom, number_text(strip.scale_high));
  }

 private:
  const OptionModel* options_;
};

Cell ranking_cell(const QModelIndex& index) {
  const auto* options = static_cast<const OptionModel*>(index.model());
  const OptionModel::Column column = options->column_at(index.column());
  Cell cell = model_cell(index);
  const bool eligible = options->is_eligible(index.row());
  if (!eligible && index.column() > options->section_of(OptionModel::Option)) {
    cell = Cell{};
    cell.sign = QObject::tr("✕ misses");
    cell.text = index.siblingAtColumn(options->section_of(OptionModel::Option)).data(SentenceRole).toString();
    return cell;
  }
  if (!eligible) {
    cell.problem = false;
    if (cell.marker) cell.marker->role = reports::charts::Role::text_secondary;
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
  auto* head = new RankingHeader(options, this);
  head->setFont(caption_font());
  head->setAccessibleName(accessibleName());
  head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignBottom);
  head->setMinimumSectionSize(px(24));
  setHorizontalHeader(head);
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

int RankingTable::width_of(int column) const {
  const QFontMetrics head(horizontalHeader()->font());
  int width = 0;
  const QString text = options_->headerData(column, Qt::Horizontal).toString();
  for (const QString& line : text.split(QLatin1Char('\n'))) width = qMax(width, head.horizontalAdvance(line) + px(13));
  for (int row = 0; row < options_->rowCount(); ++row) {
    if (!options_->is_eligible(row) && column > options_->section_of(OptionModel::Option)) continue;
    width = qMax(width, cells()->sizeHint({}, options_->index(row, column)).width());
  }
  return width;
}

void RankingTable::fit_columns() {
  const int columns = options_->columnCount();
  if (columns == 0) return;
  std::vector<int> widths;
  int all = 0;
  for (int column = 0; column < columns; ++column) {
    widths.push_back(width_of(column));
    all += widths.back();
  }
  // In a narrow window the least needed columns go; the inspector still has them.
  std::vector<bool> hidden(static_cast<std::size_t>(columns), false);
  for (const OptionModel::Column expendable :
       {OptionModel::Servers, OptionModel::Precision, OptionModel::Opex, OptionModel::Capex, OptionModel::Range}) {
    const int section = options_->section_of(expendable);
    if (all <= viewport()->width() || section < 0) continue;
    hidden[static_cast<std::size_t>(section)] = true;
    all -= widths[static_cast<std::size_t>(section)];
  }
  setHorizontalScrollBarPolicy(all <= viewport()->width() ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  // Spare room goes to the strips, which need it to be read, then to all columns, then to the names.
  int spare = viewport()->width() - all;
  const int range = options_->section_of(OptionModel::Range), name = options_->section_of(OptionModel::Option);
  if (spare > 0 && range >= 0 && !hidden[static_cast<std::size_t>(range)]) {
    const int more = qMin(spare, px(60));
    widths[static_cast<std::size_t>(range)] += more;
    spare -= more;
  }
  if (spare > 0) {
    for (int& width : widths) width += spare / (columns + 1);
    widths[static_cast<std::size_t>(name)] += spare - spare / (columns + 1) * columns;
  }
  for (int column = 0; column < columns; ++column) {
    const auto at = static_cast<std::size_t>(column);
    if (isColumnHidden(column) != hidden[at]) setColumnHidden(column, hidden[at]);
    if (!hidden[at]) horizontalHeader()->resizeSection(column, widths[at]);
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
