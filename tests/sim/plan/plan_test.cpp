#include "sim/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/errors.h"
#include "sim/plan/candidates.h"
#include "tests/sim/plan/small_plan.h"

namespace weir::sim {
namespace {

using testing::HasSubstr;

TEST(Plan, DoesNotDependOnTheNumberOfThreads) {
  const data::Trace trace = small_trace(20, 400);
  const auto one = fingerprints(small_plan(small_scenario(), trace, 1));
  EXPECT_EQ(one, fingerprints(small_plan(small_scenario(), trace, 3)));
  EXPECT_EQ(one, fingerprints(small_plan(small_scenario(), trace, 1)));
}

TEST(Plan, AnotherSeedDealsTheClassesAnew) {
  const data::Trace trace = small_trace(20, 400);
  const auto offered = [&](std::uint64_t seed) {
    const PlanResult result = small_plan(small_scenario(), trace, 1, seed);
    EXPECT_EQ(result.seed, seed);
    return result.options.front().run.value().classes.front().requests.offered;
  };
  EXPECT_NE(offered(1), offered(2));
}

TEST(Plan, CountsWhatItConsideredAndLeftOut) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.tensor_parallel = {1, 3, 16};
  const PlanResult result = small_plan(scenario, small_trace(5, 50));
  // 3 accelerators x 3 precisions x 3 degrees x 2 tenures.
  EXPECT_EQ(result.considered, 54);
  int pruned = 0;
  for (const auto& [reason, count] : result.pruned) pruned += count;
  EXPECT_EQ(static_cast<int>(result.options.size()) + pruned, result.considered);
  // T4 (Turing) has no FP8: 3 degrees x 2 tenures.
  EXPECT_EQ(result.pruned.at("the hardware does not support the precision"), 6);
  // 3 does not divide 32 heads, on 8 pairs of hardware and precision x 2 tenures.
  EXPECT_EQ(result.pruned.at("tensor parallel does not divide the model's heads"), 16);
  // 16 is above the 8 of H100 and L4 (3 precisions x 2 tenures each); T4 boxes take 16.
  EXPECT_EQ(result.pruned.at("tensor parallel above the accelerators of a server"), 12);
}

TEST(Plan, RanksByCostWithTheInfeasibleLast) {
  const PlanResult result = small_plan(small_scenario(), small_trace(20, 400));
  ASSERT_EQ(result.options.size(), 16u);
  int stage = 0;
  Money last;
  for (std::size_t i = 0; i < result.options.size(); ++i) {
    const PlanOption& o = result.options[i];
    EXPECT_EQ(o.rank, static_cast<int>(i) + 1);
    const int own = o.feasible ? (o.cost ? 0 : 1) : 2;
    EXPECT_GE(own, stage);
    stage = own;
    if (!o.feasible) {
      EXPECT_FALSE(o.why_not.empty());
      EXPECT_FALSE(o.replicas);
      EXPECT_FALSE(o.cost);
      continue;
    }
    EXPECT_TRUE(o.run.value().slo.met);
    EXPECT_EQ(o.run->replicas, *o.replicas);
    EXPECT_EQ(*o.accelerators, *o.replicas * o.tensor_parallel);
    if (!o.cost) continue;
    EXPECT_GE(o.cost->total, last);
    last = o.cost->total;
    const auto& range = o.range.at("tco");
    EXPECT_LE(range[0], range[1]);
    EXPECT_LE(range[1], range[2]);
  }
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(*result.recommendation.option, 0u);
  EXPECT_EQ(result.recommendation.reasons.size(), result.reason_data.size());
  EXPECT_EQ(result.reason_data.front().key, "cheapest");
  EXPECT_THAT(result.recommendation.reasons.front(), HasSubstr("USD over 36 months"));
}

TEST(Plan, ParetoFrontIsNotDominatedAndDominatesTheRest) {
  const PlanResult result = small_plan(small_scenario(), small_trace(20, 400));
  const auto beats = [&](std::size_t a, std::size_t b) {
    const PlanOption &x = result.options[a], &y = result.options[b];
    const double lx = x.run->latency.ttft.p99, ly = y.run->latency.ttft.p99;
    return x.cost->total <= y.cost->total && lx <= ly && (x.cost->total < y.cost->total || lx < ly);
  };
  ASSERT_FALSE(result.pareto.empty());
  EXPECT_EQ(result.pareto.front(), 0u);
  for (std::size_t i = 0; i < result.options.size(); ++i) {
    if (!result.options[i].feasible || !result.options[i].cost) continue;
    const bool on_front = std::ranges::count(result.pareto, i) > 0;
    bool beaten = false;
    for (const std::size_t front : result.pareto) beaten = beaten || beats(front, i);
    EXPECT_EQ(on_front, !beaten) << i;
  }
}

TEST(Plan, OneReplicaFewerMissesTheTargets) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4"};
  scenario.candidates.precisions = {data::Precision::int8};
  const data::Trace trace = small_trace(40, 800);
  const PlanResult result = small_plan(scenario, trace);
  const int replicas = result.options.front().replicas.value();
  ASSERT_GT(replicas, 1);
  PlanOptions options;
  options.trace = &trace;
  scenario.workloads[0].model.weights = scenario.workloads[0].model.activations = data::Precision::int8;
  const auto run = [&](int n) {
    scenario.deployment = {"l4", n, 1};
    return run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  };
  EXPECT_TRUE(run(replicas).slo.met);
  EXPECT_FALSE(run(replicas - 1).slo.met);
  // The plan's run is the run anyone gets.
  EXPECT_EQ(run(replicas).latency.ttft.p99, result.options.front().run->latency.ttft.p99);
}

