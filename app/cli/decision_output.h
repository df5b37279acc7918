#pragma once

#include "app/cli/inputs.h"
#include "app/cli/output.h"

namespace weir::cli {

/// Puts a decision on every output that was asked for. Returns the exit code: 4 when nothing meets the targets.
int give_decision(Output& output, const ReportOptions& report, const reports::Decision& decision);

/// Stores a scenario, and beside it the folder in which its relative trace names are looked for.
void store_scenario(data::Project& project, const data::Scenario& scenario);

/// Stores what a plan was made of and the plan itself: scenario, trace, calibration and plan, under the scenario's
/// name.
void store_decision(data::Project& project, const Inputs& inputs, const reports::Decision& decision);

}  // namespace weir::cli
