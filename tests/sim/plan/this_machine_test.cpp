// The machine that was measured as one more candidate of a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/errors.h"
#include "tests/sim/plan/small_plan.h"

namespace weir::sim {
namespace {

data::Sample gemm(data::Precision precision, double m, double flops_per_s, double bytes_per_s) {
  constexpr double kN = 4096, kK = 4096;
  data::Sample s;
  s.op = "gemm";
  s.precision = precision;
  s.shape = {{"m", m}, {"n", kN}, {"k", kK}};
  s.flops = 2 * m * kN * kK;
  s.bytes = kN * kK * data::bytes_per_element(precision);
  s.median_s = std::max(s.flops / flops_per_s, s.bytes / bytes_per_s) * 1.3;
  s.n = 20;
  return s;
}

/// A CPU machine of `speed` times 1 TB/s and 100 Tflop/s, measured in BF16, INT8 and FP32.
data::Calibration machine(double speed) {
  data::Calibration c;
  c.device_id = "this-machine";
  c.device_name = "This machine";
  c.device_kind = "cpu";
  c.memory_bytes = 64e9;
  c.kernel_set = "weir-0.1";
  c.source = "a test";
  c.date = "2026-11-30";
  c.limits = {{"read_bandwidth", 1e12 * speed, "bytes/s", 0.01},
              {"bf16_peak", 1e14 * speed, "flop/s", 0.01},
              {"int8_peak", 2e14 * speed, "flop/s", 0.01},
              {"fp32_peak", 5e13 * speed, "flop/s", 0.01}};
  for (const auto precision : {data::Precision::bf16, data::Precision::int8, data::Precision::fp32}) {
    for (const double m : {1.0, 8.0, 64.0, 512.0, 2048.0}) {
      c.samples.push_back(gemm(precision, m, 1e14 * speed, 1e12 * speed));
    }
  }
  return c;
}

PlanResult plan_with(const data::Calibration& calibration, const data::Scenario& scenario) {
  const data::Trace trace = small_trace(2, 60);
  PlanOptions options;
  options.trace = &trace;
  options.calibration = &calibration;
  return plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
}

TEST(PlanThisMachine, IsACandidateAtThePrecisionsItMeasured) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4", "this-machine"};
  const data::Calibration calibration = machine(1);
  const PlanResult result = plan_with(calibration, scenario);
  std::vector<data::Precision> precisions;
  for (const PlanOption& o : result.options) {
    if (o.hardware != "this-machine") continue;
    precisions.push_back(o.precision);
    EXPECT_EQ(o.tenure, "owned");
    EXPECT_EQ(o.tensor_parallel, 1);
    EXPECT_TRUE(o.feasible) << o.why_not;
    EXPECT_FALSE(o.cost);
    EXPECT_THAT(o.why_no_price, testing::HasSubstr("server_price_usd.this-machine"));
    const auto measured = [](const EvidenceNote& note) { return note.evidence == data::Evidence::measured_here; };
    EXPECT_TRUE(std::ranges::any_of(o.evidence, measured));
  }
  std::ranges::sort(precisions);
  // FP32 was measured too, but nobody asked for it.
  EXPECT_EQ(precisions, (std::vector{data::Precision::bf16, data::Precision::int8}));
  // l4 at three precisions under two tenures, and the machine at two.
  EXPECT_EQ(result.considered, 8);
  EXPECT_NE(result.options.front().hardware, "this-machine") << "an option with a price goes first";
}

TEST(PlanThisMachine, HasACostOnceItsPriceIsGiven) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4"};
  scenario.cost.overrides["server_price_usd.this-machine"] = 3000;
  const data::Calibration calibration = machine(1);
  const PlanResult result = plan_with(calibration, scenario);
  const auto here = std::ranges::find(result.options, "this-machine", &PlanOption::hardware);
  ASSERT_NE(here, result.options.end());
  ASSERT_TRUE(here->cost);
  EXPECT_EQ(here->servers, here->cost->servers);
  EXPECT_FALSE(here->break_even_month) << "nothing of the kind is for rent";
}

TEST(PlanThisMachine, ASlowMachineIsToldWhyItCannot) {
  data::Scenario scenario = small_scenario();
  scenario.candidates.accelerators = {"l4"};
  const data::Calibration calibration = machine(0.01);
  const PlanResult result = plan_with(calibration, scenario);
  for (const PlanOption& o : result.options) {
    if (o.hardware != "this-machine") continue;
    EXPECT_FALSE(o.feasible);
    EXPECT_THAT(o.why_not, testing::StartsWith("cannot meet: T"));
    EXPECT_THAT(o.why_not, testing::HasSubstr("with one request at a time"));
  }
}

TEST(PlanThisMachine, RunsADeploymentOfItsOwn) {
  data::Scenario scenario = small_scenario();
  scenario.deployment = {"this-machine", 1, 1};
  const data::Trace trace = small_trace(2, 60);
  const data::Calibration calibration = machine(1);
  PlanOptions options;
  options.trace = &trace;
  EXPECT_THROW(run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options),
               data::InputError);
  options.calibration = &calibration;
  // The scenario's fp16 runs as bf16 here: the machine has no fp16.
  const RunResult run = run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  EXPECT_EQ(run.requests.completed, 60);
}

TEST(RunScenario, RefusesWhatDoesNotFitOrIsNotSupported) {
  data::Scenario scenario = small_scenario();
  const data::Trace trace = small_trace(2, 20);
  PlanOptions options;
  options.trace = &trace;
  const auto run = [&] {
    return run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  };
  EXPECT_THROW(run(), data::InputError) << "no deployment";
  scenario.deployment = {"t4", 1, 1};
  EXPECT_THROW(run(), data::InputError) << "16 GB of weights do not fit";
  scenario.deployment = {"t4", 1, 2};
  EXPECT_EQ(run().requests.completed, 20);
  scenario.workloads[0].model.weights = data::Precision::fp8;
  EXPECT_THROW(run(), data::InputError) << "no FP8 on Turing";
}

}  // namespace
}  // namespace weir::sim
