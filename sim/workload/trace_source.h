#pragma once

#include "data/progress.h"
#include "data/scenario.h"
#include "data/trace.h"

namespace weir::sim {

/// The trace a scenario names: a file beside the scenario, else an embedded one ("traces/NAME.csv" or "NAME.csv").
/// Throws InputError naming both places when there is none.
data::Trace find_trace(const data::Scenario& scenario, const data::TraceReference& reference,
                       const data::Progress& progress);

}  // namespace weir::sim
