#include "app/desktop/pages/import_view.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "app/desktop/views/data_table.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/progress_strip.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/traffic_view.h"
#include "app/desktop/views/ui_language.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

QString count(std::int64_t value) { return QString::fromStdString(reports::grouped(value)); }

}  // namespace

ImportView::ImportView(Workbench& bench, QWidget* parent)
    : QWidget(parent),
      bench_(bench),
      title_(make_label({}, Tone::title, true)),
      sentence_(make_label({}, Tone::quiet, true)),
      cancel_(make_button(tr("Cancel"))),
      accept_(make_button(tr("Import"), true)),
      progress_(new ProgressStrip),
      problem_(new Notice),
      columns_title_(make_label(tr("Columns, found by name"), Tone::strong)),
      columns_(new DataTable(tr("Columns of the file"), model_cell)),
      traffic_(new TrafficView),
      report_(nullptr),
      rejected_rows_(new RejectedRowsModel(this)) {
  rejected_rows_->set_language(ui_language());
  report_ = make_report();
  cancel_->setObjectName(QStringLiteral("cancel_import"));
  accept_->setObjectName(QStringLiteral("accept_import"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(8));
  auto* head = new QHBoxLayout;
  head->setSpacing(px(8));
  auto* words = new QVBoxLayout;
  words->setSpacing(px(4));
  words->addWidget(title_);
  words->addWidget(sentence_);
  head->addLayout(words, 1);
  head->addWidget(cancel_, 0, Qt::AlignTop);
  head->addWidget(accept_, 0, Qt::AlignTop);
  column->addLayout(head);
  column->addWidget(progress_);
  column->addWidget(problem_);
  column->addWidget(columns_title_);
  columns_->setModel(new QStandardItemModel(this));
  columns_->set_shows_all_rows(true);
  column->addWidget(columns_);
  column->addSpacing(px(4));
  column->addWidget(traffic_);
  column->addStretch();
  connect(cancel_, &QPushButton::clicked, this, [this] {
    bench_.import.cancel();
    bench_.import.discard();
    bench_.importing_file.clear();
    bench_.import_problem.clear();
    emit closed();
  });
  connect(accept_, &QPushButton::clicked, this, [this] {
    bench_.import.accept(bench_.session);
    bench_.import.discard();
    bench_.importing_file.clear();
    emit closed();
  });
  connect(progress_, &ProgressStrip::cancel_requested, &bench_.import, &Job::cancel);
  connect(&bench_.import, &Job::progress, this, [this](double fraction, const QString& what, double left) {
    progress_->advance(fraction, in_ui_language(what), left);
  });
}

ImportView::~ImportView() { delete report_.data(); }

bool ImportView::is_active() const { return !bench_.importing_file.isEmpty(); }

QScrollArea* ImportView::make_report() {
  auto* panel = new QScrollArea;
  panel->setFrameShape(QFrame::NoFrame);
  panel->setWidgetResizable(true);
  auto* content = new QWidget;
  content->setBackgroundRole(QPalette::AlternateBase);
  content->setAutoFillBackground(true);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(px(16), px(16), px(16), px(16));
  column->setSpacing(px(6));
  report_title_ = make_label({}, Tone::strong, true);
  refused_ = new DataTable(tr("Refused rows"), [](const QModelIndex& index) {
    Cell cell = model_cell(index);
    cell.quiet = index.column() == RejectedRowsModel::Line;
    cell.wrap = index.column() == RejectedRowsModel::Reason;
    return cell;
  });
  refused_->setModel(rejected_rows_);
  refused_->setWordWrap(true);
  refused_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  refused_->horizontalHeader()->setStretchLastSection(true);
  refused_->set_shows_all_rows(true);
  refused_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  refused_->setMaximumHeight(px(420));
  refused_note_ = make_label({}, Tone::caption, true);
  warnings_title_ = make_label(tr("Warnings"), Tone::strong);
  warnings_ = make_label({}, Tone::quiet, true);
  column->addWidget(make_label(tr("Import report"), Tone::caption));
  column->addWidget(report_title_);
  column->addWidget(refused_);
  column->addWidget(refused_note_);
  column->addWidget(warnings_title_);
  column->addWidget(warnings_);
  column->addStretch();
  panel->setWidget(content);
  return panel;
}

void ImportView::show_state() {
  const bool running = bench_.import.is_running();
  const ImportPreview* preview = bench_.import.preview();
  const bool ready = !running && preview != nullptr;
  const bool failed = !running && preview == nullptr && !bench_.import_problem.isEmpty();
  if (running) {
    title_->setText(tr("Reading %1").arg(bench_.importing_file));
    sentence_->setText(tr("Nothing is imported yet."));
    progress_->begin({});
  } else {
    progress_->end();
  }
  if (failed) {
    title_->setText(tr("%1 was not imported.").arg(bench_.importing_file));
    sentence_->setText(tr("The demand of the project is as it was."));
    problem_->show_message(Notice::Kind::problem, tr("The file could not be read as a trace."), bench_.import_problem);
  } else {
    problem_->dismiss();
  }
  accept_->setVisible(ready);
  cancel_->setText(failed ? tr("Close") : tr("Cancel"));
  for (QWidget* widget : std::initializer_list<QWidget*>{columns_title_, columns_, traffic_}) widget->setVisible(ready);
  report_->widget()->setVisible(ready);
  if (ready) show_preview(*preview);
}

void ImportView::show_preview(const ImportPreview& preview) {
  const data::RowCounts& rows = preview.trace->rows;
  title_->setText(tr("Import %1?").arg(bench_.importing_file));
  sentence_->setText(
      tr("%1 of %2 rows are usable. Nothing is imported yet.").arg(count(rows.imported), count(rows.read)));
  accept_->setText(tr("Import %1 requests").arg(count(preview.summary.requests)));
  accept_->setEnabled(preview.summary.requests > 0);
  fill_columns(preview);
  traffic_->set_summary(preview.summary);
  fill_report(preview);
}

void ImportView::fill_columns(const ImportPreview& preview) {
  auto* model = static_cast<QStandardItemModel*>(columns_->model());
  model->clear();
  QStringList heads;
  int most = 0;
  for (const ColumnPreview& column : preview.columns) {
    const QString meaning = column.meaning.isEmpty() ? tr("(ignored)") : in_ui_language(column.meaning);
    heads << QString(meaning + QLatin1Char('\n') + column.name);
    most = qMax(most, static_cast<int>(column.first_values.size()));
  }
  model->setHorizontalHeaderLabels(heads);
  for (int row = 0; row < most; ++row) {
    QList<QStandardItem*> items;
    for (const ColumnPreview& column : preview.columns) {
      auto* item = new QStandardItem(column.first_values.value(row));
      bool numeric = false;
      column.first_values.value(row).toDouble(&numeric);
      item->setTextAlignment((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      item->setEditable(false);
      items << item;
    }
    model->appendRow(items);
  }
  for (int i = 0; i < model->columnCount(); ++i) {
    const QStandardItem* first = model->item(0, i);
    if (first != nullptr) model->setHeaderData(i, Qt::Horizontal, int(first->textAlignment()), Qt::TextAlignmentRole);
  }
  columns_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  columns_->horizontalHeader()->setStretchLastSection(true);
  columns_->updateGeometry();
}

void ImportView::fill_report(const ImportPreview& preview) {
  const std::int64_t refused = preview.trace->rows.rejected;
  rejected_rows_->set_trace(preview.trace);
  report_title_->setText(refused == 0   ? tr("No row was refused.")
                         : refused == 1 ? tr("One row was refused.")
                                        : tr("%1 rows were refused.").arg(count(refused)));
  refused_->setVisible(refused > 0);
  refused_->resizeRowsToContents();
  refused_->updateGeometry();
  const auto listed = static_cast<std::int64_t>(preview.trace->rejected.size());
  refused_note_->setText(listed < refused ? tr("The first %1 are listed.").arg(count(listed)) : QString());
  refused_note_->setVisible(listed < refused);
  QStringList lines;
  for (const std::string& warning : preview.trace->warnings) lines << in_ui_language(warning);
  warnings_->setText(lines.join(QLatin1Char('\n')));
  warnings_title_->setVisible(!lines.isEmpty());
  warnings_->setVisible(!lines.isEmpty());
}

}  // namespace weir::desktop
