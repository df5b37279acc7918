#include "app/desktop/views/class_editor.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include "app/desktop/views/labels.h"
#include "app/desktop/views/number_field.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "app/desktop/views/workbench.h"

namespace weir::desktop {
namespace {

using data::RequestClass;

QuantityRule seconds_rule(const char* unit, double high_s) {
  QuantityRule rule;
  rule.kind = QuantityKind::seconds;
  rule.low = 0;
  rule.low_open = true;
  rule.high = high_s;
  rule.bare_unit = QString::fromLatin1(unit);
  rule.may_be_empty = true;
  return rule;
}

QuantityRule share_rule(bool optional = false) {
  QuantityRule rule;
  rule.kind = QuantityKind::share;
  rule.low = 0;
  rule.low_open = true;
  rule.high = 1;
  rule.bare_unit = QStringLiteral("%");
  rule.may_be_empty = optional;
  return rule;
}

QuantityRule positive_rule(bool optional = false) {
  QuantityRule rule;
  rule.low = 0;
  rule.low_open = true;
  rule.high = 1e7;
  rule.may_be_empty = optional;
  return rule;
}

/// The percentile a target is stated for; P99 where there is none yet.
std::string percentile_of(const data::PercentileLimits& limits) {
  return limits.empty() || limits.contains("p99") ? "p99" : limits.begin()->first;
}

std::optional<double> limit_of(const data::PercentileLimits& limits) {
  const auto found = limits.find(percentile_of(limits));
  return found == limits.end() ? std::nullopt : std::optional(found->second);
}

void set_limit(data::PercentileLimits& limits, std::optional<double> value) {
  const std::string percentile = percentile_of(limits);
  if (value) limits[percentile] = *value;
  if (!value) limits.erase(percentile);
}

/// One field of a class: how it is read, how it is written.
struct ClassField {
  QString caption;
  QuantityRule rule;
  std::function<std::optional<double>(const RequestClass&)> read;
  std::function<void(RequestClass&, std::optional<double>)> write;
};

std::vector<ClassField> target_fields(bool generative) {
  std::vector<ClassField> fields;
  fields.push_back({QObject::tr("Share of requests"), share_rule(), [](const RequestClass& c) { return c.share; },
                    [](RequestClass& c, std::optional<double> v) { c.share = v.value_or(c.share); }});
  if (generative) {
    fields.push_back({QObject::tr("TTFT P99"), seconds_rule("s", 3600),
                      [](const RequestClass& c) { return limit_of(c.slo.ttft_s); },
                      [](RequestClass& c, std::optional<double> v) { set_limit(c.slo.ttft_s, v); }});
    fields.push_back({QObject::tr("TPOT P99"), seconds_rule("ms", 3600),
                      [](const RequestClass& c) { return limit_of(c.slo.tpot_s); },
                      [](RequestClass& c, std::optional<double> v) { set_limit(c.slo.tpot_s, v); }});
  }
  fields.push_back({QObject::tr("Whole answer P99"), seconds_rule(generative ? "s" : "ms", 86400),
                    [](const RequestClass& c) { return limit_of(c.slo.e2e_s); },
                    [](RequestClass& c, std::optional<double> v) { set_limit(c.slo.e2e_s, v); }});
  fields.push_back({QObject::tr("Within targets"), share_rule(), [](const RequestClass& c) { return c.slo.attainment; },
                    [](RequestClass& c, std::optional<double> v) { c.slo.attainment = v.value_or(c.slo.attainment); }});
  return fields;
}

using Lengths = std::optional<data::LengthDistribution>;

void set_mean(Lengths& lengths, std::optional<double> value) {
  if (!value) return;
  if (!lengths) lengths.emplace();
  lengths->mean = *value;
}

void set_p99(Lengths& lengths, std::optional<double> value) {
  if (!lengths) return;
  lengths->p99 = value;
  lengths->distribution = value ? "lognormal" : "fixed";
}

std::optional<double> mean_of(const Lengths& lengths) { return lengths ? std::optional(lengths->mean) : std::nullopt; }
std::optional<double> p99_of(const Lengths& lengths) { return lengths ? lengths->p99 : std::nullopt; }

std::vector<ClassField> demand_fields(bool generative) {
  std::vector<ClassField> fields;
  fields.push_back(
      {QObject::tr("Requests per second"), positive_rule(),
       [](const RequestClass& c) { return c.arrivals ? std::optional(c.arrivals->rate_per_s) : std::nullopt; },
       [](RequestClass& c, std::optional<double> v) {
         if (!c.arrivals) c.arrivals.emplace();
         c.arrivals->rate_per_s = v.value_or(c.arrivals->rate_per_s);
       }});
  fields.push_back({QObject::tr("Input tokens, mean"), positive_rule(),
                    [](const RequestClass& c) { return mean_of(c.input_tokens); },
                    [](RequestClass& c, std::optional<double> v) { set_mean(c.input_tokens, v); }});
  fields.push_back({QObject::tr("Input tokens, P99"), positive_rule(true),
                    [](const RequestClass& c) { return p99_of(c.input_tokens); },
                    [](RequestClass& c, std::optional<double> v) { set_p99(c.input_tokens, v); }});
  if (!generative) return fields;
  fields.push_back({QObject::tr("Output tokens, mean"), positive_rule(),
                    [](const RequestClass& c) { return mean_of(c.output_tokens); },
                    [](RequestClass& c, std::optional<double> v) { set_mean(c.output_tokens, v); }});
  fields.push_back({QObject::tr("Output tokens, P99"), positive_rule(true),
                    [](const RequestClass& c) { return p99_of(c.output_tokens); },
                    [](RequestClass& c, std::optional<double> v) { set_p99(c.output_tokens, v); }});
  return fields;
}

bool is_generative(const data::Workload& workload) { return workload.kind == data::WorkloadKind::generative; }

}  // namespace

ClassEditor::ClassEditor(Workbench& bench, QWidget* parent) : QWidget(parent), bench_(bench) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(8));
}

