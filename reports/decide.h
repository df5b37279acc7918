#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "data/progress.h"
#include "data/scenario.h"
#include "data/store/project.h"
#include "data/trace.h"
#include "reports/report.h"

/// How every program of Weir comes to a decision and keeps it, so that they give the same digits and read each other's
/// files.
namespace weir::reports {

/// Everything a decision rests on. Trace and calibration are the caller's.
struct DecisionInputs {
  data::Scenario scenario;
  const data::Trace* trace = nullptr;              ///< empty: the scenario's own demand
  const data::Calibration* calibration = nullptr;  ///< empty: no measured machine
  std::uint64_t seed = 1;                          ///< normally scenario.seed
  int threads = 1;
  data::Progress progress = {};
  sim::CapacityCache* cache = nullptr;
};

/// Plans, and puts the machine's held-out layers beside their predictions when there is a calibration. `weir_version`
/// is written into the decision. Throws as sim::plan does.
Decision decide(const DecisionInputs& inputs, const std::string& weir_version);

/// Whole layers of the calibration that were never fitted, predicted from the samples that were.
std::vector<LayerCheck> check_layers(const data::Calibration& calibration);

// ---- The documents of a project that a decision is kept in ----

/// Kind of the documents that hold the folder of a stored scenario's relative trace names.
inline constexpr const char* kScenarioFolder = "scenario-folder";

/// A scenario of the project with its folder; empty when there is none of this name. Throws InputError.
std::optional<data::Scenario> stored_scenario(const data::Project& project, const std::string& name);
/// The documents of a scenario: itself, and beside it the folder in which its relative trace names are looked for.
std::vector<data::Document> scenario_documents(const data::Scenario& scenario);
data::Document calibration_document(const data::Calibration& calibration);
data::Document plan_document(const Decision& decision);

/// What a stored plan was made of, by the names the project has it under; empty strings and values where it had none.
struct PlanRecipe {
  std::string trace, calibration;
  std::optional<std::uint64_t> seed;
};
/// Empty when the project has no plan of this name.
std::optional<PlanRecipe> stored_recipe(const data::Project& project, const std::string& name);

}  // namespace weir::reports
