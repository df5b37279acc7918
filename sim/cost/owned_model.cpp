#include "sim/cost/owned_model.h"

#include <algorithm>
#include <cmath>

#include "data/errors.h"
#include "sim/cost/rates.h"
#include "sim/cost/readable_number.h"
#include "sim/cost/spares.h"

namespace weir::sim {
namespace {

constexpr double kMostAccelerators = 1e8;  // of a fleet; beyond it the input is a mistake

/// Servers bought together; `start` = whole months after today.
struct Cohort {
  int start = 0;
  double servers = 0;
};

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

/// The fleet as it changes month by month.
class Fleet {
 public:
  Fleet(const OwnedModel& model, const InputValues& values, Ledger& ledger)
      : model_(model), v_(values), ledger_(ledger), money_(server_money(model, values)) {
    const double stops =
        server_stops_per_year(v_[Input::server_stops], v_[Input::gpu_failures], model.accelerators_per_server);
    availability_ = server_availability(stops, v_[Input::repair_hours]);
    life_months_ = static_cast<int>(std::lround(v_[Input::life_years] * kMonthsPerYear));
  }

  /// Servers held in month m = 1 .. horizon, after retiring what is at its end of life and buying what is missing.
  double in_month(int month) {
    const int start = month - 1;
    double held = 0;
    for (Cohort& cohort : cohorts_) {
      if (start - cohort.start >= life_months_) {
        sell(cohort, month, start);
        cohort.servers = 0;
      }
      held += cohort.servers;
    }
    const double needed =
        with_spares(model_.servers_for(replicas_at(model_.needed, model_.traffic[static_cast<std::size_t>(start)])));
    if (needed > held) {
      buy(needed - held, start, start == 0 ? 0 : month);
      held = needed;
    }
    return held;
  }

  void sell_all(int month) {
    for (const Cohort& cohort : cohorts_) sell(cohort, month, month);
  }

  /// Accelerators out of warranty during month m.
  double out_of_warranty(int month) const {
    double servers = 0;
    for (const Cohort& cohort : cohorts_) {
      if (month - cohort.start > v_[Input::warranty_years] * kMonthsPerYear) servers += cohort.servers;
    }
    return servers * model_.accelerators_per_server;
  }

  const ServerMoney& money() const { return money_; }
  double availability() const { return availability_; }

 private:
  double with_spares(double servers) {
    if (servers != last_needed_) {
      last_needed_ = servers;
      last_spares_ = static_cast<double>(
          spare_servers(static_cast<std::int64_t>(servers), availability_, v_[Input::target_availability]));
    }
    return servers + last_spares_;
  }

  void buy(double servers, int start, int month) {
    ledger_.capex(Line::server, month, servers * money_.server);
    ledger_.capex(Line::network, month, servers * money_.network);
    ledger_.capex(Line::storage, month, servers * money_.storage);
    ledger_.capex(Line::rack_setup, month, servers * money_.rack);
    ledger_.capex(Line::spare_stock, month, servers * money_.stock);
    ledger_.capex(Line::purchase_tax, month, servers * money_.tax);
    cohorts_.push_back({start, servers});
  }

  void sell(const Cohort& cohort, int month, int now) {
    if (cohort.servers <= 0) return;
    const double rest = money_.server - money_.accelerators + money_.network + money_.storage;
    const double worth =
        money_.accelerators * residual_share(v_, now - cohort.start) + rest * v_[Input::residual_other];
    ledger_.income(Line::residual, month, cohort.servers * worth);
    ledger_.income_cost(Line::disposal, month, cohort.servers * money_.before_tax() * v_[Input::disposal_share]);
  }

