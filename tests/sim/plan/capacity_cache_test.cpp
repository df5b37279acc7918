#include "sim/plan/capacity_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "data/errors.h"
#include "tests/sim/plan/small_plan.h"

namespace weir::sim {
namespace {

using Edit = std::function<void(data::Scenario&)>;

data::Scenario tiny_scenario() {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"h100-sxm5-80gb", "l4"};
  scenario.candidates.precisions = {data::Precision::fp16};
  scenario.workloads.front().growth_per_year = 0.4;
  return scenario;
}

std::vector<std::string> planned(const data::Scenario& scenario, const data::Trace& trace, CapacityCache* cache,
                                 std::uint64_t seed = 1, int* progress_calls = nullptr) {
  PlanOptions options;
  options.seed = seed;
  options.trace = &trace;
  options.cache = cache;
  options.progress = [&](double, std::string_view) {
    if (progress_calls != nullptr) ++*progress_calls;
    return true;
  };
  return fingerprints(plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options));
}

TEST(CapacityCache, AnEditGivesWhatItGivesWithoutTheCache) {
  const data::Trace trace = small_trace(10, 300);
  CapacityCache cache;
  data::Scenario scenario = tiny_scenario();
  const std::vector<Edit> edits = {[](data::Scenario&) {},
                                   [](data::Scenario& s) { s.cost.overrides["server_price_usd.l4"] = 20'000; },
                                   [](data::Scenario& s) { s.cost.horizon_months = 60; },
                                   [](data::Scenario& s) { s.workloads[0].growth_per_year = 2; },
                                   [](data::Scenario& s) { s.workloads[0].growth_per_year = -0.1; },
                                   [](data::Scenario& s) { s.cost.overrides["gpu_power_b"] = 0.1; },
                                   [](data::Scenario& s) { s.workloads[0].classes[0].slo.ttft_s["p99"] = 0.1; },
                                   [](data::Scenario& s) { s.serving.max_batch = 4; },
                                   [](data::Scenario& s) { s.candidates.max_replicas = 1; },
                                   [](data::Scenario& s) { s.workloads[0].classes[0].name = "other"; },
                                   [](data::Scenario& s) { s = tiny_scenario(); }};
  for (std::size_t i = 0; i < edits.size(); ++i) {
    edits[i](scenario);
    const auto anew = planned(scenario, trace, nullptr);
    EXPECT_EQ(planned(scenario, trace, &cache), anew) << "edit " << i;
    EXPECT_EQ(planned(scenario, trace, &cache), anew) << "edit " << i << ", warm";
  }
  EXPECT_EQ(planned(scenario, small_trace(10, 301), &cache), planned(scenario, small_trace(10, 301), nullptr));
  EXPECT_EQ(planned(scenario, trace, &cache, 5), planned(scenario, trace, nullptr, 5));
}

TEST(CapacityCache, APriceOrAHorizonSimulatesNothing) {
  const data::Trace trace = small_trace(10, 300);
  CapacityCache cache;
  data::Scenario scenario = tiny_scenario();
  int first = 0, price = 0;
  planned(scenario, trace, &cache, 1, &first);
  const std::size_t entries = cache.size();
  EXPECT_EQ(entries, 2u);  // one a variant
  scenario.cost.overrides["server_price_usd.l4"] = 20'000;
  planned(scenario, trace, &cache, 1, &price);
  // Of the progress only the end of each variant is left: simulations report far more often.
  EXPECT_EQ(price, 2);
  EXPECT_GT(first, price);
  EXPECT_EQ(cache.size(), entries);
}

TEST(CapacityCache, KeepsTheLatest) {
  CapacityCache cache(2);
  const auto a = cache.memo("a");
  cache.memo("b");
  EXPECT_EQ(cache.memo("a"), a);  // now the latest
  cache.memo("c");                // pushes b out
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.memo("a"), a);
  a->keep_carries(1.5, true);
  EXPECT_EQ(cache.memo("a")->carries(1.5), std::optional(true));
  EXPECT_EQ(cache.memo("b")->carries(1.5), std::nullopt);
}

TEST(CapacityCache, ACancelledPlanLeavesNothingHalf) {
  const data::Trace trace = small_trace(10, 300);
  const data::Scenario scenario = tiny_scenario();
  const auto anew = planned(scenario, trace, nullptr);
  CapacityCache cache;
  for (int after = 0; after < 20; ++after) {
    int calls = 0;
    PlanOptions options;
    options.trace = &trace;
    options.cache = &cache;
    options.progress = [&](double, std::string_view) { return calls++ < after; };
    try {
      plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
    } catch (const data::Cancelled&) {
    }
  }
  EXPECT_EQ(planned(scenario, trace, &cache), anew);
}

}  // namespace
}  // namespace weir::sim
