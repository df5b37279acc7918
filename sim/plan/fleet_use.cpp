#include "sim/plan/fleet_use.h"

#include <algorithm>

namespace weir::sim {

FleetUse fleet_use(const ReplicaSpec& replica, const data::Workload& workload, const RunResult& run,
                   const MemoryPlan& memory) {
  FleetUse use;
  use.accelerator = replica.accelerator;
  use.replicas = run.replicas;
  use.accelerators_per_replica = replica.accelerators();
  use.busy_share = run.gpu_busy;
  if (run.gpu_busy > 0) use.power_share_x = std::min(1.0, std::max(run.mfu, run.mbu) / run.gpu_busy);
  use.growth_per_year = workload.growth_per_year;
  if (workload.kind == data::WorkloadKind::one_shot) {
    const double kept = run.slo.attainment.value_or(1) * static_cast<double>(run.requests.offered);
    use.inferences_per_s = run.simulated_s > 0 ? kept / run.simulated_s : 0;
  } else {
    use.output_tokens_per_s = run.output_tokens_within_slo_per_s;
  }
  use.stored_bytes = memory.weights_bytes * replica.accelerators();
  return use;
}

}  // namespace weir::sim