  const OwnedModel& model_;
  const InputValues& v_;
  Ledger& ledger_;
  ServerMoney money_;
  std::vector<Cohort> cohorts_;
  double availability_ = 1, last_needed_ = -1, last_spares_ = 0;
  int life_months_ = 0;
};

/// Power of the fleet in one month.
struct MonthPower {
  double it_kw = 0, peak_kw = 0, contract_kw = 0, busy = 0, busy_kw = 0, idle_kw = 0;
};

MonthPower month_power(const OwnedModel& model, const InputValues& v, double servers, double traffic) {
  MonthPower power;
  const double installed = servers * model.accelerators_per_server;
  const double active = std::min(installed, replicas_at(model.needed, traffic) * model.accelerators_per_replica);
  // The load grows smoothly while replicas come in whole numbers; what is not busy idles, spares included.
  power.busy = std::min(active, model.busy_share * model.replicas * model.accelerators_per_replica * traffic);
  power.busy_kw = model.tdp_kw * busy_power_share(v[Input::power_a], v[Input::power_b], model.power_share_x);
  power.idle_kw = model.idle_kw.value_or(model.tdp_kw * v[Input::idle_share]);
  const double busy_host = model.eight_gpu_host ? v[Input::host_kw_8gpu] : v[Input::host_kw_pcie];
  const double idle_host = model.eight_gpu_host ? std::min(busy_host, v[Input::host_idle_kw_8gpu]) : busy_host;
  const auto host = [&](double busy) {
    return servers * idle_host + (busy_host - idle_host) * servers * busy / installed;
  };
  power.it_kw = host(power.busy) + power.busy * power.busy_kw + (installed - power.busy) * power.idle_kw;
  power.peak_kw = host(active) + active * power.busy_kw + (installed - active) * power.idle_kw;
  power.contract_kw = servers * busy_host + installed * model.tdp_kw;
  return power;
}

}  // namespace

double busy_power_share(double a, double b, double x) { return std::clamp(a + b * x, 0.2, 1.0); }

double needed_replicas(const FleetUse& use) { return use.replicas / use.load_factor.value_or(1); }

double replicas_at(double replicas, double factor) { return std::max(1.0, std::ceil(replicas * factor - 1e-9)); }

std::vector<double> traffic_factors(const FleetUse& use, int horizon_months) {
  std::vector<double> factors = monthly_factors(use.growth_per_year, horizon_months);
  factors.pop_back();
  const double most = *std::max_element(factors.begin(), factors.end());
  if (!(most * use.replicas * use.accelerators_per_replica <= kMostAccelerators)) {
    throw data::InputError("", "growth_per_year", readable_number(use.growth_per_year),
                           "expected a growth that stays below 100 million accelerators within the horizon");
  }
  return factors;
}

double OwnedModel::servers_for(double replica_count) const {
  if (accelerators_per_replica > accelerators_per_server) {
    return replica_count * std::ceil(accelerators_per_replica / accelerators_per_server);
  }
  return std::ceil(replica_count / std::floor(accelerators_per_server / accelerators_per_replica));
}

double residual_share(const InputValues& v, double months) {
  const std::array<double, 6> points = {
      1, v[Input::residual_1], v[Input::residual_2], v[Input::residual_3], v[Input::residual_4], v[Input::residual_5]};
  const double years = months / kMonthsPerYear;
  if (years >= 5) return points[5];
  const auto year = static_cast<std::size_t>(years);
  return points[year] + (points[year + 1] - points[year]) * (years - static_cast<double>(year));
}

OwnedDetails evaluate_owned(const OwnedModel& model, const InputValues& v, Ledger& ledger) {
  Fleet fleet(model, v, ledger);
  const ServerMoney& money = fleet.money();
  const double fx = v[Input::exchange_rate];
  const std::vector<double> inflation = monthly_factors(v[Input::inflation], model.horizon_months);
  const std::vector<double> tariff = monthly_factors(v[Input::electricity_drift], model.horizon_months);
  OwnedDetails details;
  for (int month = 1; month <= model.horizon_months; ++month) {
    const auto k = static_cast<std::size_t>(month - 1);
    const double servers = fleet.in_month(month);
    const double accelerators = servers * model.accelerators_per_server;
    const double capex = servers * money.before_tax();
    const MonthPower power = month_power(model, v, servers, model.traffic[k]);
    const double money_now = fx * inflation[k];
    const double fte = std::max(v[Input::min_fte], accelerators / v[Input::gpus_per_fte]);
    ledger.opex(Line::energy, month,
                power.it_kw * v[Input::pue] * kHoursPerMonth * v[Input::electricity] * tariff[k] * fx);
    ledger.opex(Line::demand_charge, month, power.peak_kw * v[Input::pue] * v[Input::demand_charge] * tariff[k] * fx);
    ledger.opex(Line::colocation, month, power.contract_kw * v[Input::colocation] * money_now);
    ledger.opex(Line::maintenance, month, capex * v[Input::maintenance_share] / kMonthsPerYear * inflation[k]);
    ledger.opex(Line::staff, month, fte * v[Input::engineer] / kMonthsPerYear * money_now);
    ledger.opex(Line::software, month, accelerators * v[Input::software] / kMonthsPerYear * money_now);
    ledger.opex(Line::insurance, month, capex * v[Input::insurance_share] / kMonthsPerYear * inflation[k]);
    ledger.opex(Line::internet, month, v[Input::internet] * money_now);
    ledger.opex(Line::parts, month,
                fleet.out_of_warranty(month) * v[Input::replaced_parts] / kMonthsPerYear * money.accelerators /
                    model.accelerators_per_server * inflation[k]);
    if (month == 1) {
      const double needed = model.servers_for(replicas_at(model.needed, model.traffic[0]));
      details = {.servers = servers,
                 .spares = servers - needed,
                 .availability = fleet.availability(),
                 .stops_per_year = server_stops_per_year(v[Input::server_stops], v[Input::gpu_failures],
                                                         model.accelerators_per_server),
                 .it_kw = power.it_kw,
                 .contract_kw = power.contract_kw,
                 .peak_kw = power.peak_kw,
                 .busy_accelerators = power.busy,
                 .busy_kw = power.busy_kw,
                 .idle_kw = power.idle_kw,
                 .fte = fte,
                 .accelerator_share_of_price = money.server > 0 ? money.accelerators / money.server : 0,
                 .capex_before_tax = money.before_tax(),
                 .servers_at_end = servers};
    }
    details.servers_at_end = servers;
  }
  fleet.sell_all(model.horizon_months);
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
