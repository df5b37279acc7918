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
#include "sim/fleet/replications.h"

namespace weir::cli {
namespace {

using reports::Language;
using reports::say;
using reports::seconds_text;

struct SimulateArguments {
  CommonOptions common;
  RunOptions run;
  int replications = 1;
};

void add_distribution(reports::TextTable& table, const std::string& what, const sim::Distribution& d) {
  if (d.n == 0) return;
  table.add({what, seconds_text(d.mean), seconds_text(d.p50), seconds_text(d.p90), seconds_text(d.p95),
             seconds_text(d.p99), seconds_text(d.p999), seconds_text(d.max)});
}

void add_latencies(reports::TextTable& table, const std::string& name, const sim::LatencySummary& latency,
                   Language language) {
  add_distribution(table, name + "TTFT", latency.ttft);
  add_distribution(table, name + "TPOT", latency.tpot);
  add_distribution(table, name + "ITL", latency.itl);
  add_distribution(table, name + "E2E", latency.e2e);
  add_distribution(table, name + say(language, "queue"), latency.queue);
}

std::string targets_text(const sim::SloResult& slo, Language language, int width) {
  if (slo.targets.empty()) return "";
  reports::TextTable table({{say(language, "Target"), false, 0},
                            {say(language, "Limit"), true, 0},
                            {say(language, "Value"), true, 0},
                            {"", false, 0}});
  for (const sim::SloTarget& target : slo.targets) {
    table.add({target.class_name + " " + target.metric + " " + target.percentile, seconds_text(target.limit_s),
               target.value_s ? seconds_text(*target.value_s) : "-", say(language, target.met ? "met" : "MISSED")});
  }
  std::string text = "\n" + table.render(width);
  if (slo.attainment) {
    text += say(language, "{share} % of requests kept all their limits ({required} % required)",
                {{"share", reports::percent(*slo.attainment)},
                 {"required", reports::shortest(slo.required_attainment * 100)}}) +
            "\n";
  }
  return text;
}

std::string evidence_text(const sim::RunResult& run, Language language, int width) {
  std::string text = "\n" + say(language, "The times rest on") + "\n";
  for (const sim::EvidenceNote& note : run.evidence) {
    text += reports::wrap_text(reports::translate(language, note.what) + say(language, ", ") +
                                   reports::evidence_word(note.evidence, language) + say(language, ": ") +
                                   reports::translate(language, note.source),
                               width, "  - ");
  }
  return text;
}

std::string counts_text(const sim::RunResult& run, Language language) {
  const sim::RequestCounts& n = run.requests;
  return say(language,
             "{offered} requests offered: {completed} completed, {rejected} rejected, {timed_out} timed out, {failed} "
             "failed, in {span}",
             {{"offered", reports::grouped(n.offered)},
              {"completed", reports::grouped(n.completed)},
              {"rejected", reports::grouped(n.rejected)},
              {"timed_out", reports::grouped(n.timed_out)},
              {"failed", reports::grouped(n.failed)},
              {"span", reports::span_text(run.simulated_s, language)}});
}

std::string use_text(const sim::RunResult& run, Language language) {
  return say(language,
             "{requests} requests/s, {input} input and {output} output tokens/s; busy {busy} %, MFU {mfu} %, MBU {mbu} "
             "%, batch {batch}, KV cache {kv} %",
             {{"requests", reports::significant(run.requests_per_s, 3)},
              {"input", reports::significant(run.input_tokens_per_s, 4)},
              {"output", reports::significant(run.output_tokens_per_s, 4)},
              {"busy", reports::percent(run.gpu_busy, 0)},
              {"mfu", reports::percent(run.mfu)},
              {"mbu", reports::percent(run.mbu)},
              {"batch", reports::significant(run.batch_size_mean, 3)},
              {"kv", reports::percent(run.kv_occupancy, 0)}});
}

/// What only some runs have.
std::string memory_text(const sim::RunResult& run, Language language) {
  std::string text;
  if (run.requests.failed > 0) {
    text += say(language,
                "{failed} requests failed at once: longer than the KV cache or than a step of these rules can hold",
                {{"failed", reports::grouped(run.requests.failed)}}) +
            "\n";
  }
  if (run.preemptions > 0) {
    text +=
        say(language, "{preemptions} preemptions for want of KV cache, {tokens} tokens read again",
            {{"preemptions", reports::grouped(run.preemptions)}, {"tokens", reports::grouped(run.recomputed_tokens)}}) +
        "\n";
  }
  if (run.prefix_cache_hit_rate) {
    text += say(language, "prefix cache: {share} % of the prompt tokens looked up were found",
                {{"share", reports::percent(*run.prefix_cache_hit_rate)}}) +
            "\n";
  }
  return text;
}

/// What became of the replicas.
std::string fleet_text(const sim::RunResult& run, Language language) {
  std::string text;
  for (const sim::PoolResult& pool : run.pools) {
    text += say(language, "pool {hardware}: busy {busy} %, MFU {mfu} %, {tokens} output tokens",
                {{"hardware", std::to_string(pool.replicas) + " x " + pool.accelerator},
                 {"busy", reports::percent(pool.gpu_busy, 0)},
                 {"mfu", reports::percent(pool.mfu)},
                 {"tokens", reports::grouped(pool.output_tokens)}}) +
            "\n";
  }
  if (!run.fleet) return text;
  const sim::FleetRecord& fleet = *run.fleet;
  text += say(language,
              "{hours} replica hours, {mean} replicas on average, {peak} at most; {down} % of them failed or under "
              "maintenance",
              {{"hours", reports::significant(fleet.replica_hours, 4)},
               {"mean", reports::significant(fleet.replicas_mean, 3)},
               {"peak", std::to_string(fleet.replicas_peak)},
               {"down", reports::percent(fleet.down_share)}}) +
          "\n";
  if (fleet.failures + fleet.retried + run.requests.lost > 0) {
    text += say(language, "{failures} failures: {retried} requests sent again, {lost} lost",
                {{"failures", reports::grouped(fleet.failures)},
                 {"retried", reports::grouped(fleet.retried)},
                 {"lost", reports::grouped(run.requests.lost)}}) +
            "\n";
  }
  if (fleet.scale_ups + fleet.scale_downs > 0) {
    text += say(language, "autoscaling: {ups} times more replicas, {downs} times fewer",
                {{"ups", reports::grouped(fleet.scale_ups)}, {"downs", reports::grouped(fleet.scale_downs)}}) +
            "\n";
  }
  return text;
}

/// A row of the table over all runs.
struct ReplicatedRow {
  std::string value;  ///< sim::ReplicatedValue::name
  std::string words;
  bool seconds = true;  ///< else a share, in %
};

std::vector<ReplicatedRow> replicated_rows(Language language) {
  const std::string mean = say(language, "Mean") + " ";
  return {{"latency_s.ttft.mean", mean + "TTFT"},
          {"latency_s.ttft.p99", "P99 TTFT"},
          {"latency_s.tpot.mean", mean + "TPOT"},
          {"latency_s.tpot.p99", "P99 TPOT"},
          {"latency_s.e2e.mean", mean + "E2E"},
          {"latency_s.e2e.p99", "P99 E2E"},
          {"latency_s.queue.mean", mean + say(language, "queue")},
          {"slo.attainment", say(language, "kept all limits, %"), false},
          {"utilisation.gpu_busy", say(language, "busy, %"), false}};
}

std::string replications_text(const sim::Replications& all, Language language, int width) {
  reports::TextTable table({{say(language, "Over all runs"), false, 0},
                            {say(language, "Mean"), true, 0},
                            {"± 99 %", true, 0},
                            {say(language, "Least"), true, 1},
                            {say(language, "Greatest"), true, 1}});
  for (const ReplicatedRow& row : replicated_rows(language)) {
    for (const sim::ReplicatedValue& v : all.values) {
      if (v.name != row.value) continue;
      const auto text = [&](double value) { return row.seconds ? seconds_text(value) : reports::percent(value); };
      table.add({row.words, text(v.mean), v.half_width_99 ? text(*v.half_width_99) : "-", text(v.min), text(v.max)});
    }
  }
  return "\n" +
         say(language, "{runs} runs, seeds {first} to {last}; {met} met all targets",
             {{"runs", std::to_string(all.seeds.size())},
              {"first", std::to_string(all.seeds.front())},
              {"last", std::to_string(all.seeds.back())},
              {"met", std::to_string(all.targets_met)}}) +
         "\n" + table.render(width);
}

std::string run_text(const sim::RunResult& run, const data::Scenario& scenario, Language language, int width) {
  std::string hardware = std::to_string(run.replicas) + " x " + scenario.deployment.accelerator;
  for (const sim::PoolResult& pool : run.pools) {
    const std::string one = std::to_string(pool.replicas) + " x " + pool.accelerator;
    hardware = &pool == &run.pools.front() ? one : hardware + " + " + one;
  }
  const data::DeploymentChoice& d = scenario.deployment;
  const int ranks = d.tensor_parallel * d.parallel.pipeline * d.parallel.expert;
  if (ranks > 1) hardware += " x " + std::to_string(ranks);
  std::string text = say(language, "{hardware}, {model}, seed {seed}",
                         {{"hardware", hardware},
                          {"model", scenario.workloads.front().model.id},
                          {"seed", std::to_string(run.seed)}}) +
                     "\n" + counts_text(run, language) + "\n" + use_text(run, language) + "\n" +
                     memory_text(run, language) + fleet_text(run, language) + "\n";
  reports::TextTable table({{say(language, "Latency"), false, 0},
                            {say(language, "Mean"), true, 0},
                            {"P50", true, 0},
                            {"P90", true, 2},
                            {"P95", true, 3},
                            {"P99", true, 0},
                            {"P99.9", true, 1},
                            {say(language, "Max"), true, 1}});
  add_latencies(table, "", run.latency, language);
  if (run.classes.size() > 1) {
    for (const sim::ClassResult& c : run.classes) add_latencies(table, c.name + " ", c.latency, language);
  }
  return text + table.render(width) + targets_text(run.slo, language, width) + evidence_text(run, language, width);
}

int run_simulate(const SimulateArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const data::Progress progress = make_progress(arguments.common);
  auto project = open_project(arguments.common, data::Project::Mode::create);
  const Inputs inputs = load_inputs(arguments.run, project, progress);
  const sim::ReplicatedRun runs = sim::replicate(inputs.seed, arguments.replications, inputs.threads, progress,
                                                 [&](std::uint64_t seed, const data::Progress& inner) {
                                                   sim::PlanOptions options = inputs.plan_options(inner);
                                                   options.seed = seed;
                                                   return sim::run_scenario(inputs.scenario, data::Catalog::builtin(),
                                                                            data::EfficiencyTable::builtin(), options);
                                                 });
  const bool several = arguments.replications > 1;
  const nlohmann::ordered_json document = reports::to_json(runs.first, several ? &runs.replications : nullptr);
  output.json(document);
  const Language language = arguments.common.language;
  std::string text = run_text(runs.first, inputs.scenario, language, terminal_width());
  if (several) text += replications_text(runs.replications, language, terminal_width());
  output.text(text);
  if (project) {
    store_scenario(*project, inputs.scenario);
    if (inputs.trace) project->put_trace(*inputs.trace);
    project->put_document("run", inputs.scenario.name, data::dump(document));
  }
  output.write();
  return runs.replications.targets_met == arguments.replications ? kDone : kNothingMeetsTargets;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action, Language language) {
  auto* command = app.add_subcommand("simulate", say(language, "Run the scenario's own deployment under its load"));
  command->footer(
      say(language,
          "Exit code 4 says that this deployment misses a target, in one of the runs if there are several;\n"
          "the result is written all the same.\n"
          "Example:\n  weir simulate llm-chat --seed 2 --replications 10 --json run.json"));
  const auto arguments = std::make_shared<SimulateArguments>();
  add_scenario_argument(*command, arguments->run, language);
  add_run_options(*command, arguments->run, language);
  command
      ->add_option(
          "--replications", arguments->replications,
          say(language, "Independent runs, 1 to 1000, with the seeds that follow: means and 99 % intervals over them"))
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_simulate(*arguments); }; });
}

}  // namespace weir::cli
