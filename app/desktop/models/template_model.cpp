#include "app/desktop/models/template_model.h"

#include "app/desktop/models/roles.h"
#include "app/desktop/models/text.h"
#include "data/catalog.h"
#include "reports/decision_view.h"

namespace weir::desktop {
namespace {

/// "Llama-3.1-8B on 5 kinds of hardware".
QString contents(const data::Scenario& scenario, reports::Language language) {
  if (scenario.workloads.empty()) return {};
  const std::string& model = scenario.workloads.front().model.id;
  const data::Model* known = data::Catalog::builtin().find_model(model);
  const std::size_t count = scenario.candidates.accelerators.size();
  const std::string name = known != nullptr ? known->name : model;
  if (count == 0)
    return QString::fromStdString(reports::say(language, "{model} on all priced hardware", {{"model", name}}));
  return QString::fromStdString(reports::say(language, "{model} on {count} kinds of hardware",
                                             {{"model", name}, {"count", std::to_string(count)}}));
}

QString targets(const data::Scenario& scenario, reports::Language language) {
  sim::PlanResult plan;  // only for its scenario
  plan.scenario = scenario;
  QStringList lines;
  for (const std::string& line : reports::target_lines(plan, reports::Spelling::typographic, language)) {
    lines.append(QString::fromStdString(line));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

TemplateModel::TemplateModel(QObject* parent) : QAbstractTableModel(parent) {
  for (const std::string& name : data::embedded_scenario_names()) scenarios_.push_back(data::find_scenario(name));
}

void TemplateModel::set_language(reports::Language language) {
  beginResetModel();
  language_ = language;
  endResetModel();
}

int TemplateModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(scenarios_.size());
}
int TemplateModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant TemplateModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const data::Scenario& scenario = scenarios_[static_cast<std::size_t>(index.row())];
  if (role == NameRole) return QString::fromStdString(scenario.name);
  if (role == Qt::ToolTipRole) return words(language_, scenario.note);
  if (role != Qt::DisplayRole && role != SortRole) return {};
  switch (index.column()) {
    case Title:
      return title_of(scenario, language_);
    case Contains:
      return contents(scenario, language_);
    default:
      return targets(scenario, language_);
  }
}

QVariant TemplateModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  constexpr const char* kHeads[] = {"Case", "What it contains", "Targets"};
  return section < ColumnCount ? words(language_, std::string(kHeads[section])) : QVariant();
}

}  // namespace weir::desktop
