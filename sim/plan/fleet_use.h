#pragma once

#include "data/scenario.h"
#include "sim/cost/cost.h"
#include "sim/metrics/run_result.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim {

/// What a run says to the cost model about the fleet it ran on. load_factor and timing_relative_error are left unknown.
FleetUse fleet_use(const ReplicaSpec& replica, const data::Workload& workload, const RunResult& run,
                   const MemoryPlan& memory);

}  // namespace weir::sim
