#include "app/desktop/pages/workload_page.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <cmath>

#include "app/desktop/models/text.h"
#include "app/desktop/pages/empty_project.h"
#include "app/desktop/pages/import_view.h"
#include "app/desktop/views/class_editor.h"
#include "app/desktop/views/form.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/traffic_view.h"
#include "app/desktop/views/ui_language.h"
#include "data/catalog.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

using data::Workload;

const Workload& workload_of(const Session& session) { return session.scenario().workloads.front(); }

bool is_process(const Workload& workload) {
  return !workload.trace && !workload.classes.empty() && workload.classes.front().arrivals.has_value();
}

/// From a trace to a process: every class gets its share of the rate and the mean lengths the trace had.
void make_process(Workload& workload, double rate_per_s, double input_mean, double output_mean) {
  workload.trace.reset();
  double all = 0;
  for (const data::RequestClass& c : workload.classes) all += c.share;
  for (data::RequestClass& c : workload.classes) {
    c.trace.reset();
    c.arrivals = data::ArrivalProcess{"poisson", rate_per_s * c.share / (all > 0 ? all : 1)};
    if (!c.input_tokens) c.input_tokens = data::LengthDistribution{"fixed", input_mean, {}};
    if (!c.output_tokens && workload.kind == data::WorkloadKind::generative) {
      c.output_tokens = data::LengthDistribution{"fixed", output_mean, {}};
    }
  }
}

QString model_words(const data::Model& model) {
  const double billions = model.parameters / 1e9;
  const QString size = QString::fromStdString(reports::trimmed(billions, 3));
  return model.mixture_of_experts ? QObject::tr("%1 B parameters, mixture of experts").arg(size)
                                  : QObject::tr("%1 B parameters, %2 layers").arg(size).arg(model.layers);
}

}  // namespace

WorkloadPage::WorkloadPage(Workbench& bench, QWidget* parent)
    : Page(bench, parent),
      empty_(new EmptyProject(bench, tr("No workload yet."),
                              tr("Open an example or a project, or drop a traffic trace anywhere in this window."))),
      import_(new ImportView(bench)) {
  // In the body: the members that this fills have been initialised by then.
  editor_ = make_editor();
  column()->addWidget(empty_);
  column()->addWidget(import_);
  column()->addWidget(editor_);
  column()->addStretch();
  const auto again = [this] { refresh(); };
  connect(&bench_.session, &Session::project_changed, this, again);
  connect(&bench_.session, &Session::inputs_changed, this, again);
  connect(&bench_.import, &Job::started, this, again);
  connect(&bench_.import, &Job::finished, this, again);
  connect(&bench_.import, &Job::failed, this, [this](const QString& message) {
    bench_.import_problem = in_ui_language(message);
    refresh();
  });
  connect(&bench_.import, &Job::cancelled, this, [this] {
    bench_.importing_file.clear();
    refresh();
  });
  connect(import_, &ImportView::closed, this, again);
  connect(&bench_.demand, &Job::finished, this, &WorkloadPage::refresh_demand);
  connect(&bench_.demand, &Job::cancelled, this, &WorkloadPage::start_demand);
  refresh();
}

QWidget* WorkloadPage::side_panel() {
  return import_->is_active() && bench_.import.preview() != nullptr ? import_->report() : nullptr;
}

QWidget* WorkloadPage::make_editor() {
  auto* editor = new QWidget;
  auto* rows = new QVBoxLayout(editor);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(px(8));
  title_ = make_label({}, Tone::title, true);
  sentence_ = make_label({}, Tone::quiet, true);
  rows->addWidget(title_);
  rows->addWidget(sentence_);
  auto* form = new Form;
  add_model(form);
  add_demand(form);
  rows->addSpacing(px(4));
  rows->addWidget(form);
  rows->addSpacing(px(8));
  rows->addWidget(make_label(tr("Classes and targets"), Tone::strong));
  classes_ = new ClassEditor(bench_);
  rows->addWidget(classes_);
  rows->addSpacing(px(8));
  rows->addWidget(make_label(tr("Traffic"), Tone::strong));
  no_traffic_ =
      make_label(tr("Arrivals are drawn from a Poisson process; there is no trace to show."), Tone::quiet, true);
  rows->addWidget(no_traffic_);
  traffic_ = new TrafficView;
  rows->addWidget(traffic_);
  return editor;
}

void WorkloadPage::add_model(Form* form) {
  model_ = new QComboBox;
  model_->setEditable(true);
  model_->setInsertPolicy(QComboBox::NoInsert);
  model_->setMinimumWidth(px(260));
  for (const data::Model& model : data::Catalog::builtin().models()) {
    if (model.kind == data::ModelKind::other) continue;
    model_->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
  }
  model_->completer()->setFilterMode(Qt::MatchContains);
  model_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  model_note_ = form->add(tr("Model"), model_);
  connect(model_, &QComboBox::activated, this, [this](int index) {
    const std::string id = model_->itemData(index).toString().toStdString();
    const QString problem =
        try_edit(bench_.session, tr("change model"), {}, [&](data::Scenario& s) { s.workloads.front().model.id = id; });
    if (!problem.isEmpty()) {
      refresh();
      model_note_->setText(QStringLiteral("! ") + problem);
      model_note_->setForegroundRole(kProblemRole);
    }
  });
  QuantityRule growth;
  growth.kind = QuantityKind::share;
  growth.low = -0.9;
  growth.high = 10;
  growth.bare_unit = QStringLiteral("%");
  growth_ = form->add_number(tr("Growth per year"), growth, tr("of the traffic, over the horizon"));
  connect(growth_, &NumberField::committed, this, [this](std::optional<double> value) {
    growth_->show_problem(
        try_edit(bench_.session, tr("change growth"), QStringLiteral("growth"),
                 [&](data::Scenario& s) { s.workloads.front().growth_per_year = value.value_or(0); }));
  });
}

