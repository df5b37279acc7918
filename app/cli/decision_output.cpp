#include "app/cli/decision_output.h"

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "data/json_io.h"

namespace weir::cli {

int give_decision(Output& output, const ReportOptions& report, const reports::Decision& decision) {
  output.json(reports::to_json(decision));
  add_csv(output, report.csv, decision);
  if (!report.html.empty()) output.file(report.html, reports::decision_html(decision));
  output.text(reports::decision_text(decision, terminal_width()));
  return decision.plan.feasible() ? kDone : kNothingMeetsTargets;
}

void store_scenario(data::Project& project, const data::Scenario& scenario) {
  project.put_document("scenario", scenario.name, data::dump(data::to_json(scenario)));
  if (!scenario.folder.empty()) {
    const nlohmann::ordered_json folder = std::filesystem::absolute(scenario.folder).string();
    project.put_document(kScenarioFolder, scenario.name, data::dump(folder));
  }
}

void store_decision(data::Project& project, const Inputs& inputs, const reports::Decision& decision) {
  const std::string& name = decision.plan.scenario.name;
  if (inputs.trace) project.put_trace(*inputs.trace);
  if (inputs.calibration) {
    project.put_document("calibration", inputs.calibration->device_id, data::dump(data::to_json(*inputs.calibration)));
  }
  store_scenario(project, inputs.scenario);
  project.put_document("plan", name, data::dump(reports::to_json(decision)));
}

}  // namespace weir::cli
