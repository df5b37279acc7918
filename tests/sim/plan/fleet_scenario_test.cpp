// Scenarios whose fleets are mixed, scaled, shared or fail, from the document to the result.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "sim/plan/plan.h"

namespace weir::sim {
namespace {

using Json = nlohmann::ordered_json;

Json scenario_json() {
  return Json::parse(R"({
    "schema": "weir.scenario/1",
    "workloads": [{
      "name": "chat", "model": {"id": "llama-3.1-8b"},
      "classes": [{"name": "all", "arrivals": {"rate_per_s": 3},
                   "input_tokens": {"distribution": "fixed", "mean": 400},
                   "output_tokens": {"distribution": "fixed", "mean": 40},
                   "slo": {"ttft_s": {"p99": 2}}}]}],
    "deployment": {"accelerator": "a100-sxm4-80gb", "replicas": 2}})");
}

RunResult run(const Json& json) {
  const data::Scenario scenario = data::scenario_from_json(json, "test");
  PlanOptions options;
  options.seed = 3;
  return run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
}

void refused(const Json& json, const std::string& pointer) {
  try {
    const data::Scenario scenario = data::scenario_from_json(json, "test");
    PlanOptions options;
    plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
    ADD_FAILURE() << "not refused: " << pointer;
  } catch (const data::InputError& problem) {
    EXPECT_NE(std::string(problem.what()).find(pointer), std::string::npos) << problem.what();
  }
}

TEST(FleetScenario, MixedPoolsAreWeighedByTheirSpeed) {
  Json json = scenario_json();
  json["deployment"] = Json::parse(R"({"pools": [{"accelerator": "h800-sxm5-80gb", "replicas": 1},
                                                 {"accelerator": "a100-sxm4-80gb", "replicas": 1, "cloud": true}]})");
  const RunResult r = run(json);
  ASSERT_EQ(r.pools.size(), 2u);
  EXPECT_EQ(r.pools[0].accelerator, "h800-sxm5-80gb");
  EXPECT_GT(r.pools[0].output_tokens, r.pools[1].output_tokens);  // the faster of the two
  EXPECT_EQ(r.pools[0].output_tokens + r.pools[1].output_tokens, 40 * r.requests.completed);
  EXPECT_NEAR(*r.joules, *r.pools[0].joules + *r.pools[1].joules, 1e-6);
  refused(json, "/deployment/pools");
}

TEST(FleetScenario, ASinglePoolIsTheDeployment) {
  Json json = scenario_json();
  const RunResult one = run(json);
  json["deployment"] = Json::parse(R"({"pools": [{"accelerator": "a100-sxm4-80gb", "replicas": 2}]})");
  const RunResult pool = run(json);
  EXPECT_EQ(one.latency.e2e.p99, pool.latency.e2e.p99);
  EXPECT_EQ(*one.joules, *pool.joules);
  EXPECT_TRUE(pool.pools.empty());
}

// The start of a replica is the boot time and then 16.06 GB of weights at 2.133 GB/s of a network disk.
TEST(FleetScenario, AReplicaStartsByReadingItsWeights) {
  Json json = scenario_json();
  json["workloads"][0]["classes"][0]["arrivals"]["rate_per_s"] = 40;
  json["deployment"]["replicas"] = 1;
  json["fleet"]["autoscaling"] =
      Json{{"metric", "outstanding"}, {"target", 8}, {"max", 4}, {"interval_s", 10}, {"boot_s", 20}};
  const RunResult slow = run(json);
  ASSERT_TRUE(slow.fleet);
  EXPECT_GT(slow.fleet->scale_ups, 0);
  EXPECT_GT(slow.fleet->replicas_peak, 1);
  // Paid for while they start: more than what takes requests.
  EXPECT_GT(slow.fleet->replicas_mean, slow.fleet->open_mean);
  json["fleet"]["autoscaling"].erase("boot_s");
  json["fleet"]["autoscaling"]["start_up_s"] = 0;
  const RunResult fast = run(json);
  EXPECT_LT(fast.latency.ttft.p99, slow.latency.ttft.p99);
  EXPECT_EQ(fast.evidence.size() + 3, slow.evidence.size());  // storage, copies, boot time
  refused(json, "/fleet/autoscaling");
}

