#include "sim/cost/owned_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/cost/rates.h"

namespace weir::sim {
namespace {

/// What one server costs and is worth, in the currency of the result.
struct ServerMoney {
  double server = 0, network = 0, storage = 0, rack = 0, stock = 0, tax = 0;
  double accelerators = 0;  ///< part of `server`
  double before_tax() const { return server + network + storage + rack + stock; }
};

ServerMoney server_money(const OwnedModel& model, const InputValues& v) {
  ServerMoney money;
  const double fx = v[Input::exchange_rate];
  money.server = v[Input::server_price] * v[Input::server_price_factor] * (1 - v[Input::purchase_discount]) * fx;
  money.network = money.server * v[Input::network_share];
  money.storage = money.server * v[Input::storage_share];
  money.rack = v[Input::rack_setup] * fx;
  money.stock = (money.server + money.network + money.storage) * v[Input::spare_stock_share];
  money.tax = money.before_tax() * v[Input::unrecovered_tax];
  const double list = v[Input::server_price] * v[Input::server_price_factor];
  const double share = list > 0 ? std::max(0.0, 1 - v[Input::host_chassis] / list) : 0;
  // Without a known power the "accelerator" is the machine itself (a CPU): all of it is host.
  money.accelerators = model.tdp_kw > 0 ? money.server * share : 0;
  return money;
}

/// People who run this many accelerators, full-time equivalents.
double staff_needed(const InputValues& v, double accelerators) {
  return std::max(v[Input::min_fte], accelerators / v[Input::gpus_per_fte]);
}

}  // namespace

double residual_share(const InputValues& v, double months) {
  const std::array<double, 6> points = {
      1, v[Input::residual_1], v[Input::residual_2], v[Input::residual_3], v[Input::residual_4], v[Input::residual_5]};
  const double years = months / kMonthsPerYear;
  if (years >= 5) return points[5];
  const auto year = static_cast<std::size_t>(years);
  return points[year] + (points[year + 1] - points[year]) * (years - static_cast<double>(year));
}

namespace {

void book_purchases(const FleetSchedule& schedule, const ServerMoney& money, Ledger& ledger) {
  for (const ServerLot& lot : schedule.lots) {
    ledger.capex(Line::server, lot.paid_month, lot.servers * money.server);
    ledger.capex(Line::network, lot.paid_month, lot.servers * money.network);
    ledger.capex(Line::storage, lot.paid_month, lot.servers * money.storage);
    ledger.capex(Line::rack_setup, lot.paid_month, lot.servers * money.rack);
    ledger.capex(Line::spare_stock, lot.paid_month, lot.servers * money.stock);
    ledger.capex(Line::purchase_tax, lot.paid_month, lot.servers * money.tax);
  }
}

void book_sales(const FleetSchedule& schedule, const ServerMoney& money, const InputValues& v, Ledger& ledger) {
  const double rest = money.server - money.accelerators + money.network + money.storage;
  for (const ServerLot& lot : schedule.lots) {
    const double worth = money.accelerators * residual_share(v, lot.age_months) + rest * v[Input::residual_other];
    ledger.income(Line::residual, lot.sold_month, lot.servers * worth);
    ledger.income_cost(Line::disposal, lot.sold_month, lot.servers * money.before_tax() * v[Input::disposal_share]);
  }
}

void book_running(const FleetSchedule& schedule, const ServerMoney& money, const InputValues& v, Ledger& ledger) {
  const double fx = v[Input::exchange_rate];
  const int horizon_months = static_cast<int>(schedule.months.size());
  const std::vector<double> inflation = monthly_factors(v[Input::inflation], horizon_months);
  const std::vector<double> tariff = monthly_factors(v[Input::electricity_drift], horizon_months);
  for (int month = 1; month <= horizon_months; ++month) {
    const auto k = static_cast<std::size_t>(month - 1);
    const FleetMonth& fleet = schedule.months[k];
    const double capex = fleet.servers * money.before_tax();
    const double money_now = fx * inflation[k];
    ledger.opex(Line::energy, month,
                fleet.mean_kw * v[Input::pue] * kHoursPerMonth * v[Input::electricity] * tariff[k] * fx);
    ledger.opex(Line::demand_charge, month, fleet.peak_kw * v[Input::pue] * v[Input::demand_charge] * tariff[k] * fx);
    ledger.opex(Line::colocation, month, fleet.nameplate_kw * v[Input::colocation] * money_now);
    ledger.opex(Line::maintenance, month, capex * v[Input::maintenance_share] / kMonthsPerYear * inflation[k]);
    ledger.opex(Line::staff, month,
                staff_needed(v, fleet.accelerators) * v[Input::engineer] / kMonthsPerYear * money_now);
    ledger.opex(Line::software, month, fleet.accelerators * v[Input::software] / kMonthsPerYear * money_now);
    ledger.opex(Line::insurance, month, capex * v[Input::insurance_share] / kMonthsPerYear * inflation[k]);
    ledger.opex(Line::internet, month, v[Input::internet] * money_now);
    ledger.opex(Line::parts, month,
                fleet.out_of_warranty * v[Input::replaced_parts] / kMonthsPerYear * money.accelerators /
                    schedule.accelerators_per_server * inflation[k]);
  }
}

}  // namespace

OwnedDetails evaluate_owned(const OwnedModel& model, const InputValues& v, Ledger& ledger,
                            FleetSchedule* schedule_out) {
  OwnedDetails details;
  FleetSchedule schedule = schedule_owned(model, v, details);
  const ServerMoney money = server_money(model, v);
  book_purchases(schedule, money, ledger);
  book_running(schedule, money, v, ledger);
  book_sales(schedule, money, v, ledger);
  details.fte = staff_needed(v, schedule.months.front().accelerators);
  details.accelerator_share_of_price = money.server > 0 ? money.accelerators / money.server : 0;
  details.capex_before_tax = money.before_tax();
  if (schedule_out != nullptr) *schedule_out = std::move(schedule);
  return details;
}

PreparedOwned prepare_owned(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog) {
  check_overrides(choice, catalog);
  PreparedOwned prepared{{}, EconomicInputs(choice, catalog), "", ""};
  const data::Accelerator& accelerator = use.accelerator;
  // A measured machine is no catalogue entry: it has a price when the scenario gives one.
  const bool catalogued = catalog.find_accelerator(accelerator.id) != nullptr;
  const auto listed = catalogued ? catalog.server_price(accelerator.id, "USD") : std::nullopt;
  const double* given = accelerator_override(choice, catalog, "server_price_usd", accelerator);
  const std::string price_key = "server_price_usd." + accelerator.id;
  if (!listed && given == nullptr) {
    prepared.why_not = "no server price is known for " + accelerator.name + ": set cost.overrides \"" + price_key +
                       "\" to the price of a whole server in USD";
    return prepared;
  }
  const double per_server = listed ? listed->accelerators : accelerator.max_per_server.value.value_or(1);

  OwnedModel& model = prepared.model;
  model.replicas = use.replicas;
  model.needed = needed_replicas(use);
  model.accelerators_per_replica = use.accelerators_per_replica;
  model.accelerators_per_server = std::max(1.0, per_server);
  model.busy_share = use.busy_share;
  model.power_share_x = use.power_share_x;
  model.tdp_kw = accelerator.tdp_w.value.value_or(0) / 1000;
  if (accelerator.idle_w.known()) model.idle_kw = *accelerator.idle_w.value / 1000;
  const bool eight = model.accelerators_per_server >= 8;
  model.eight_gpu_host = eight;
  model.horizon_months = choice.horizon_months;
  model.traffic = traffic_factors(use, choice.horizon_months);

  EconomicInputs& inputs = prepared.inputs;
  for (auto i = static_cast<std::size_t>(Input::inflation); i <= static_cast<std::size_t>(Input::life_years); ++i) {
    const auto input = static_cast<Input>(i);
    const bool of_eight = input == Input::host_kw_8gpu || input == Input::host_idle_kw_8gpu;
    if ((of_eight && !eight) || (input == Input::host_kw_pcie && eight)) continue;
    if (input == Input::idle_share && model.idle_kw) continue;
    inputs.load(input);
  }
  const std::string form = data::lower_case(accelerator.form_factor);
  const bool board = form.find("sxm") != std::string::npos || form.find("oam") != std::string::npos;
  prepared.chassis_key = !eight  ? "host_chassis_4gpu_pcie_usd"
                         : board ? "host_chassis_8gpu_sxm_usd"
                                 : "host_chassis_8gpu_pcie_usd";
  inputs.load_as(Input::host_chassis, prepared.chassis_key);
  data::RangedQuantity price;
  if (listed) price = listed->price;
  if (given != nullptr) {
    price.low = price.mid = price.high = *given;
    price.evidence = data::Evidence::datasheet;
    price.source = "given in the scenario (cost.overrides)";
    price.note.clear();
  }
  price.unit = "USD/server";
  const bool has_range = given == nullptr && price.low < price.high;
  inputs.set(Input::server_price, price_key, price, given != nullptr, has_range);
  // The factor and the price's own range describe the same spread between quotes; a quote that was given has none.
  if (has_range || given != nullptr) inputs.hold(Input::server_price_factor);
  inputs.load_rate_and_currency();
  return prepared;
}

}  // namespace weir::sim
