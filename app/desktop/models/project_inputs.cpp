#include "app/desktop/models/project_inputs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/json_io.h"
#include "reports/decide.h"

namespace weir::desktop {
namespace {

using Json = nlohmann::ordered_json;

/// Kind of the documents that name the trace and the calibration a scenario is planned with.
constexpr const char* kInputs = "inputs";
/// Kind and name of the document that says which scenario was edited last.
constexpr const char* kDesktop = "desktop";
constexpr const char* kCurrent = "current";

std::string text_under(const std::optional<std::string>& document, const char* key) {
  if (!document) return "";
  const Json json = data::parse_json(*document, kInputs);
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The one edited last, else the first with a plan, else the first.
std::string choose_scenario(const data::Project& project, const std::string& file) {
  const std::vector<std::string> names = project.document_names("scenario");
  if (names.empty()) {
    throw data::InputError(file, "", "", "has no scenario: make one with weir plan SCENARIO --project " + file);
  }
  const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  std::string last = text_under(project.document(kDesktop, kCurrent), "scenario");
  if (has(last)) return last;
  for (const std::string& name : project.document_names("plan")) {
    if (has(name)) return name;
  }
  return names.front();
}

reports::PlanRecipe recipe_of(const data::Project& project, const std::string& name) {
  const auto stored = project.document(kInputs, name);
  if (!stored) return reports::stored_recipe(project, name).value_or(reports::PlanRecipe());
  return {text_under(stored, "trace"), text_under(stored, "calibration"), std::nullopt};
}

}  // namespace

std::string text_of(const data::Scenario& scenario) {
  try {
    return data::dump(data::to_json(scenario));
  } catch (const std::logic_error&) {
    throw data::InputError(scenario.name, "", "", "expected finite numbers");
  }
}

data::Scenario checked(const data::Scenario& scenario) {
  data::Scenario read = data::scenario_from_json(data::to_json(scenario), scenario.name);
  read.folder = scenario.folder;  // the text does not have it
  return read;
}

ProjectInputs read_inputs(const data::Project& project, const std::string& file) {
  const std::string name = choose_scenario(project, file);
  ProjectInputs inputs;
  inputs.scenario = reports::stored_scenario(project, name).value();
  inputs.text = text_of(inputs.scenario);
  const reports::PlanRecipe recipe = recipe_of(project, name);
  if (!recipe.trace.empty()) {
    auto trace = project.trace(recipe.trace);
    if (!trace) throw data::InputError(file, "", recipe.trace, "the trace of " + name + " is not in the project");
    inputs.trace = std::make_shared<const data::Trace>(*std::move(trace));
  }
  if (!recipe.calibration.empty()) {
    const auto stored = project.document("calibration", recipe.calibration);
    if (!stored) {
      throw data::InputError(file, "", recipe.calibration, "the calibration of " + name + " is not in the project");
    }
    inputs.calibration = std::make_shared<const data::Calibration>(
        data::calibration_from_json(data::parse_json(*stored, recipe.calibration), recipe.calibration));
  }
  return inputs;
}

std::vector<data::Document> documents_of(const ProjectInputs& inputs) {
  std::vector<data::Document> documents = reports::scenario_documents(inputs.scenario);
  const std::string& name = inputs.scenario.name;
  const Json made_of = {{"schema", "weir.inputs/1"},
                        {"trace", inputs.trace ? Json(inputs.trace->name) : Json()},
                        {"calibration", inputs.calibration ? Json(inputs.calibration->device_id) : Json()}};
  documents.push_back({kInputs, name, data::dump(made_of)});
  documents.push_back({kDesktop, kCurrent, data::dump(Json{{"scenario", name}})});
  return documents;
}

void remove_scenario(data::Project& project, const std::string& name) {
  for (const char* kind : {"scenario", reports::kScenarioFolder, kInputs, "plan"}) project.remove_document(kind, name);
}

}  // namespace weir::desktop
