#pragma once

#include <string>
#include <vector>

#include "data/catalog.h"
#include "sim/cost/cost.h"
#include "sim/cost/economic_inputs.h"
#include "sim/cost/fleet_schedule.h"
#include "sim/cost/ledger.h"

namespace weir::sim {

/// A rented fleet, always on at the size the traffic of each month needs.
struct CloudModel {
  double accelerators_per_replica = 1;
  double needed = 1;  ///< replicas today's traffic needs, as a fraction: replicas / load factor
  double stored_gb = 0;
  int price_fixed_months = 1;   ///< a reserved price changes only when the term is renewed
  std::vector<double> traffic;  ///< by month - 1
  int horizon_months = 0;
};

/// What is rented month by month, no prices in it.
FleetSchedule schedule_cloud(const CloudModel& model);

/// Cash flow by month into `ledger`; the schedule it rests on into `schedule` unless that is null.
void evaluate_cloud(const CloudModel& model, const InputValues& values, Ledger& ledger,
                    FleetSchedule* schedule = nullptr);

struct PreparedCloud {
  CloudModel model;
  EconomicInputs inputs;
  std::string why_not;
};
PreparedCloud prepare_cloud(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog);

}  // namespace weir::sim
