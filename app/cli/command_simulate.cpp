#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/decision_output.h"
#include "app/cli/progress_bar.h"
#include "data/json_io.h"
#include "reports/decision_view.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using reports::seconds_text;

struct SimulateArguments {
  CommonOptions common;
  RunOptions run;
};

void add_distribution(reports::TextTable& table, const std::string& what, const sim::Distribution& d) {
  if (d.n == 0) return;
  table.add({what, seconds_text(d.mean), seconds_text(d.p50), seconds_text(d.p90), seconds_text(d.p95),
             seconds_text(d.p99), seconds_text(d.p999), seconds_text(d.max)});
}

void add_latencies(reports::TextTable& table, const std::string& name, const sim::LatencySummary& latency) {
  add_distribution(table, name + "TTFT", latency.ttft);
  add_distribution(table, name + "TPOT", latency.tpot);
  add_distribution(table, name + "ITL", latency.itl);
  add_distribution(table, name + "E2E", latency.e2e);
  add_distribution(table, name + "queue", latency.queue);
}

std::string targets_text(const sim::SloResult& slo, int width) {
  if (slo.targets.empty()) return "";
  reports::TextTable table({{"Target", false, 0}, {"Limit", true, 0}, {"Value", true, 0}, {"", false, 0}});
  for (const sim::SloTarget& target : slo.targets) {
    table.add({target.class_name + " " + target.metric + " " + target.percentile, seconds_text(target.limit_s),
               target.value_s ? seconds_text(*target.value_s) : "-", target.met ? "met" : "MISSED"});
  }
  std::string text = "\n" + table.render(width);
  if (slo.attainment) {
    text += reports::percent(*slo.attainment) + " % of requests kept all their limits (" +
            reports::shortest(slo.required_attainment * 100) + " % required)\n";
  }
  return text;
}

std::string evidence_text(const sim::RunResult& run, int width) {
  std::string text = "\nThe times rest on\n";
  for (const sim::EvidenceNote& note : run.evidence) {
    text += reports::wrap_text(
        note.what + ", " + std::string(reports::evidence_word(note.evidence)) + ": " + note.source, width, "  - ");
  }
  return text;
}

std::string run_text(const sim::RunResult& run, const data::Scenario& scenario, int width) {
  const sim::RequestCounts& n = run.requests;
  std::string text = std::to_string(run.replicas) + " x " + scenario.deployment.accelerator;
  if (scenario.deployment.tensor_parallel > 1) text += " x " + std::to_string(scenario.deployment.tensor_parallel);
  text += ", " + scenario.workloads.front().model.id + ", seed " + std::to_string(run.seed) + "\n";
  text += reports::grouped(n.offered) + " requests offered: " + reports::grouped(n.completed) + " completed, " +
          reports::grouped(n.rejected) + " rejected, " + reports::grouped(n.timed_out) + " timed out, " +
          reports::grouped(n.failed) + " failed, in " + reports::span_text(run.simulated_s) + "\n";
  text += reports::significant(run.requests_per_s, 3) + " requests/s, " +
          reports::significant(run.input_tokens_per_s, 4) + " input and " +
          reports::significant(run.output_tokens_per_s, 4) + " output tokens/s; busy " +
          reports::percent(run.gpu_busy, 0) + " %, MFU " + reports::percent(run.mfu) + " %, MBU " +
          reports::percent(run.mbu) + " %, batch " + reports::significant(run.batch_size_mean, 3) + ", KV cache " +
          reports::percent(run.kv_occupancy, 0) + " %\n\n";
  reports::TextTable table({{"Latency", false, 0},
                            {"Mean", true, 0},
                            {"P50", true, 0},
                            {"P90", true, 2},
                            {"P95", true, 3},
                            {"P99", true, 0},
                            {"P99.9", true, 1},
                            {"Max", true, 1}});
  add_latencies(table, "", run.latency);
  if (run.classes.size() > 1) {
    for (const sim::ClassResult& c : run.classes) add_latencies(table, c.name + " ", c.latency);
  }
  return text + table.render(width) + targets_text(run.slo, width) + evidence_text(run, width);
}

int run_simulate(const SimulateArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const data::Progress progress = make_progress(arguments.common.quiet);
  auto project = open_project(arguments.common, data::Project::Mode::create);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const sim::RunResult run = sim::run_scenario(inputs.scenario, data::Catalog::builtin(),
                                               data::EfficiencyTable::builtin(), inputs.plan_options(progress));
  const nlohmann::ordered_json document = reports::to_json(run);
  output.json(document);
  output.text(run_text(run, inputs.scenario, terminal_width()));
  if (project) {
    store_scenario(*project, inputs.scenario);
    if (inputs.trace) project->put_trace(*inputs.trace);
    project->put_document("run", inputs.scenario.name, data::dump(document));
  }
  output.write();
  return run.slo.met ? kDone : kNothingMeetsTargets;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("simulate", "Run the scenario's own deployment under its load");
  command->footer(
      "Exit code 4 says that this deployment misses a target; the result is written all the same.\n"
      "Example:\n  weir simulate llm-chat --seed 2 --json run.json");
  const auto arguments = std::make_shared<SimulateArguments>();
  add_scenario_argument(*command, arguments->run);
  add_run_options(*command, arguments->run);
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_simulate(*arguments); }; });
}

}  // namespace weir::cli
