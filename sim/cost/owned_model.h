#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "sim/cost/cost.h"
#include "sim/cost/economic_inputs.h"
#include "sim/cost/fleet_schedule.h"
#include "sim/cost/ledger.h"

namespace weir::sim {

/// Traffic relative to today at the start of each month: (1 + growth)^((m-1)/12), m = 1 .. horizon, at index m - 1.
/// Throws InputError when the fleet would leave every sensible size.
std::vector<double> traffic_factors(const FleetUse& use, int horizon_months);

/// Replicas today's traffic needs, as a fraction.
double needed_replicas(const FleetUse& use);
/// ceil(replicas x factor), at least 1; a factor that is a whole ratio up to rounding does not add a replica.
double replicas_at(double replicas, double factor);

/// Busy power as a share of TDP: clip(a + b x, 0.2, 1), the fit of measured serving (economics: power).
double busy_power_share(double a, double b, double x);

/// What one owned fleet is, apart from the economic values: the structure that is evaluated once for the answer and
/// many times for its range.
struct OwnedModel {
  double replicas = 1, accelerators_per_replica = 1, accelerators_per_server = 1;
  double needed = 1;  ///< replicas today's traffic needs, as a fraction: replicas / load factor
  double busy_share = 0, power_share_x = 0;
  double tdp_kw = 0;  ///< 0 = unknown: then only the host is counted
  std::optional<double> idle_kw;
  bool eight_gpu_host = false;  ///< host power of an 8-GPU server, else of a 2U PCIe server
  std::vector<double> traffic;  ///< by month - 1
  int horizon_months = 0;

  /// Servers that hold this many replicas. A replica's group of accelerators stays inside a server when it fits in one.
  double servers_for(double replica_count) const;
};

/// Month 1 of an evaluation, for the words of the formulas.
struct OwnedDetails {
  double servers = 0, spares = 0, availability = 0, stops_per_year = 0;
  double it_kw = 0, contract_kw = 0, peak_kw = 0, busy_accelerators = 0, busy_kw = 0, idle_kw = 0, fte = 0;
  double accelerator_share_of_price = 0;  ///< what of a server's price is accelerators
  double capex_before_tax = 0;            ///< per server, in currency
  double servers_at_end = 0;
};

/// The fleet month by month, no prices in it; fills the physical part of `details`.
FleetSchedule schedule_owned(const OwnedModel& model, const InputValues& values, OwnedDetails& details);

/// Cash flow by month into `ledger`, in the currency 1 USD = values[exchange_rate]; the schedule it rests on into
/// `schedule` unless that is null.
OwnedDetails evaluate_owned(const OwnedModel& model, const InputValues& values, Ledger& ledger,
                            FleetSchedule* schedule = nullptr);

/// Share of the accelerators' price that is left after `months`: linear between the yearly points, from 1 at 0; after
/// the fifth year the value of the fifth.
double residual_share(const InputValues& values, double months);

/// An owned fleet and its inputs; `why_not` says what is missing.
struct PreparedOwned {
  OwnedModel model;
  EconomicInputs inputs;
  std::string why_not;
  std::string chassis_key;
};
PreparedOwned prepare_owned(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog);

}  // namespace weir::sim
