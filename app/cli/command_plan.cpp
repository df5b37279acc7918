#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/decision_output.h"
#include "app/cli/progress_bar.h"

namespace weir::cli {
namespace {

struct PlanArguments {
  CommonOptions common;
  RunOptions run;
  ReportOptions report;
};

int run_plan(const PlanArguments& arguments) {
  Output output(arguments.common);
  output.prepare({arguments.report.html, arguments.report.csv.ends_with(".csv") ? arguments.report.csv : ""});
  const data::Progress progress = make_progress(arguments.common.quiet);
  auto project = open_project(arguments.common, data::Project::Mode::create);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const reports::Decision decision = decide(inputs, progress);
  const int code = give_decision(output, arguments.report, decision);
  if (project) store_decision(*project, inputs, decision);
  output.write();
  return code;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("plan", "Compare all candidate deployments and rank them by cost");
  command->footer("Example:\n  weir plan llm-chat --trace requests.csv --json plan.json --html plan.html");
  const auto arguments = std::make_shared<PlanArguments>();
  add_scenario_argument(*command, arguments->run);
  add_run_options(*command, arguments->run);
  add_report_options(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_plan(*arguments); }; });
}

}  // namespace weir::cli
