#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/decision_output.h"
#include "app/cli/progress_bar.h"
#include "data/errors.h"

namespace weir::cli {
namespace {

struct PlanArguments {
  CommonOptions common;
  RunOptions run;
  ReportOptions report;
};

int run_plan(const PlanArguments& arguments) {
  Output output(arguments.common);
  require_paper(arguments.report);
  output.prepare(files_of(arguments.report));
  const data::Progress progress = make_progress(arguments.common);
  auto project = open_project(arguments.common, data::Project::Mode::create);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const reports::Decision decision = decide(inputs, progress);
  const reports::Language language = arguments.common.language;
  const int code = give_decision(output, arguments.report, decision, language);
  const std::string problem = give_paper(output, arguments.report, decision, language);
  if (project) store_decision(*project, inputs, decision);
  output.write();
  if (!problem.empty()) throw data::SystemError(problem);
  return code;
}

}  // namespace

void add_plan(CLI::App& app, Action& action, reports::Language language) {
  using reports::say;
  auto* command = app.add_subcommand("plan", say(language, "Compare all candidate deployments and rank them by cost"));
  command->footer(say(language, "Example:\n  weir plan llm-chat --trace requests.csv --html plan.html --pdf plan.pdf"));
  const auto arguments = std::make_shared<PlanArguments>();
  add_scenario_argument(*command, arguments->run, language);
  add_run_options(*command, arguments->run, language);
  add_report_options(*command, arguments->report, language);
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_plan(*arguments); }; });
}

}  // namespace weir::cli
