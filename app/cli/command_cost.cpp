#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/deployment_cost.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "reports/decision_view.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

struct CostArguments {
  CommonOptions common;
  RunOptions run;
  bool inputs = false;
};

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string tenure_text(const sim::TenureCost& cost, int width) {
  std::string text = "\n" + std::string(cost.tenure == "owned" ? "Owned" : "Rented") + ", ";
  if (cost.tenure == "owned") {
    text += std::to_string(cost.servers) + " servers (" + std::to_string(cost.spare_servers) + " spare), ";
  }
  text += std::to_string(cost.accelerators) + " accelerators in month 1; amounts in " + cost.currency + "\n";
  std::size_t widest = 0;
  for (const sim::CostLine& line : cost.lines) widest = std::max(widest, line.key.size());
  const auto row = [&](const std::string& key, sim::Money amount, const std::string& formula) {
    const std::string start = "  " + key + std::string(widest + 1 - std::min(widest, key.size()), ' ') +
                              right(reports::money_full(amount.units(), ""), 13) + "  ";
    return reports::wrap_text(formula, width, start);
  };
  for (const sim::CostLine& line : cost.lines) text += row(line.key, line.total, line.formula);
  text += row("TCO", cost.total, "the sum of the lines, undiscounted");
  text += row("NPV", cost.npv, "the same cash flow, discounted monthly");
  const std::string unit = " " + cost.currency + " per ";
  if (cost.per_million_output_tokens) {
    text += "  " + reports::significant(*cost.per_million_output_tokens, 4) + unit +
            "million output tokens within the targets\n";
  }
  if (cost.per_thousand_inferences) {
    text += "  " + reports::significant(*cost.per_thousand_inferences, 4) + unit +
            "thousand inferences within the targets\n";
  }
  return text;
}

std::string inputs_text(const reports::CostReport& report, int width) {
  std::string text;
  for (const sim::TenureCost& cost : report.tenures) {
    reports::TextTable table({{"Input, " + cost.tenure, false, 0},
                              {"Value", true, 0},
                              {"Low", true, 1},
                              {"High", true, 1},
                              {"Unit", false, 0},
                              {"Known as", false, 3},
                              {"Source", false, 2}});
    for (const sim::CostInput& input : cost.inputs) {
      table.add({input.key, reports::trimmed(input.value.mid, 4), reports::trimmed(input.value.low, 4),
                 reports::trimmed(input.value.high, 4), input.value.unit,
                 input.overridden ? "yours" : std::string(reports::evidence_word(input.value.evidence)),
                 input.value.source});
    }
    text += "\n" + table.render(width);
  }
  return text;
}

std::string cost_text(const reports::CostReport& report, int width, bool with_inputs) {
  std::string text = std::to_string(report.replicas * report.tensor_parallel) + " x " + report.hardware + ", busy " +
                     reports::percent(report.busy_share, 0) + " %, over " + std::to_string(report.horizon_months) +
                     " months\n";
  for (const sim::TenureCost& cost : report.tenures) text += tenure_text(cost, width);
  for (const std::string& why : report.why_no_price) text += "\n" + reports::wrap_text(why, width, "! ");
  if (report.tenures.size() == 2) {
    text += report.break_even_month
                ? "\nOwning is ahead of renting from month " + std::to_string(*report.break_even_month) + " on.\n"
                : "\nOwning does not pay back against renting within the horizon.\n";
  }
  return with_inputs ? text + inputs_text(report, width) : text + "\nEvery input with its source: --inputs, --json.\n";
}

int run_cost(const CostArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const data::Progress progress = make_progress(arguments.common.quiet);
  const auto project = open_project(arguments.common, data::Project::Mode::read_only);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const sim::RunResult run = sim::run_scenario(inputs.scenario, data::Catalog::builtin(),
                                               data::EfficiencyTable::builtin(), inputs.plan_options(progress));
  const reports::CostReport report = price_deployment(inputs, run);
  output.json(reports::to_json(report));
  output.text(cost_text(report, terminal_width(), arguments.inputs));
  output.write();
  return kDone;
}

}  // namespace

void add_cost(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("cost", "The TCO of the scenario's own deployment, line by line");
  command->footer("Example:\n  weir cost llm-chat --json cost.json");
  const auto arguments = std::make_shared<CostArguments>();
  add_scenario_argument(*command, arguments->run);
  command->add_flag("--inputs", arguments->inputs, "Show every economic input with its range and source");
  add_run_options(*command, arguments->run);
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_cost(*arguments); }; });
}

}  // namespace weir::cli