void ClassEditor::refresh() {
  if (!bench_.session.is_open()) return;
  const data::Workload& workload = bench_.session.scenario().workloads.front();
  QString shape = is_generative(workload) ? QStringLiteral("g") : QStringLiteral("o");
  for (const RequestClass& c : workload.classes) {
    shape += QLatin1Char('/') + QString::fromStdString(c.name) + (c.arrivals ? QLatin1Char('p') : QLatin1Char('t'));
  }
  if (shape != shape_) {
    shape_ = shape;
    rebuild();
  }
  for (const auto& read : readers_) read();
}

void ClassEditor::rebuild() {
  readers_.clear();
  auto* column = static_cast<QVBoxLayout*>(layout());
  while (QLayoutItem* item = column->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  const data::Workload& workload = bench_.session.scenario().workloads.front();
  auto* fields = new QWidget;
  auto* grid = new QGridLayout(fields);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(px(12));
  grid->setVerticalSpacing(px(6));
  problem_ = make_label({}, Tone::caption, true);
  problem_->setForegroundRole(kProblemRole);
  const auto count = static_cast<int>(workload.classes.size());
  for (int index = 0; index < count; ++index) add_targets(grid, index);
  for (int index = 0; index < count; ++index) {
    if (workload.classes[static_cast<std::size_t>(index)].arrivals) add_demand(grid, index);
  }
  grid->setColumnStretch(grid->columnCount(), 1);
  column->addWidget(fields);
  column->addWidget(problem_);
}

namespace {

/// A row of fields for one class; the heads stand above the first row.
void add_row(Workbench& bench, QGridLayout* grid, int first_row, int index, const std::vector<ClassField>& fields,
             QLabel* problem, std::vector<std::function<void()>>& readers) {
  const QString name =
      QString::fromStdString(bench.session.scenario().workloads.front().classes[static_cast<std::size_t>(index)].name);
  if (index == 0 || grid->itemAtPosition(first_row, 0) == nullptr) {
    grid->addWidget(make_label(QObject::tr("Class"), Tone::caption), first_row, 0);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      grid->addWidget(make_label(fields[i].caption, Tone::caption), first_row, static_cast<int>(i) + 1, Qt::AlignRight);
    }
  }
  grid->addWidget(make_label(name, Tone::strong), first_row + 1 + index, 0);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const ClassField& field = fields[i];
    auto* edit = new NumberField(field.rule);
    edit->setFixedWidth(px(112));
    edit->setAccessibleName(QObject::tr("%1 of %2").arg(field.caption, name));
    edit->setAccessibleDescription(range_text(field.rule, ui_language()));
    if (field.rule.may_be_empty) edit->setPlaceholderText(QObject::tr("none"));
    grid->addWidget(edit, first_row + 1 + index, static_cast<int>(i) + 1);
    const auto at = [&bench, index]() -> const RequestClass& {
      return bench.session.scenario().workloads.front().classes[static_cast<std::size_t>(index)];
    };
    readers.push_back([edit, field, at] { edit->set_value(field.read(at())); });
    QObject::connect(
        edit, &NumberField::committed, edit, [&bench, edit, field, index, name](std::optional<double> value) {
          edit->show_problem(try_edit(bench.session, QObject::tr("change %1 of %2").arg(field.caption, name), {},
                                      [&](data::Scenario& s) {
                                        auto& classes = s.workloads.front().classes;
                                        field.write(classes[static_cast<std::size_t>(index)], value);
                                      }));
        });
    QObject::connect(edit, &NumberField::problem_changed, problem, [problem, field, name](const QString& text) {
      problem->setText(text.isEmpty()
                           ? QString()
                           : QStringLiteral("! ") + QObject::tr("%1 of %2: %3").arg(field.caption, name, text));
    });
  }
}

}  // namespace

void ClassEditor::add_targets(QGridLayout* grid, int index) {
  const data::Workload& workload = bench_.session.scenario().workloads.front();
  add_row(bench_, grid, 0, index, target_fields(is_generative(workload)), problem_, readers_);
}

void ClassEditor::add_demand(QGridLayout* grid, int index) {
  const data::Workload& workload = bench_.session.scenario().workloads.front();
  const int first_row = static_cast<int>(workload.classes.size()) + 2;
  grid->setRowMinimumHeight(first_row - 1, px(8));
  add_row(bench_, grid, first_row, index, demand_fields(is_generative(workload)), problem_, readers_);
}

}  // namespace weir::desktop
