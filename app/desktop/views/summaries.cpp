#include "app/desktop/views/summaries.h"

#include <QObject>

#include "app/desktop/models/text.h"
#include "app/desktop/views/ui_language.h"
#include "app/desktop/views/workbench.h"
#include "data/catalog.h"
#include "reports/decision_view.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

QString workload_summary(const Workbench& bench) {
  if (!bench.importing_file.isEmpty()) return QObject::tr("preview, not imported");
  if (!bench.session.is_open()) return QObject::tr("not set");
  const data::Workload& workload = bench.session.scenario().workloads.front();
  const data::Model* model = data::Catalog::builtin().find_model(workload.model.id);
  const QString name = text(model ? model->name : workload.model.id);
  const auto trace = bench.session.trace();
  if (trace) return QObject::tr("%1, %2 requests").arg(name, text(reports::grouped(trace->demand_count())));
  double rate = 0;
  for (const data::RequestClass& c : workload.classes) rate += c.arrivals ? c.arrivals->rate_per_s : 0;
  return rate > 0 ? QObject::tr("%1, %2 req/s").arg(name, number_text(rate))
                  : QObject::tr("%1, sample trace").arg(name);
}

QString hardware_summary(const Workbench& bench) {
  if (!bench.session.is_open()) return QObject::tr("not set");
  QStringList names;
  for (const std::string& id : bench.session.scenario().candidates.accelerators) {
    names << text(id).section(QLatin1Char('-'), 0, 0).toUpper();
  }
  names.removeDuplicates();
  return names.join(list_separator());
}

QString costs_summary(const Workbench& bench) {
  if (!bench.session.is_open()) return QObject::tr("not set");
  const data::CostChoice& cost = bench.session.scenario().cost;
  return QObject::tr("%1, %2 months").arg(text(cost.currency)).arg(cost.horizon_months);
}

QString decision_summary(const Workbench& bench) {
  if (!bench.session.is_open()) return QObject::tr("needs a project");
  const auto decision = bench.session.result();
  if (!decision) return bench.planner.is_running() ? QObject::tr("computing…") : QObject::tr("no result yet");
  const sim::PlanOption* best = reports::recommended(decision->plan);
  if (best == nullptr) return QObject::tr("nothing meets the targets");
  const QString name = text(reports::hardware_short(*best, ui_language())).section(QLatin1Char(' '), 0, 0);
  if (!best->cost) return name;
  return QObject::tr("%1, %2").arg(name,
                                   money_text(best->cost->total.units(), text(decision->plan.currency), ui_language()));
}

QString state_summary(const Workbench& bench) {
  if (!bench.session.is_open()) return QObject::tr("Ready");
  if (bench.planner.is_running()) return QObject::tr("Computing…");
  if (!bench.session.result()) return QObject::tr("No result yet");
  return bench.session.result_is_current() ? QObject::tr("Up to date") : QObject::tr("Out of date");
}

QString result_details(const Workbench& bench) {
  if (!bench.session.is_open()) return QObject::tr("No project open");
  const auto decision = bench.session.result();
  if (!decision) return {};
  return QObject::tr("%1 options considered, seed %2").arg(decision->plan.considered).arg(decision->plan.seed);
}

}  // namespace weir::desktop
