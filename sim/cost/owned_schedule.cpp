#include <algorithm>
#include <cmath>
#include <cstdint>

#include "data/errors.h"
#include "sim/cost/owned_model.h"
#include "sim/cost/rates.h"
#include "sim/cost/readable_number.h"
#include "sim/cost/spares.h"

namespace weir::sim {
namespace {

constexpr double kMostAccelerators = 1e8;  // of a fleet; beyond it the input is a mistake

/// Servers bought together; `start` = whole months after today.
struct Cohort {
  int start = 0, paid_month = 0;
  double servers = 0;
};

/// The fleet as it changes month by month.
class Fleet {
 public:
  Fleet(const OwnedModel& model, const InputValues& values, FleetSchedule& schedule)
      : model_(model), v_(values), schedule_(schedule) {
    const double stops =
        server_stops_per_year(v_[Input::server_stops], v_[Input::gpu_failures], model.accelerators_per_server);
    availability_ = server_availability(stops, v_[Input::repair_hours]);
    life_months_ = static_cast<int>(std::lround(v_[Input::life_years] * kMonthsPerYear));
  }

  /// Servers bought for and held in month m = 1 .. horizon, after retiring what is at its end of life.
  void in_month(int month, FleetMonth& fleet) {
    const int start = month - 1;
    for (Cohort& cohort : cohorts_) {
      if (start - cohort.start >= life_months_) {
        sell(cohort, month, start);
        cohort.servers = 0;
      }
      fleet.servers += cohort.servers;
    }
    const double needed = with_spares(model_.servers_for(replicas_at(model_.needed, fleet.traffic)));
    if (needed > fleet.servers) {
      fleet.servers_bought = needed - fleet.servers;
      cohorts_.push_back({start, start == 0 ? 0 : month, fleet.servers_bought});
      fleet.servers = needed;
    }
    fleet.accelerators = fleet.servers * model_.accelerators_per_server;
    fleet.out_of_warranty = out_of_warranty(month);
  }

  void sell_all(int month) {
    for (const Cohort& cohort : cohorts_) sell(cohort, month, month);
  }

  double availability() const { return availability_; }

 private:
  double out_of_warranty(int month) const {
    double servers = 0;
    for (const Cohort& cohort : cohorts_) {
      if (month - cohort.start > v_[Input::warranty_years] * kMonthsPerYear) servers += cohort.servers;
    }
    return servers * model_.accelerators_per_server;
  }

  double with_spares(double servers) {
    if (servers != last_needed_) {
      last_needed_ = servers;
      last_spares_ = static_cast<double>(
          spare_servers(static_cast<std::int64_t>(servers), availability_, v_[Input::target_availability]));
    }
    return servers + last_spares_;
  }

  void sell(const Cohort& cohort, int month, int now) {
    if (cohort.servers <= 0) return;
    schedule_.lots.push_back({cohort.paid_month, month, now - cohort.start, cohort.servers});
  }

  const OwnedModel& model_;
  const InputValues& v_;
  FleetSchedule& schedule_;
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

FleetSchedule schedule_owned(const OwnedModel& model, const InputValues& v, OwnedDetails& details) {
  FleetSchedule schedule;
  schedule.accelerators_per_server = model.accelerators_per_server;
  schedule.accelerators_resold = model.tdp_kw > 0;
  schedule.months.resize(static_cast<std::size_t>(model.horizon_months));
  Fleet fleet(model, v, schedule);
  for (int month = 1; month <= model.horizon_months; ++month) {
    FleetMonth& now = schedule.months[static_cast<std::size_t>(month - 1)];
    now.traffic = model.traffic[static_cast<std::size_t>(month - 1)];
    fleet.in_month(month, now);
    const MonthPower power = month_power(model, v, now.servers, now.traffic);
    now.mean_kw = power.it_kw;
    now.peak_kw = power.peak_kw;
    now.nameplate_kw = power.contract_kw;
    if (month == 1) {
      details.servers = now.servers;
      details.spares = now.servers - model.servers_for(replicas_at(model.needed, now.traffic));
      details.availability = fleet.availability();
      details.stops_per_year =
          server_stops_per_year(v[Input::server_stops], v[Input::gpu_failures], model.accelerators_per_server);
      details.it_kw = power.it_kw;
      details.contract_kw = power.contract_kw;
      details.peak_kw = power.peak_kw;
      details.busy_accelerators = power.busy;
      details.busy_kw = power.busy_kw;
      details.idle_kw = power.idle_kw;
    }
    details.servers_at_end = now.servers;
  }
  fleet.sell_all(model.horizon_months);
  return schedule;
}

}  // namespace weir::sim
