#include "app/desktop/pages/hardware_page.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

#include "app/desktop/pages/empty_project.h"
#include "app/desktop/views/check_row.h"
#include "app/desktop/views/data_table.h"
#include "app/desktop/views/form.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {
namespace {

/// Candidates first, then the rest; both in the catalogue's order unless the reader sorts a column.
class CandidatesFirst : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const QVariant a = left.data(SortRole), b = right.data(SortRole);
    if (!a.isValid() || !b.isValid()) return a.isValid() && !b.isValid();
    if (a.typeId() == QMetaType::QString) return a.toString().localeAwareCompare(b.toString()) < 0;
    return a.toDouble() < b.toDouble();
  }
};

QuantityRule count_rule(double low, double high) {
  QuantityRule rule;
  rule.kind = QuantityKind::count;
  rule.low = low;
  rule.high = high;
  return rule;
}

void show_note(QLabel* note, const QString& problem) {
  note->setText(problem.isEmpty() ? QString() : QStringLiteral("! ") + problem);
  note->setForegroundRole(kProblemRole);
}

}  // namespace

HardwarePage::HardwarePage(Workbench& bench, QWidget* parent)
    : Page(bench, parent),
      hardware_(new HardwareModel(bench.session, this)),
      shown_(new CandidatesFirst(this)),
      empty_(new EmptyProject(bench, tr("No candidates yet."),
                              tr("Open an example or a project to choose which hardware is compared."))) {
  // In the body: the members that this fills have been initialised by then.
  editor_ = make_editor();
  hardware_->set_language(ui_language());
  column()->addWidget(empty_);
  column()->addWidget(editor_, 1);
  connect(&bench_.session, &Session::project_changed, this, &HardwarePage::refresh);
  connect(&bench_.session, &Session::inputs_changed, this, &HardwarePage::refresh);
  refresh();
}

QWidget* HardwarePage::make_editor() {
  auto* editor = new QWidget;
  auto* rows = new QVBoxLayout(editor);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(px(8));
  rows->addWidget(make_label(tr("Which hardware is compared?"), Tone::title, true));
  sentence_ = make_label({}, Tone::quiet, true);
  rows->addWidget(sentence_);
  rows->addWidget(make_table(), 1);
  problem_ = make_label({}, Tone::caption, true);
  problem_->setForegroundRole(kProblemRole);
  rows->addWidget(problem_);
  auto* below = new QHBoxLayout;
  below->setSpacing(px(28));
  auto* sets = new Form;
  add_sets(sets);
  auto* serving = new Form;
  add_serving(serving);
  below->addWidget(sets, 1, Qt::AlignTop);
  below->addWidget(serving, 1, Qt::AlignTop);
  rows->addLayout(below);
  return editor;
}

