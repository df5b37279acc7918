#include "app/cli/inputs.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/import/trace_import.h"
#include "data/json_io.h"

namespace weir::cli {
namespace fs = std::filesystem;
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

/// Leaves only the workload that was asked for, so that results speak of it alone.
void choose_workload(data::Scenario& scenario, const std::string& name) {
  if (name.empty()) return;
  std::vector<std::string> names;
  for (const data::Workload& workload : scenario.workloads) {
    if (workload.name == name) {
      scenario.workloads = {data::Workload(workload)};
      return;
    }
    names.push_back(workload.name);
  }
  throw data::InputError("--workload", "", name, "the scenario has: " + listed(names));
}

data::Scenario load_scenario(const std::string& name, const std::optional<data::Project>& project) {
  if (project) {
    if (auto stored = reports::stored_scenario(*project, name)) return *std::move(stored);
  }
  return data::find_scenario(name);
}

data::Trace load_trace(const std::string& name, const std::optional<data::Project>& project,
                       const data::Progress& progress) {
  if (project) {
    if (auto stored = project->trace(name)) return *std::move(stored);
    if (!fs::exists(name)) {
      throw data::InputError(
          "--trace", "", name,
          "neither a file nor a trace of the project (it has: " + listed(project->trace_names()) + ")");
    }
  }
  data::ImportOptions options;
  options.as = "trace";
  options.progress = progress;
  return data::import_trace(name, options);
}

data::Calibration load_calibration(const std::string& name, const std::optional<data::Project>& project) {
  if (project) {
    if (const auto stored = project->document("calibration", name)) {
      return data::calibration_from_json(nlohmann::ordered_json::parse(*stored), name);
    }
    if (!fs::exists(name)) {
      throw data::InputError("--calibration", "", name,
                             "neither a file nor a calibration of the project (it has: " +
                                 listed(project->document_names("calibration")) + ")");
    }
  }
  return data::load_calibration(name);
}

}  // namespace

sim::PlanOptions Inputs::plan_options(const data::Progress& progress) const {
  sim::PlanOptions options;
  options.seed = seed;
  options.threads = threads;
  options.trace = trace ? &*trace : nullptr;
  options.calibration = calibration ? &*calibration : nullptr;
  options.progress = progress;
  return options;
}

std::optional<data::Project> open_project(const CommonOptions& common, data::Project::Mode mode) {
  if (common.project.empty()) return std::nullopt;
  return data::Project::open(common.project, mode);
}

Inputs load_inputs(const RunOptions& run, const std::optional<data::Project>& project, const data::Progress& progress) {
  Inputs inputs;
  inputs.scenario = load_scenario(run.scenario, project);
  choose_workload(inputs.scenario, run.workload);
  inputs.seed = run.seed.value_or(inputs.scenario.seed);
  inputs.threads = run.threads;
  if (!run.calibration.empty()) inputs.calibration = load_calibration(run.calibration, project);
  if (!run.trace.empty()) inputs.trace = load_trace(run.trace, project, progress);
  return inputs;
}

reports::Decision decide(const Inputs& inputs, const data::Progress& progress) {
  reports::DecisionInputs all{.scenario = inputs.scenario,
                              .trace = inputs.trace ? &*inputs.trace : nullptr,
                              .calibration = inputs.calibration ? &*inputs.calibration : nullptr,
                              .seed = inputs.seed,
                              .threads = inputs.threads,
                              .progress = progress};
  return reports::decide(all, WEIR_VERSION);
}

}  // namespace weir::cli
