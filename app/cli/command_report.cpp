#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/decision_output.h"
#include "app/cli/progress_bar.h"
#include "data/errors.h"
#include "data/json_io.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ReportArguments {
  CommonOptions common;
  RunOptions run;
  ReportOptions report;
};

/// The plan to report: the one named, else the only one in the project.
std::string choose_plan(const data::Project& project, const std::string& project_file, const std::string& wanted) {
  const std::vector<std::string> names = project.document_names("plan");
  if (wanted.empty() && names.size() == 1) return names.front();
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  if (names.empty()) {
    throw data::InputError(project_file, "", "",
                           "has no plan yet: make one with weir plan SCENARIO --project " + project_file);
  }
  throw data::InputError(project_file, "", "", "has several plans, name one of: " + known);
}

/// A stored plan is made again from its stored inputs: same seed, same trace, same calibration, hence the same result.
/// Options on the command line win over what the plan was made of.
RunOptions recipe_of(const data::Project& project, const std::string& name, RunOptions run) {
  const reports::PlanRecipe recipe = reports::stored_recipe(project, name).value_or(reports::PlanRecipe{});
  run.scenario = name;
  if (!run.seed) run.seed = recipe.seed;
  if (run.trace.empty()) run.trace = recipe.trace;
  if (run.calibration.empty()) run.calibration = recipe.calibration;
  return run;
}

int run_report(const ReportArguments& arguments) {
  Output output(arguments.common);
  require_paper(arguments.report);
  output.prepare(files_of(arguments.report));
  const data::Progress progress = make_progress(arguments.common);
  const auto project = open_project(arguments.common, data::Project::Mode::read_only);
  RunOptions run = arguments.run;
  std::optional<std::string> stored;
  if (project && (run.scenario.empty() || project->document("plan", run.scenario))) {
    const std::string name =
        run.scenario.empty() ? choose_plan(*project, arguments.common.project, run.scenario) : run.scenario;
    stored = project->document("plan", name);
    run = recipe_of(*project, name, run);
  } else if (run.scenario.empty()) {
    throw data::InputError("SCENARIO", "", "", "name a scenario, or a project with a plan in it (--project FILE)");
  }
  const reports::Decision decision = decide(load_inputs(run, project, progress), progress);
  if (stored && data::dump(reports::to_json(decision)) != *stored) {
    output.note(reports::say(
        arguments.common.language,
        "the plan in the project was made with other options or another version; this report is newly calculated"));
  }
  const reports::Language language = arguments.common.language;
  const int code = give_decision(output, arguments.report, decision, language);
  const std::string problem = give_paper(output, arguments.report, decision, language);
  output.write();
  if (!problem.empty()) throw data::SystemError(problem);
  return code;
}

}  // namespace

void add_report(CLI::App& app, Action& action, reports::Language language) {
  using reports::say;
  auto* command =
      app.add_subcommand("report", say(language, "Write a decision as HTML page, PDF, workbook, CSV tables and JSON"));
  command->footer(say(language, "Example:\n  weir report --project chat.weir --pdf decision.pdf --xlsx decision.xlsx"));
  const auto arguments = std::make_shared<ReportArguments>();
  add_scenario_argument(*command, arguments->run, language, false);
  add_run_options(*command, arguments->run, language);
  add_report_options(*command, arguments->report, language);
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace weir::cli
