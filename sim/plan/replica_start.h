#pragma once

#include <cstdint>
#include <vector>

#include "data/catalog.h"
#include "data/scenario.h"
#include "sim/timing/deployment_timer.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// How long one more replica takes to come up.
struct StartUp {
  double seconds = 0;
  std::vector<EvidenceNote> notes;  ///< empty when the scenario says the whole time
};

/// The scenario's own time, or its boot time and then the weights of all ranks (`weights_bytes` each) read from its
/// storage.
StartUp start_up(const data::Autoscaling& scaling, double weights_bytes, const ReplicaSpec& replica,
                 const data::Catalog& catalog);

/// Work a replica gets through in a second, for routers that compare replicas of different pools: requests of 1,024
/// tokens in and 256 out in full batches (an assumption: only the ratio of two pools counts, and it hardly depends on
/// the lengths); one-shot: items of 128 tokens.
double replica_speed(const StepTimer& timer, data::WorkloadKind kind, const data::Serving& serving,
                     std::int64_t kv_tokens);

}  // namespace weir::sim
