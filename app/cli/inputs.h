#pragma once

#include <optional>
#include <string>

#include "app/cli/common_options.h"
#include "data/calibration.h"
#include "data/scenario.h"
#include "data/store/project.h"
#include "data/trace.h"
#include "reports/decide.h"
#include "sim/plan/plan.h"

namespace weir::cli {

/// Everything a simulation starts from, found by name in the project or read from files.
struct Inputs {
  data::Scenario scenario;  ///< with the one workload that was chosen
  std::optional<data::Trace> trace;
  std::optional<data::Calibration> calibration;
  std::uint64_t seed = 1;
  int threads = 1;

  sim::PlanOptions plan_options(const data::Progress& progress) const;
};

/// The project of --project, made when it does not exist yet; empty without the option.
std::optional<data::Project> open_project(const CommonOptions& common, data::Project::Mode mode);

Inputs load_inputs(const RunOptions& run, const std::optional<data::Project>& project, const data::Progress& progress);

/// Plans with the inputs, as reports::decide does.
reports::Decision decide(const Inputs& inputs, const data::Progress& progress);

}  // namespace weir::cli
