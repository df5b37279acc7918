#pragma once

#include "sim/model/sharded_model.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim {

/// The model of a replica as one of its ranks holds it. Throws InputError (see ShardedModel).
ShardedModel rank_model(const ReplicaSpec& replica);
/// The same, undivided.
ShardedModel whole_model(const ReplicaSpec& replica);
/// A processor of this machine: no driver context, no kernel launches.
bool is_cpu(const data::Accelerator& accelerator);

}  // namespace weir::sim
