#pragma once

#include "sim/plan/plan.h"

namespace weir::sim {

/// Fills recommendation and reason_data of a result whose options are ranked; leaves both empty when nothing is
/// feasible.
void recommend(PlanResult& result);

}  // namespace weir::sim
