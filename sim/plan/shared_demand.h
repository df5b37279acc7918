#pragma once

#include <cstdint>

#include "data/scenario.h"
#include "sim/workload/drawn_source.h"

namespace weir::sim {

/// Several workloads of one model on one fleet: a workload that has the classes of all, named "workload/class", and the
/// demand that goes with it.
struct SharedDemand {
  data::Workload workload;
  Demand demand;
};

/// All workloads of the scenario, of which there are several; the first is drawn as it is alone, the others with seeds
/// of their own. Throws InputError when they do not serve the same model, or when the scenario looks at what prompts
/// hold, which is not told apart between workloads.
SharedDemand shared_demand(const data::Scenario& scenario, std::uint64_t seed, const data::Progress& progress);

}  // namespace weir::sim
