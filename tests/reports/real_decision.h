#pragma once

#include "data/scenario.h"
#include "reports/report.h"

namespace weir::reports::testing {

/// A scenario that comes with the program, really planned; without tensor parallelism it takes half the time and says
/// the same sentences.
inline Decision plan_scenario(const std::string& name) {
  data::Scenario scenario = data::find_scenario(name);
  scenario.candidates.tensor_parallel = {1};
  sim::PlanOptions options;
  options.seed = scenario.seed;
  options.threads = 2;
  Decision decision;
  decision.weir_version = "0.1.0";
  decision.plan = sim::plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  return decision;
}

}  // namespace weir::reports::testing
