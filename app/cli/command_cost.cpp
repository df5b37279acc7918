#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/deployment_cost.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "reports/decision_view.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using reports::Language;
using reports::say;

struct CostArguments {
  CommonOptions common;
  RunOptions run;
  bool inputs = false;
};

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string tenure_head(const sim::TenureCost& cost, Language language) {
  const std::string cards = std::to_string(cost.accelerators),
                    currency = reports::currency_name(cost.currency, language);
  if (cost.tenure == "owned") {
    return say(language,
               "Owned, {servers} servers ({spare} spare), {cards} accelerators in month 1; amounts in {currency}",
               {{"servers", std::to_string(cost.servers)},
                {"spare", std::to_string(cost.spare_servers)},
                {"cards", cards},
                {"currency", currency}});
  }
  return say(language, "Rented, {cards} accelerators in month 1; amounts in {currency}",
             {{"cards", cards}, {"currency", currency}});
}

std::string unit_costs(const sim::TenureCost& cost, Language language) {
  const auto line = [&](std::string_view english, double amount) {
    return "  " +
           say(language, english,
               {{"amount", reports::significant(amount, 4)},
                {"currency", reports::currency_name(cost.currency, language)}}) +
           "\n";
  };
  std::string text;
  if (cost.per_million_output_tokens)
    text += line("{amount} {currency} per million output tokens within the targets", *cost.per_million_output_tokens);
  if (cost.per_thousand_inferences)
    text += line("{amount} {currency} per thousand inferences within the targets", *cost.per_thousand_inferences);
  return text;
}

std::string tenure_text(const sim::TenureCost& cost, Language language, int width) {
  std::string text = "\n" + tenure_head(cost, language) + "\n";
  int widest = 0;
  for (const sim::CostLine& line : cost.lines)
    widest = std::max(widest, reports::display_width(reports::words_of_key(line.key, language)));
  const auto row = [&](const std::string& name, sim::Money amount, const std::string& formula) {
    const int blanks = 1 + std::max(0, widest - reports::display_width(name));
    const std::string start = "  " + name + std::string(static_cast<std::size_t>(blanks), ' ') +
                              right(reports::money_full(amount.units(), ""), 13) + "  ";
    return reports::wrap_text(reports::translate(language, formula), width, start);
  };
  for (const sim::CostLine& line : cost.lines)
    text += row(reports::words_of_key(line.key, language), line.total, line.formula);
  text += row("TCO", cost.total, "the sum of the lines, undiscounted");
  text += row("NPV", cost.npv, "the same cash flow, discounted monthly");
  return text + unit_costs(cost, language);
}

std::string inputs_text(const reports::CostReport& report, Language language, int width) {
  std::string text;
  for (const sim::TenureCost& cost : report.tenures) {
    reports::TextTable table({{say(language, cost.tenure == "owned" ? "Input, owned" : "Input, cloud"), false, 0},
                              {say(language, "Value"), true, 0},
                              {say(language, "Low"), true, 1},
                              {say(language, "High"), true, 1},
                              {say(language, "Unit"), false, 0},
                              {say(language, "Known as"), false, 3},
                              {say(language, "Source"), false, 2}});
    for (const sim::CostInput& input : cost.inputs) {
      table.add({input.key, reports::trimmed(input.value.mid, 4), reports::trimmed(input.value.low, 4),
                 reports::trimmed(input.value.high, 4), say(language, input.value.unit),
                 input.overridden ? say(language, "yours") : reports::evidence_word(input.value.evidence, language),
                 input.value.source});
    }
    text += "\n" + table.render(width);
  }
  return text;
}

std::string payback_line(const reports::CostReport& report, Language language) {
  if (report.tenures.size() != 2) return "";
  if (!report.break_even_month)
    return "\n" + say(language, "Owning does not pay back against renting within the horizon.") + "\n";
  return "\n" +
         say(language, "Owning is ahead of renting from month {month} on.",
             {{"month", std::to_string(*report.break_even_month)}}) +
         "\n";
}

std::string cost_text(const reports::CostReport& report, Language language, int width, bool with_inputs) {
  std::string text = say(language, "{cards} x {hardware}, busy {busy} %, over {months} months",
                         {{"cards", std::to_string(report.accelerators)},
                          {"hardware", report.hardware},
                          {"busy", reports::percent(report.busy_share, 0)},
                          {"months", std::to_string(report.horizon_months)}}) +
                     "\n";
  for (const sim::TenureCost& cost : report.tenures) text += tenure_text(cost, language, width);
  for (const std::string& why : report.why_no_price)
    text += "\n" + reports::wrap_text(reports::translate(language, why), width, "! ");
  text += payback_line(report, language);
  if (with_inputs) return text + inputs_text(report, language, width);
  return text + "\n" + say(language, "Every input with its source: --inputs, --json.") + "\n";
}

int run_cost(const CostArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const data::Progress progress = make_progress(arguments.common);
  const auto project = open_project(arguments.common, data::Project::Mode::read_only);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const sim::RunResult run = sim::run_scenario(inputs.scenario, data::Catalog::builtin(),
                                               data::EfficiencyTable::builtin(), inputs.plan_options(progress));
  const reports::CostReport report = price_deployment(inputs, run);
  output.json(reports::to_json(report));
  output.text(cost_text(report, arguments.common.language, terminal_width(), arguments.inputs));
  output.write();
  return kDone;
}

}  // namespace

void add_cost(CLI::App& app, Action& action, Language language) {
  auto* command = app.add_subcommand("cost", say(language, "The TCO of the scenario's own deployment, line by line"));
  command->footer(say(language, "Example:\n  weir cost llm-chat --json cost.json"));
  const auto arguments = std::make_shared<CostArguments>();
  add_scenario_argument(*command, arguments->run, language);
  command->add_flag("--inputs", arguments->inputs,
                    say(language, "Show every economic input with its range and source"));
  add_run_options(*command, arguments->run, language);
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_cost(*arguments); }; });
}

}  // namespace weir::cli
