#pragma once

#include <map>

#include "data/embedded.h"
#include "data/scenario.h"
#include "reports/report.h"

/// The scenarios that come with the program, really planned on fewer candidates; each once a test program.
namespace weir::reports::testing {

inline const Decision& real_decision(const std::string& name) {
  static std::map<std::string, Decision> planned;
  const auto found = planned.find(name);
  if (found != planned.end()) return found->second;
  data::Scenario scenario = data::find_scenario(name);
  scenario.candidates.tensor_parallel = {1};  // half the time, the same sentences

  sim::PlanOptions options;
  options.seed = scenario.seed;
  options.threads = 2;
  Decision decision;
  decision.weir_version = "0.1.0";
  decision.plan = sim::plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  return planned.emplace(name, std::move(decision)).first->second;
}

inline constexpr const char* kBuiltinScenarios[] = {"llm-chat", "bert-text-classification"};

}  // namespace weir::reports::testing