void WorkloadPage::add_demand(Form* form) {
  demand_ = new QComboBox;
  demand_->setMinimumWidth(px(260));
  demand_note_ = form->add(tr("Demand"), demand_);
  connect(demand_, &QComboBox::activated, this,
          [this](int index) { choose_demand(demand_->itemData(index).toString()); });
  QuantityRule scale;
  scale.low = 0;
  scale.low_open = true;
  scale.high = 1000;
  rate_scale_ = form->add_number(tr("Rate scale"), scale, tr("2 = the same requests in half the time"));
  connect(rate_scale_, &NumberField::committed, this, [this](std::optional<double> value) {
    rate_scale_->show_problem(
        try_edit(bench_.session, tr("change rate scale"), QStringLiteral("rate-scale"), [&](data::Scenario& s) {
          if (s.workloads.front().trace) s.workloads.front().trace->rate_scale = value.value_or(1);
        }));
  });
}

void WorkloadPage::choose_demand(const QString& kind) {
  if (kind == QStringLiteral("import")) {
    emit bench_.import_requested({});
  } else if (kind == QStringLiteral("process") && !is_process(workload_of(bench_.session))) {
    const TraceSummary* summary = bench_.demand.summary();
    const double rate = summary && summary->arrivals.rate_per_s ? *summary->arrivals.rate_per_s : 1;
    const double input = summary && summary->input.mean > 0 ? summary->input.mean : 512;
    const double output = summary && summary->output.mean > 0 ? summary->output.mean : 128;
    bench_.session.undo_stack().beginMacro(tr("draw arrivals from a process"));
    if (bench_.session.trace()) bench_.session.set_trace(nullptr);
    const QString problem = try_edit(bench_.session, tr("draw arrivals from a process"), {}, [&](data::Scenario& s) {
      make_process(s.workloads.front(), rate, std::round(input), std::round(output));
    });
    bench_.session.undo_stack().endMacro();
    if (!problem.isEmpty()) emit bench_.failed(tr("The demand could not be changed."), problem);
  }
  refresh();
}

void WorkloadPage::refresh() {
  const bool importing = import_->is_active();
  const bool open = bench_.session.is_open();
  import_->setVisible(importing);
  if (importing) import_->show_state();
  empty_->setVisible(!open && !importing);
  editor_->setVisible(open && !importing);
  emit side_panel_changed();
  if (!open) return;
  const Workload& workload = workload_of(bench_.session);
  const auto trace = bench_.session.trace();
  title_->setText(tr("What must be served, and how fast?"));
  sentence_->setText(title_of(bench_.session.scenario(), ui_language()));
  const data::Model* model = data::Catalog::builtin().find_model(workload.model.id);
  set_choice(model_, model ? QString::fromStdString(model->id) : QString());
  model_note_->setForegroundRole(kQuietRole);
  model_note_->setText(model ? model_words(*model) : QString());
  growth_->set_value(workload.growth_per_year);
  const bool process = is_process(workload) && !trace;
  const QSignalBlocker quiet(demand_);
  demand_->clear();
  if (trace) {
    demand_->addItem(tr("Trace %1").arg(QString::fromStdString(trace->name)), QStringLiteral("trace"));
  } else if (workload.trace) {
    const QString name = QString::fromStdString(workload.trace->file).section(QLatin1Char('/'), -1);
    demand_->addItem(tr("Trace %1").arg(name), QStringLiteral("file"));
  }
  demand_->addItem(tr("Poisson process"), QStringLiteral("process"));
  demand_->addItem(tr("Another trace…"), QStringLiteral("import"));
  demand_->setCurrentIndex(process ? demand_->findData(QStringLiteral("process")) : 0);
  demand_note_->setText(trace ? tr("imported, kept in this project") : QString());
  rate_scale_->setEnabled(workload.trace.has_value() && !trace);
  rate_scale_->set_value(workload.trace && !trace ? workload.trace->rate_scale : 1.0);
  classes_->refresh();
  const QString shown = trace ? QString::number(reinterpret_cast<quintptr>(trace.get()))
                              : (workload.trace ? QString::fromStdString(workload.trace->file) : QString());
  if (shown != demand_shown_ || shown.isEmpty()) {
    demand_shown_ = shown;
    traffic_->setVisible(false);
    no_traffic_->setVisible(shown.isEmpty());
    start_demand();
  }
}

void WorkloadPage::start_demand() {
  if (demand_shown_.isEmpty()) return;
  if (bench_.demand.is_running()) return bench_.demand.cancel();  // of what was shown before; starts again at its end
  demand_started_ = demand_shown_;
  bench_.demand.start(bench_.session);
}

void WorkloadPage::refresh_demand() {
  if (demand_started_ != demand_shown_) return start_demand();
  const TraceSummary* summary = bench_.demand.summary();
  const bool show = summary != nullptr && !demand_shown_.isEmpty();
  traffic_->setVisible(show);
  if (show) traffic_->set_summary(*summary);
}

}  // namespace weir::desktop