TEST(FleetScenario, WorkloadsOfOneModelShareTheFleet) {
  Json json = scenario_json();
  const RunResult alone = run(json);
  Json second = json["workloads"][0];
  second["name"] = "code";
  json["workloads"].push_back(second);
  const RunResult both = run(json);
  ASSERT_EQ(both.classes.size(), 2u);
  EXPECT_EQ(both.classes[0].name, "chat/all");
  EXPECT_EQ(both.classes[1].name, "code/all");
  EXPECT_EQ(both.classes[0].requests.offered, alone.requests.offered);
  EXPECT_EQ(both.classes[0].requests.offered + both.classes[1].requests.offered, both.requests.offered);
  EXPECT_GE(both.latency.e2e.mean, alone.latency.e2e.mean);
  EXPECT_EQ(both.slo.targets.size(), 2u);
  json["workloads"][1]["model"]["weights"] = "int8";
  EXPECT_THROW(run(json), data::InputError);
  json["workloads"][1]["model"].erase("weights");
  json["serving"]["prefix_cache"] = true;
  EXPECT_THROW(run(json), data::InputError);
}

TEST(FleetScenario, APlanSimulatesFailures) {
  Json json = scenario_json();
  json["workloads"][0]["classes"][0]["arrivals"]["rate_per_s"] = 10;
  json["candidates"] = Json{{"accelerators", {"a100-sxm4-80gb"}}, {"max_replicas", 64}};
  const auto replicas = [](const Json& document) {
    const data::Scenario scenario = data::scenario_from_json(document, "test");
    const PlanResult result = plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), {});
    return result.options.front().replicas.value_or(1000);
  };
  const int calm = replicas(json);
  json["fleet"]["failures"] = Json{{"mtbf_h", 0.2}, {"repair_h", 0.2}};
  EXPECT_GT(replicas(json), calm);
}

TEST(FleetScenario, RefusesWhatDoesNotGoTogether) {
  Json json = scenario_json();
  json["fleet"]["autoscaling"] = Json{{"metric", "queue"}, {"target", 4}, {"min", 5}, {"max", 4}};
  refused(json, "/fleet/autoscaling/max");
  json["fleet"]["autoscaling"] = Json{{"metric", "schedule"}, {"max", 4}};
  refused(json, "/fleet/autoscaling/schedule");
  json["fleet"]["autoscaling"] = Json{{"metric", "queue"}, {"target", 4}, {"max", 4}, {"weights_from", "tape"}};
  refused(json, "/fleet/autoscaling/weights_from");
  json["fleet"] = Json{{"failures", {{"mtbf_h", 1}, {"repair_h", 1}, {"on_failure", "lose"}, {"max_retries", 2}}}};
  refused(json, "/fleet/failures/max_retries");
  json.erase("fleet");
  json["serving"] = Json{{"router", "priority"}};
  refused(json, "/serving/routing");
  json["serving"] = Json{{"router", "random"}, {"routing", {{"by_speed", true}}}};
  refused(json, "/serving/routing/by_speed");
  json.erase("serving");
  json["deployment"]["pools"] = Json::parse(R"([{"accelerator": "t4"}])");
  refused(json, "/deployment/accelerator");
}

TEST(FleetScenario, WritesWhatItReads) {
  Json json = scenario_json();
  json["serving"] = Json{{"router", "priority"}, {"routing", {{"kept_replicas", 1}, {"from_priority", 3}}}};
  json["fleet"] = Json::parse(R"({"failures": {"mtbf_h": 500, "repair_h": 2, "retry_delay_s": 3},
                                  "maintenance": {"every_h": 100, "lasts_h": 1, "drain": false},
                                  "contention": {"share_of_time": 0.1, "slowdown": 1.5, "mean_s": 3}})");
  const data::Scenario read = data::scenario_from_json(json, "test");
  const data::Scenario again = data::scenario_from_json(data::to_json(read), "test");
  EXPECT_EQ(again.fleet, read.fleet);
  EXPECT_EQ(again.serving.routing, read.serving.routing);
  EXPECT_EQ(data::to_json(again), data::to_json(read));
  EXPECT_EQ(read.fleet.failures->max_retries, 3);
}

}  // namespace
}  // namespace weir::sim