TEST(Plan, AModelThatDoesNotFitIsAnAnswer) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"t4"};
  scenario.candidates.precisions = {data::Precision::fp16};
  const PlanResult result = small_plan(scenario, small_trace(5, 50));
  EXPECT_FALSE(result.feasible());
  EXPECT_TRUE(result.recommendation.reasons.empty());
  ASSERT_EQ(result.options.size(), 2u);
  EXPECT_THAT(result.options.front().why_not, testing::StartsWith("does not fit: needs"));
  EXPECT_FALSE(result.options.front().run);
}

TEST(Plan, TargetsThatNothingMeetsAreAnswered) {
  data::Scenario scenario = small_scenario();
  scenario.workloads[0].classes[0].slo.ttft_s = {{"p99", 0.001}};
  const PlanResult result = small_plan(scenario, small_trace(5, 50));
  EXPECT_FALSE(result.feasible());
  EXPECT_FALSE(result.recommendation.option);
  for (const PlanOption& o : result.options) {
    if (!o.run) continue;
    EXPECT_THAT(o.why_not, testing::StartsWith("cannot meet: TTFT p99 of interactive is"));
    EXPECT_THAT(o.why_not, HasSubstr("with one request at a time; target 1 ms"));
    EXPECT_FALSE(o.run->slo.met);
  }
}

TEST(Plan, AFleetBelowWhatIsNeededSaysHowManyItTried) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4"};
  scenario.candidates.precisions = {data::Precision::int8};
  scenario.candidates.max_replicas = 1;
  const PlanResult result = small_plan(scenario, small_trace(60, 1200));
  EXPECT_FALSE(result.feasible());
  EXPECT_THAT(result.options.front().why_not, HasSubstr("with 1 replica; target"));
}

