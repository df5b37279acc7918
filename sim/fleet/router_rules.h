#pragma once

#include "data/scenario.h"
#include "sim/fleet/router.h"

namespace weir::sim {

/// What serving.router and serving.routing say, for a fleet that always has at least `replicas`. Throws InputError for
/// a name that is not known, and when no replica is left for requests of low priority.
RouterRules router_rules(const data::Serving& serving, int replicas);

}  // namespace weir::sim