QWidget* HardwarePage::make_table() {
  auto* box = new QWidget;
  auto* rows = new QVBoxLayout(box);
  rows->setContentsMargins(0, px(4), 0, 0);
  rows->setSpacing(px(6));
  auto* filter = new QLineEdit;
  filter->setPlaceholderText(tr("Filter, e.g. H100 or 80GB"));
  filter->setAccessibleName(tr("Filter the accelerators"));
  filter->setClearButtonEnabled(true);
  filter->setMaximumWidth(px(320));
  rows->addWidget(filter);
  shown_->setSourceModel(hardware_);
  shown_->setFilterKeyColumn(HardwareModel::Name);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  connect(filter, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
  table_ = new DataTable(tr("Accelerators of the catalogue"), [](const QModelIndex& index) {
    Cell cell = model_cell(index);
    cell.mark_gutter = cell.right;
    return cell;
  });
  table_->setObjectName(QStringLiteral("hardware"));
  table_->setModel(shown_);
  table_->setMinimumHeight(px(260));
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSectionsClickable(true);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  shown_->sort(-1);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(HardwareModel::Name, QHeaderView::Stretch);
  connect(table_, &DataTable::cell_entered, this, &HardwarePage::explain);
  connect(table_, &DataTable::cell_chosen, this, &HardwarePage::explain);
  connect(hardware_, &HardwareModel::refused, this,
          [this](int, const QString& message) { problem_->setText(QStringLiteral("! ") + message); });
  rows->addWidget(table_, 1);
  return box;
}

void HardwarePage::add_sets(Form* form) {
  form->add_heading(tr("Candidates"));
  precisions_ = new CheckRow(tr("Precision"), {{QStringLiteral("FP16"), QStringLiteral("fp16")},
                                               {QStringLiteral("BF16"), QStringLiteral("bf16")},
                                               {QStringLiteral("FP8"), QStringLiteral("fp8")},
                                               {QStringLiteral("INT8"), QStringLiteral("int8")},
                                               {QStringLiteral("INT4"), QStringLiteral("int4")}});
  precisions_note_ = form->add(tr("Precisions"), precisions_);
  connect(precisions_, &CheckRow::changed, this, [this](const QStringList& values) {
    show_note(precisions_note_, try_edit(bench_.session, tr("change precisions"), {}, [&](data::Scenario& s) {
                s.candidates.precisions.clear();
                for (const QString& value : values) {
                  s.candidates.precisions.push_back(*data::parse_precision(value.toStdString()));
                }
              }));
    refresh();
  });
  groups_ = new CheckRow(tr("Cards per replica"), {{QStringLiteral("1"), QStringLiteral("1")},
                                                   {QStringLiteral("2"), QStringLiteral("2")},
                                                   {QStringLiteral("4"), QStringLiteral("4")},
                                                   {QStringLiteral("8"), QStringLiteral("8")}});
  groups_note_ = form->add(tr("Cards per replica"), groups_);
  connect(groups_, &CheckRow::changed, this, [this](const QStringList& values) {
    show_note(groups_note_, try_edit(bench_.session, tr("change cards per replica"), {}, [&](data::Scenario& s) {
                s.candidates.tensor_parallel.clear();
                for (const QString& value : values) s.candidates.tensor_parallel.push_back(value.toInt());
              }));
    refresh();
  });
  tenures_ =
      new CheckRow(tr("Tenure"), {{tr("Owned"), QStringLiteral("owned")}, {tr("Rented"), QStringLiteral("cloud")}});
  tenures_note_ = form->add(tr("Tenure"), tenures_);
  connect(tenures_, &CheckRow::changed, this, [this](const QStringList& values) {
    show_note(tenures_note_, try_edit(bench_.session, tr("change tenures"), {}, [&](data::Scenario& s) {
                s.candidates.tenures.clear();
                for (const QString& value : values) s.candidates.tenures.push_back(value.toStdString());
              }));
    refresh();
  });
}

NumberField* HardwarePage::add_serving_number(Form* form, const QString& caption, const QuantityRule& rule,
                                              const QString& note, std::function<double(const data::Serving&)> read,
                                              std::function<void(data::Serving&, double)> write) {
  NumberField* field = form->add_number(caption, rule, note);
  connect(field, &NumberField::committed, this, [this, field, caption, write](std::optional<double> value) {
    if (!value) return;
    field->show_problem(try_edit(bench_.session, tr("change %1").arg(caption), caption,
                                 [&](data::Scenario& s) { write(s.serving, *value); }));
  });
  readers_.push_back([this, field, read] { field->set_value(read(bench_.session.scenario().serving)); });
  return field;
}

void HardwarePage::add_serving(Form* form) {
  form->add_heading(tr("Serving"));
  add_serving_number(
      form, tr("Largest batch"), count_rule(1, 4096), tr("requests running together in one replica"),
      [](const data::Serving& s) { return s.max_batch; },
      [](data::Serving& s, double v) { s.max_batch = static_cast<int>(v); });
  add_serving_number(
      form, tr("Token budget"), count_rule(1, 131072), tr("new tokens one iteration may read"),
      [](const data::Serving& s) { return s.token_budget; },
      [](data::Serving& s, double v) { s.token_budget = static_cast<int>(v); });
  QuantityRule share;
  share.kind = QuantityKind::share;
  share.low = 0;
  share.low_open = true;
  share.high = 1;
  share.bare_unit = QStringLiteral("%");
  add_serving_number(
      form, tr("Usable memory"), share, tr("of the card, for weights, activations and KV cache"),
      [](const data::Serving& s) { return s.kv_memory_fraction; },
      [](data::Serving& s, double v) { s.kv_memory_fraction = v; });
}

void HardwarePage::refresh() {
  const bool open = bench_.session.is_open();
  empty_->setVisible(!open);
  editor_->setVisible(open);
  if (!open) return;
  const data::Candidates& candidates = bench_.session.scenario().candidates;
  sentence_->setText(tr("%1 of %2 accelerators are candidates. Check a row to compare it too.")
                         .arg(candidates.accelerators.size())
                         .arg(hardware_->rowCount()));
  QStringList precisions, groups, tenures;
  for (const data::Precision p : candidates.precisions) {
    precisions << QString::fromLatin1(data::to_string(p).data(), static_cast<qsizetype>(data::to_string(p).size()));
  }
  for (const int size : candidates.tensor_parallel) groups << QString::number(size);
  for (const std::string& tenure : candidates.tenures) tenures << QString::fromStdString(tenure);
  precisions_->set_checked(precisions);
  groups_->set_checked(groups);
  tenures_->set_checked(tenures);
  for (const auto& read : readers_) read();
  problem_->clear();
}

void HardwarePage::explain(const QModelIndex& index) {
  Explanation explanation = explain_cell(index, HardwareModel::Name);
  if (!explanation.empty()) emit bench_.explained(explanation);
}

}  // namespace weir::desktop