TEST(Plan, BreakEvenIsThatOfTheSameDeployment) {
  const PlanResult result = small_plan(small_scenario(), small_trace(20, 400));
  int checked = 0;
  for (const PlanOption& own : result.options) {
    if (own.tenure == "cloud") {
      EXPECT_FALSE(own.break_even_month);
    }
    if (own.tenure != "owned" || !own.cost) continue;
    for (const PlanOption& rent : result.options) {
      if (rent.tenure != "cloud" || !rent.cost || rent.hardware != own.hardware || rent.precision != own.precision)
        continue;
      EXPECT_EQ(own.break_even_month, break_even_month(*own.cost, *rent.cost));
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(Plan, QualityIsKnownOnlyWhereItIsTheReferenceOrGiven) {
  data::Scenario scenario = small_scenario();
  scenario.workloads[0].model.weights = data::Precision::int8;
  scenario.workloads[0].model.activations = data::Precision::int8;
  scenario.workloads[0].model.quality = "-0.3 on a task (a paper)";
  for (const PlanOption& o : small_plan(scenario, small_trace(5, 50)).options) {
    const std::string expected = o.precision == data::Precision::fp16   ? "reference precision"
                                 : o.precision == data::Precision::int8 ? "-0.3 on a task (a paper)"
                                                                        : "unknown: test before buying";
    EXPECT_EQ(o.quality, expected);
  }
}

TEST(Plan, UsesTheUsersPrice) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4"};
  scenario.candidates.precisions = {data::Precision::int8};
  scenario.candidates.tenures = {"owned"};
  scenario.cost.overrides["server_price_usd.l4"] = 12345;
  const PlanResult result = small_plan(scenario, small_trace(5, 50));
  ASSERT_TRUE(result.options.front().cost);
  EXPECT_THAT(result.options.front().cost->lines.front().formula, HasSubstr("12,345 USD"));
  const auto given = std::ranges::find(result.cost_inputs, "server_price_usd.l4", &CostInput::key);
  ASSERT_NE(given, result.cost_inputs.end());
  EXPECT_TRUE(given->overridden);
}

TEST(Plan, FillsDefaultsAndReportsThem) {
  data::Scenario scenario = small_scenario();
  scenario.candidates = {};
  scenario.deployment.accelerator = "l4";
  scenario.workloads[0].model.weights = scenario.workloads[0].model.activations = data::Precision::int8;
  const PlanResult result = small_plan(scenario, small_trace(5, 50));
  EXPECT_EQ(result.scenario.candidates.accelerators, std::vector<std::string>{"l4"});
  EXPECT_EQ(result.scenario.candidates.tenures, (std::vector<std::string>{"owned", "cloud"}));
  EXPECT_TRUE(result.scenario.cost.discount_rate);
  EXPECT_EQ(result.options.size(), 2u);
}

TEST(Plan, RefusesWhatItCannotPlan) {
  data::Scenario scenario = small_scenario();
  for (data::RequestClass& c : scenario.workloads[0].classes) c.slo = {};
  EXPECT_THROW(small_plan(scenario, small_trace(5, 50)), data::InputError);
  scenario = small_scenario();
  scenario.workloads[0].model.id = "llama-3.1-8bb";
  EXPECT_THROW(small_plan(scenario, small_trace(5, 50)), data::InputError);
  scenario = small_scenario();
  scenario.candidates.accelerators = {"this-machine"};
  EXPECT_THROW(small_plan(scenario, small_trace(5, 50)), data::InputError);
}

TEST(Plan, ReportsProgressAndCanBeCancelled) {
  const data::Trace trace = small_trace(20, 400);
  PlanOptions options;
  options.trace = &trace;
  options.threads = 2;
  double last = -1;
  options.progress = [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    last = fraction;
    return true;
  };
  plan(small_scenario(), data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  EXPECT_EQ(last, 1);
  options.progress = [](double, std::string_view) { return false; };
  EXPECT_THROW(plan(small_scenario(), data::Catalog::builtin(), data::EfficiencyTable::builtin(), options),
               data::Cancelled);
}

TEST(Candidates, SpanServersOnlyOverANetwork) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"h100-sxm5-80gb"};
  scenario.candidates.precisions = {data::Precision::fp16};
  scenario.candidates.tensor_parallel = {16};
  const auto list = [&] {
    return list_candidates(scenario, scenario.workloads.front(), data::Catalog::builtin(), nullptr);
  };
  scenario.candidates.tenures = {"cloud"};
  EXPECT_EQ(list().variants.size(), 0u);
  EXPECT_EQ(list().pruned.at("tensor parallel above the accelerators of a server"), 1);
  scenario.deployment.links.network = "ib-ndr-400";
  ASSERT_EQ(list().variants.size(), 1u);
  EXPECT_EQ(list().variants.front().replica.network->id, "ib-ndr-400");
}

}  // namespace
}  // namespace weir::sim
