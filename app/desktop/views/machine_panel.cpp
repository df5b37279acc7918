#include "app/desktop/views/machine_panel.h"

#include <QVBoxLayout>

#include "app/desktop/models/text.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/progress_strip.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "app/desktop/views/workbench.h"
#include "reports/finding_text.h"

namespace weir::desktop {
namespace {

QString name_of(const QString& key) {
  static const std::vector<std::pair<const char*, QString (*)()>> names = {
      {"cpu", [] { return QObject::tr("Processor"); }},
      {"cpu-affinity", [] { return QObject::tr("CPU affinity"); }},
      {"cgroup-cpu", [] { return QObject::tr("CPU quota"); }},
      {"isa", [] { return QObject::tr("Instruction sets"); }},
      {"caches", [] { return QObject::tr("Caches"); }},
      {"governor", [] { return QObject::tr("Clock governor"); }},
      {"memory", [] { return QObject::tr("Memory"); }},
      {"cgroup-memory", [] { return QObject::tr("Memory limit"); }},
      {"swap", [] { return QObject::tr("Swap"); }},
      {"huge-pages", [] { return QObject::tr("Huge pages"); }},
      {"numa", [] { return QObject::tr("NUMA"); }},
      {"virtualised", [] { return QObject::tr("Virtual machine"); }},
      {"container", [] { return QObject::tr("Container"); }},
      {"load", [] { return QObject::tr("Load"); }},
      {"gpu-driver", [] { return QObject::tr("GPU driver"); }},
      {"gpu", [] { return QObject::tr("GPU"); }},
  };
  for (const auto& [known, name] : names) {
    if (key == QLatin1String(known)) return name();
  }
  return in_ui_language(key);
}

}  // namespace

MachinePanel::MachinePanel(Workbench& bench, QWidget* parent) : QScrollArea(parent), bench_(bench) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("This machine"));
  connect(&bench_.doctor, &Job::finished, this, &MachinePanel::rebuild);
  connect(&bench_.doctor, &Job::failed, this, [this](const QString& message) {
    problem_ = in_ui_language(message);
    rebuild();
  });
  connect(&bench_.probe, &Job::started, this, &MachinePanel::rebuild);
  connect(&bench_.probe, &Job::finished, this, [this] {
    problem_.clear();
    rebuild();
  });
  connect(&bench_.probe, &Job::cancelled, this, &MachinePanel::rebuild);
  connect(&bench_.probe, &Job::failed, this, [this](const QString& message) {
    problem_ = in_ui_language(message);
    rebuild();
  });
  connect(&bench_.session, &Session::project_changed, this, &MachinePanel::rebuild);
  connect(&bench_.session, &Session::inputs_changed, this, &MachinePanel::rebuild);
  rebuild();
}

void MachinePanel::measure() {
  if (bench_.probe.is_running()) return;
  problem_.clear();
  bench_.probe.start();
}

void MachinePanel::rebuild() {
  const auto& findings = bench_.doctor.findings();
  auto* content = new QWidget;
  content->setBackgroundRole(QPalette::AlternateBase);
  content->setAutoFillBackground(true);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(px(16), px(16), px(16), px(16));
  column->setSpacing(px(6));
  column->addWidget(make_label(tr("This machine"), Tone::caption));
  const auto calibration = bench_.session.calibration() ? bench_.session.calibration() : bench_.probe.calibration();
  column->addWidget(make_label(calibration ? QString::fromStdString(calibration->device_name) : tr("Not measured yet"),
                               Tone::strong, true));
  if (findings.empty()) {
    column->addWidget(
        make_label(bench_.doctor.is_running() ? tr("Looking at hardware and settings…") : tr("Not examined yet."),
                   Tone::quiet, true));
  } else {
    const int warnings = bench_.doctor.warnings();
    column->addWidget(make_label(warnings == 0   ? tr("No setting that costs performance was found.")
                                 : warnings == 1 ? tr("One setting costs performance.")
                                                 : tr("%1 settings cost performance.").arg(warnings),
                                 Tone::caption, true));
  }
  column->addSpacing(px(4));
  add_measurement(column);
  column->addSpacing(px(8));
  // What costs performance first: it is what the reader can act on.
  for (const bool warning : {true, false}) {
    for (const Finding& finding : findings) {
      if (finding.warning == warning) add_finding(column, finding);
    }
  }
  column->addStretch();
  const bool had_focus = widget() != nullptr && widget()->isAncestorOf(focusWidget());
  setWidget(content);
  if (had_focus) setFocus();
}

void MachinePanel::add_finding(QVBoxLayout* column, const Finding& finding) {
  auto* row = new QHBoxLayout;
  row->setSpacing(px(8));
  QLabel* name = make_label(name_of(finding.key), Tone::caption, true);
  name->setFixedWidth(px(84));
  row->addWidget(name, 0, Qt::AlignTop);
  QLabel* value = make_label(QString::fromStdString(reports::finding_value(ui_language(), finding.key.toStdString(),
                                                                           finding.value.toStdString())),
                             Tone::body, true);
  if (!finding.advice.isEmpty()) value->setToolTip(in_ui_language(finding.advice));
  row->addWidget(value, 1);
  column->addLayout(row);
  if (!finding.cost.isEmpty()) {
    const QString cost = QString::fromStdString(reports::finding_cost(ui_language(), finding.cost.toStdString()));
    column->addWidget(make_label(finding.warning ? QStringLiteral("! ") + cost : cost,
                                 finding.warning ? Tone::problem : Tone::caption, true));
    if (finding.warning && !finding.advice.isEmpty()) {
      column->addWidget(make_label(in_ui_language(finding.advice), Tone::caption, true));
    }
  }
  column->addWidget(make_rule());
}

void MachinePanel::add_measurement(QVBoxLayout* column) {
  if (!problem_.isEmpty()) {
    auto* notice = new Notice;
    notice->show_message(Notice::Kind::problem, tr("The measurement failed."), problem_);
    column->addWidget(notice);
  }
  if (bench_.probe.is_running()) {
    auto* name = make_label(tr("Measuring kernels and memory…"), Tone::body, true);
    auto* bar = new QProgressBar;
    auto* text = make_label({}, Tone::caption, true);
    bar->setRange(0, 1000);
    bar->setTextVisible(false);
    bar->setFixedHeight(px(7));
    bar->setAccessibleName(tr("Progress of the measurement"));
    auto* cancel = make_button(tr("Cancel"));
    connect(&bench_.probe, &Job::progress, bar, [bar, text](double fraction, const QString& what, double left) {
      if (fraction >= 0) bar->setValue(static_cast<int>(fraction * 1000));
      const QString time = time_left_text(left, ui_language());
      text->setText(time.isEmpty() ? in_ui_language(what) : tr("%1 · %2").arg(in_ui_language(what), time));
    });
    connect(cancel, &QPushButton::clicked, &bench_.probe, &Job::cancel);
    for (QWidget* widget : std::initializer_list<QWidget*>{name, bar, text, cancel}) column->addWidget(widget);
    return;
  }
  auto* button = make_button(tr("Measure this machine…"));
  connect(button, &QPushButton::clicked, this, &MachinePanel::measure);
  column->addWidget(button);
  const bool measured = bench_.probe.calibration() != nullptr || bench_.session.calibration() != nullptr;
  column->addWidget(make_label(
      measured ? tr("Measured on this machine: it takes part in the comparison as one more candidate.")
               : tr("Takes about a minute. Until then this machine takes no part in the comparison and all timings "
                    "come from published measurements."),
      Tone::caption, true));
}

}  // namespace weir::desktop
