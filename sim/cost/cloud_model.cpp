#include "sim/cost/cloud_model.h"

#include <array>
#include <utility>

#include "sim/cost/owned_model.h"
#include "sim/cost/rates.h"

namespace weir::sim {
namespace {

int fixed_months(const std::string& term) {
  if (term == "reserved-1y") return 12;
  if (term == "reserved-3y") return 36;
  return 1;
}

}  // namespace

FleetSchedule schedule_cloud(const CloudModel& model) {
  FleetSchedule schedule;
  schedule.stored_gb = model.stored_gb;
  schedule.months.resize(static_cast<std::size_t>(model.horizon_months));
  for (int month = 1; month <= model.horizon_months; ++month) {
    const auto k = static_cast<std::size_t>(month - 1);
    FleetMonth& now = schedule.months[k];
    now.traffic = model.traffic[k];
    now.accelerators = replicas_at(model.needed, now.traffic) * model.accelerators_per_replica;
    now.signed_month = (month - 1) / model.price_fixed_months * model.price_fixed_months + 1;
  }
  return schedule;
}

void evaluate_cloud(const CloudModel& model, const InputValues& v, Ledger& ledger, FleetSchedule* schedule_out) {
  const double fx = v[Input::exchange_rate];
  const std::vector<double> drift = monthly_factors(v[Input::cloud_drift], model.horizon_months);
  FleetSchedule schedule = schedule_cloud(model);
  for (int month = 1; month <= model.horizon_months; ++month) {
    const FleetMonth& fleet = schedule.months[static_cast<std::size_t>(month - 1)];
    const auto signed_month = static_cast<std::size_t>(fleet.signed_month - 1);
    // The throughput that neighbours take is bought back as accelerator-hours, not as whole replicas.
    const double accelerators = fleet.accelerators / (1 - v[Input::contention]);
    const double compute = accelerators * kHoursPerMonth * v[Input::cloud_price] * drift[signed_month] * fx;
    const double stored = schedule.stored_gb * v[Input::cloud_storage] * fx;
    const double support = (compute + stored) * v[Input::cloud_support];
    ledger.opex(Line::cloud, month, compute);
    ledger.opex(Line::cloud_storage, month, stored);
    ledger.opex(Line::cloud_support, month, support);
    ledger.opex(Line::cloud_tax, month, (compute + stored + support) * v[Input::cloud_tax]);
  }
  if (schedule_out != nullptr) *schedule_out = std::move(schedule);
}

PreparedCloud prepare_cloud(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog) {
  check_overrides(choice, catalog);
  PreparedCloud prepared{{}, EconomicInputs(choice, catalog), ""};
  const data::Accelerator& accelerator = use.accelerator;
  const std::string key = "cloud_usd_per_hour." + accelerator.id;
  const double* given = accelerator_override(choice, catalog, "cloud_usd_per_hour", accelerator);
  const bool catalogued = catalog.find_accelerator(accelerator.id) != nullptr;
  const auto listed =
      catalogued ? catalog.cloud_price_per_hour(accelerator.id, choice.cloud_term, choice.region, "USD") : std::nullopt;
  if (!listed && given == nullptr) {
    prepared.why_not = "no " + choice.cloud_term + " price is known for " + accelerator.name + " in the market of " +
                       choice.region + ": set cost.overrides \"" + key +
                       "\" to the price of one accelerator-hour in USD";
    return prepared;
  }
  CloudModel& model = prepared.model;
  model.needed = needed_replicas(use);
  model.accelerators_per_replica = use.accelerators_per_replica;
  model.stored_gb = use.stored_bytes / 1e9;
  model.price_fixed_months = fixed_months(choice.cloud_term);
  model.horizon_months = choice.horizon_months;
  model.traffic = traffic_factors(use, choice.horizon_months);

  static constexpr std::array kUsed = {Input::cloud_drift, Input::cloud_support, Input::contention, Input::cloud_tax};
  prepared.inputs.load(kUsed);
  if (model.stored_gb > 0) prepared.inputs.load(Input::cloud_storage);
  data::RangedQuantity price;
  if (listed) price = *listed;
  if (given != nullptr) {
    price.low = price.mid = price.high = *given;
    price.evidence = data::Evidence::datasheet;
    price.source = "given in the scenario (cost.overrides)";
    price.note.clear();
  }
  price.unit = "USD/accelerator-hour";
  prepared.inputs.set(Input::cloud_price, key, price, given != nullptr, given == nullptr);
  prepared.inputs.load_rate_and_currency();
  return prepared;
}

}  // namespace weir::sim
