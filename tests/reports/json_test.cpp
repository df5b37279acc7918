#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/json_io.h"
#include "reports/report.h"
#include "sample_decision.h"

namespace weir::reports {
namespace {

using Json = nlohmann::ordered_json;

void expect_keys(const Json& json, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(json.contains(key)) << key;
}

const std::vector<std::string> kDistribution = {"mean", "p50", "p90", "p95", "p99", "p999", "max"};

TEST(RunJson, HasEveryKeyOfTheContract) {
  const Json json = to_json(testing::run(0.8, 0.04, true));
  EXPECT_EQ(json["schema"], "weir.run/1");
  expect_keys(json, {"scenario", "seed", "requests", "simulated_s", "latency_s", "classes", "throughput", "slo",
                     "utilisation", "energy", "breakdown", "evidence"});
  expect_keys(json["requests"], {"offered", "completed", "rejected", "timed_out", "failed"});
  for (const char* part : {"ttft", "tpot", "itl", "e2e", "queue"}) expect_keys(json["latency_s"][part], kDistribution);
  expect_keys(json["throughput"], {"requests_per_s", "input_tokens_per_s", "output_tokens_per_s"});
  expect_keys(json["slo"], {"attainment", "targets"});
  expect_keys(json["utilisation"], {"gpu_busy", "mfu", "mbu", "kv_occupancy", "batch_size_mean", "prefix_hit_rate"});
  expect_keys(json["energy"], {"joules", "joules_per_output_token"});
  ASSERT_EQ(json["classes"].size(), 1u);
  EXPECT_EQ(json["classes"][0]["latency_s"]["ttft"]["p99"], 0.8);
}

TEST(RunJson, WhatWasNotMeasuredIsNull) {
  sim::RunResult run = testing::run(0.8, 0.04, true);
  run.latency.tpot = {};
  run.slo.attainment.reset();
  const Json json = to_json(run);
  for (const std::string& key : kDistribution) EXPECT_TRUE(json["latency_s"]["tpot"][key].is_null()) << key;
  EXPECT_TRUE(json["slo"]["attainment"].is_null());
  EXPECT_TRUE(json["energy"]["joules"].is_null());
  EXPECT_TRUE(json["utilisation"]["prefix_hit_rate"].is_null());
}

TEST(RunJson, MemoryAndPreemption) {
  sim::RunResult run = testing::run(0.8, 0.04, true);
  run.preemptions = 7;
  run.recomputed_tokens = 900;
  run.prefix_cache_hit_rate = 0.25;
  run.kv_blocks_peak = 0.75;
  run.breakdown.preempted = 0.125;
  run.per_request = {1155, 211, 96, 0.5};
  const Json json = to_json(run);
  EXPECT_EQ(json["preemption"], (Json{{"preemptions", 7}, {"recomputed_tokens", 900}}));
  EXPECT_EQ(json["utilisation"]["prefix_hit_rate"], 0.25);
  EXPECT_EQ(json["utilisation"]["kv_blocks_peak"], 0.75);
  EXPECT_EQ(json["breakdown"]["preempted_s"], 0.125);
  EXPECT_EQ(json["per_request"]["cached_tokens"], 96);
  EXPECT_TRUE(json["replications"].is_null());
  run.requests.completed = 0;
  EXPECT_TRUE(to_json(run)["per_request"].is_null());
}

TEST(RunJson, Replications) {
  sim::Replications all;
  all.seeds = {4, 5};
  all.targets_met = 1;
  all.values = {{"latency_s.ttft.p99", 2, 0.8, 0.7, 0.9, 0.1}, {"slo.attainment", 1, 0.99, 0.99, 0.99, std::nullopt}};
  const Json json = to_json(testing::run(0.8, 0.04, true), &all)["replications"];
  EXPECT_EQ(json["seeds"], (Json{4, 5}));
  EXPECT_EQ(json["targets_met"], 1);
  EXPECT_EQ(json["values"]["latency_s.ttft.p99"],
            (Json{{"n", 2}, {"mean", 0.8}, {"half_width_99", 0.1}, {"min", 0.7}, {"max", 0.9}}));
  EXPECT_TRUE(json["values"]["slo.attainment"]["half_width_99"].is_null());
}

TEST(PlanJson, HasEveryKeyOfTheContract) {
  const Json json = to_json(testing::sample_decision());
  EXPECT_EQ(json["schema"], "weir.plan/1");
  expect_keys(json, {"options", "pareto", "recommendation", "currency", "seed", "horizon_months", "considered",
                     "pruned", "scenario", "checks"});
  expect_keys(json["recommendation"], {"option", "reasons"});
  ASSERT_EQ(json["options"].size(), 6u);
  for (const Json& option : json["options"]) {
    expect_keys(option, {"rank",
                         "hardware",
                         "tenure",
                         "precision",
                         "engine",
                         "tensor_parallel",
                         "pipeline_parallel",
                         "replicas",
                         "accelerators",
                         "servers",
                         "slo_attainment",
                         "ttft_p99_s",
                         "tpot_p99_s",
                         "e2e_p99_s",
                         "utilisation",
                         "capex",
                         "opex_per_year",
                         "tco",
                         "cost_per_million_output_tokens",
                         "break_even_month",
                         "range",
                         "feasible",
                         "why_not",
                         "evidence",
                         "quality",
                         "availability"});
  }
}

TEST(PlanJson, OptionsCarryTheirNumbers) {
  const Json json = to_json(testing::sample_decision());
  const Json& owned = json["options"][0];
  EXPECT_EQ(owned["hardware"], "a100-sxm4-80gb");
  EXPECT_EQ(owned["tco"], 232000.0);
  EXPECT_EQ(owned["opex_per_year"], 24000.0);
  EXPECT_EQ(owned["break_even_month"], 25);
  EXPECT_EQ(owned["range"]["tco"], Json::array({210000.0, 232000.0, 260000.0}));
  EXPECT_EQ(owned["cost"]["months"][36], Json::array({36, 0.0, 2000.0, 40000.0, 232000.0}));
  EXPECT_EQ(owned["classes"][0]["slo"]["attainment"], 0.995);
  const Json& here = json["options"][3];
  EXPECT_EQ(here["hardware"], "this-machine");
  for (const char* key : {"capex", "tco", "cost_per_million_output_tokens", "break_even_month", "cost"})
    EXPECT_TRUE(here[key].is_null()) << key;
  EXPECT_EQ(here["ttft_p99_s"], 0.95);
  const Json& unfit = json["options"][5];
  EXPECT_EQ(unfit["feasible"], false);
  EXPECT_EQ(unfit["why_not"], "does not fit: needs 16.1 GB of 14.4 GB usable");
  for (const char* key : {"replicas", "accelerators", "slo_attainment", "ttft_p99_s"})
    EXPECT_TRUE(unfit[key].is_null()) << key;
  EXPECT_EQ(json["checks"][0]["measured_mad_s"], 0.0002);
  EXPECT_NEAR(json["checks"][0]["relative_error"].get<double>(), -0.04, 1e-9);
}

TEST(PlanJson, HoldsNoClockAndWritesTheSameBytesTwice) {
  const std::string text = data::dump(to_json(testing::sample_decision()));
  EXPECT_EQ(text, data::dump(to_json(testing::sample_decision())));
  EXPECT_EQ(text.find("1999-12-31"), std::string::npos);
}

TEST(PlanJson, SaysWhyNothingMeetsTheTargets) {
  const Json json = to_json(testing::infeasible_decision());
  EXPECT_EQ(json["feasible"], false);
  EXPECT_TRUE(json["recommendation"]["option"].is_null());
  EXPECT_THAT(json["why_not"].get<std::string>(), ::testing::HasSubstr("9.50 s"));
}

TEST(PlanJson, OneShotWorkIsPricedPerThousandInferences) {
  Decision decision = testing::sample_decision();
  decision.plan.scenario.workloads[0].kind = data::WorkloadKind::one_shot;
  decision.plan.options[0].cost->per_thousand_inferences = 0.25;
  const Json option = to_json(decision)["options"][0];
  EXPECT_EQ(option["cost_per_thousand_inferences"], 0.25);
  EXPECT_FALSE(option.contains("cost_per_million_output_tokens"));
}

TEST(ImportJson, HasEveryKeyOfTheContract) {
  data::Trace trace;
  trace.name = "t.csv";
  trace.format = "plain-csv";
  trace.rows = {4, 2, 1, 1};
  trace.rejected = {{3, "input_tokens: \"x\" is not a whole number"}};
  trace.requests = {{0, 10, 5, 1, -1, data::RequestStatus::unknown},
                    {2'000'000'000, 30, 15, 1, -1, data::RequestStatus::unknown}};
  const Json json = import_summary(trace);
  expect_keys(json, {"kind", "format", "rows", "rejected", "warnings", "span_s", "requests", "input_tokens",
                     "output_tokens", "arrival"});
  expect_keys(json["rows"], {"read", "imported", "rejected", "blank"});
  expect_keys(json["input_tokens"], {"sum", "mean", "p50", "p90", "p95", "p99", "max"});
  expect_keys(json["arrival"], {"rate_per_s", "cv", "resolution_s", "busiest_minute", "dispersion_1s"});
  EXPECT_EQ(json["span_s"], 2.0);
  EXPECT_EQ(json["requests"], 2);
  EXPECT_EQ(json["input_tokens"]["sum"], 40.0);
  EXPECT_EQ(json["rejected"][0]["line"], 3);
}

}  // namespace
}  // namespace weir::reports
