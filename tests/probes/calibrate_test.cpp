#include "probes/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "data/errors.h"
#include "probes/grid.h"
#include "probes/selftest.h"
#include "probes/workbench.h"

namespace weir::probes {
namespace {

/// A model so small that the whole run is a matter of a second or two.
GridPlan tiny_plan() {
  GridPlan plan;
  plan.layer = {64, 4, 2, 16, 96};
  plan.most_stream_bytes = 1 << 20;
  plan.protocol.budget_s = 1e-3;
  plan.protocol.wall_budget_s = 2e-3;
  plan.protocol.least_sample_s = 1e-4;
  plan.protocol.min_samples = 3;
  plan.protocol.max_samples = 4;
  plan.protocol.rounds = 1;
  for (data::Precision precision : {data::Precision::fp32, data::Precision::bf16, data::Precision::int8}) {
    for (double m : {1.0, 64.0}) plan.points.push_back({"gemm", {{"m", m}, {"n", 64}, {"k", 64}}, precision, 0});
  }
  const std::map<std::string, double> heads = {{"batch", 1}, {"heads", 4}, {"kv_heads", 2}, {"head_dim", 16}};
  auto prefill = heads, decode = heads;
  prefill["q_tokens"] = 8;
  prefill["past_tokens"] = 24;
  decode["batch"] = 3;
  decode["context_tokens"] = 40;
  plan.points.push_back({"attention_prefill", prefill, data::Precision::fp16, 0});
  plan.points.push_back({"attention_decode", decode, data::Precision::fp16, 1});
  plan.points.push_back({"norm", {{"tokens", 4}, {"width", 64}}, data::Precision::fp32, 0});
  plan.points.push_back({"activation", {{"tokens", 4}, {"width", 96}}, data::Precision::fp32, 0});
  plan.points.push_back({"rope", {{"tokens", 4}, {"heads", 4}, {"head_dim", 16}}, data::Precision::fp16, 0});
  for (data::Precision precision : {data::Precision::bf16, data::Precision::int8}) {
    plan.points.push_back(
        {"layer", {{"phase", 0}, {"batch", 1}, {"tokens", 20}, {"context_tokens", 20}}, precision, 0});
    plan.points.push_back({"layer", {{"phase", 1}, {"batch", 2}, {"tokens", 2}, {"context_tokens", 30}}, precision, 0});
  }
  return plan;
}

TEST(Calibrate, ATinyGridGivesACalibrationThatLoadsBack) {
  const auto device = kernels::make_cpu_device();
  const GridPlan plan = tiny_plan();
  double last_fraction = 0;
  const data::Calibration made = calibrate(*device, plan, [&](double fraction, std::string_view what) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    EXPECT_FALSE(what.empty());
    last_fraction = fraction;
    return true;
  });
  EXPECT_DOUBLE_EQ(last_fraction, 1);
  EXPECT_EQ(made.samples.size(), 11u);
  EXPECT_EQ(made.held_out.size(), 4u);
  EXPECT_EQ(made.fitted_on.size(), made.samples.size());
  EXPECT_EQ(made.evidence, data::Evidence::measured_here);
  EXPECT_EQ(made.kernel_set, "weir-0.1");
  for (const char* limit : {"read_bandwidth", "fp32_peak", "bf16_peak", "int8_peak"}) {
    EXPECT_GT(made.limit(limit).value_or(0), 0) << limit;
  }
  for (const char* overhead : {"step_host_s", "sequence_host_s", "kernel_launch_s"}) {
    EXPECT_TRUE(made.overheads.count(overhead)) << overhead;
  }
  for (const data::Sample& sample : made.samples) {
    EXPECT_GT(sample.median_s, 0) << sample.op;
    EXPECT_GT(sample.n, 0) << sample.op;
    EXPECT_EQ(sample.relative_error_vs_fp32.has_value(),
              sample.op == "gemm" && sample.precision != data::Precision::fp32);
  }

  const nlohmann::ordered_json json = data::to_json(made);
  const data::Calibration back = data::calibration_from_json(json, "tiny");
  EXPECT_EQ(data::to_json(back), json);
  EXPECT_EQ(back.samples.size(), made.samples.size());
  EXPECT_GT(*back.as_accelerator().memory_bandwidth_bytes_per_s.value, 0);
}

TEST(Calibrate, NumericalErrorIsThatOfThePrecision) {
  const auto device = kernels::make_cpu_device();
  GridPlan plan = tiny_plan();
  std::erase_if(plan.points, [](const Point& point) { return point.held_out(); });
  for (const data::Sample& sample : calibrate(*device, plan, {}).samples) {
    if (!sample.relative_error_vs_fp32) continue;
    // Rounding to 8 bits of mantissa: about 2^-9 an operand. To 127 steps of the largest of 64 bell-shaped values
    // (some 2.5 deviations): a step is 0.02 deviations, its uniform error 0.006 of them, an operand.
    const bool bf16 = sample.precision == data::Precision::bf16;
    EXPECT_GT(*sample.relative_error_vs_fp32, bf16 ? 5e-4 : 2e-3);
    EXPECT_LT(*sample.relative_error_vs_fp32, bf16 ? 5e-3 : 2e-2);
  }
}

TEST(Calibrate, SayingNoCancels) {
  const auto device = kernels::make_cpu_device();
  int calls = 0;
  EXPECT_THROW(calibrate(*device, tiny_plan(), [&](double, std::string_view) { return ++calls < 8; }), data::Cancelled);
  EXPECT_EQ(calls, 8);
}

TEST(Calibrate, SampleHashIsFnv1aOfItsText) {
  data::Sample sample;
  sample.op = "norm";
  sample.shape = {{"tokens", 4}, {"width", 64}};
  sample.median_s = 0.5;
  sample.mad_s = 0.25;
  sample.n = 7;
  const std::string hash = sample_hash(sample);
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hash, "2508984b94735ca9");  // FNV-1a, 64 bits, of "norm;fp32;tokens=4;width=64;0.5;0.25;7"
  sample.n = 8;
  EXPECT_NE(sample_hash(sample), hash);
}

TEST(Grid, CountsOperationsAndBytes) {
  const LayerShape layer;
  const Point gemm{"gemm", {{"m", 8}, {"n", 4096}, {"k", 4096}}, data::Precision::int8, 0};
  EXPECT_DOUBLE_EQ(flops_of(gemm, layer), 2.0 * 8 * 4096 * 4096);
  // weights 1 B each, one FP32 scale a row; activations FP32 in and out
  EXPECT_DOUBLE_EQ(bytes_of(gemm, layer), 4096.0 * 4096 + 4 * 4096 + 8 * 4 * (4096 + 4096));
  const Point decode{"attention_decode",
                     {{"batch", 8}, {"context_tokens", 512}, {"heads", 32}, {"kv_heads", 8}, {"head_dim", 128}},
                     data::Precision::fp16,
                     0};
  EXPECT_DOUBLE_EQ(flops_of(decode, layer), 4.0 * 32 * 128 * 8 * 512);
  EXPECT_DOUBLE_EQ(bytes_of(decode, layer), 2.0 * 8 * 512 * 8 * 128 * 2 + 2.0 * 8 * 32 * 128 * 4);
  const Point prefill{
      "attention_prefill",
      {{"batch", 1}, {"q_tokens", 4}, {"past_tokens", 10}, {"heads", 32}, {"kv_heads", 8}, {"head_dim", 128}},
      data::Precision::fp16,
      0};
  // 11 + 12 + 13 + 14 = 50 pairs
  EXPECT_DOUBLE_EQ(flops_of(prefill, layer), 4.0 * 32 * 128 * 50);
}

TEST(Grid, ALayerIsTheSumOfItsKernels) {
  const LayerShape layer;
  const Point point{
      "layer", {{"phase", 0}, {"batch", 1}, {"tokens", 512}, {"context_tokens", 512}}, data::Precision::bf16, 0};
  const auto parts = parts_of(point, layer);
  ASSERT_EQ(parts.size(), 11u);
  double gemm_flops = 0;
  for (const Point& part : parts) {
    if (part.op == "gemm") gemm_flops += flops_of(part, layer);
  }
  // 218,103,808 weights of a Llama-3.1-8B layer
  EXPECT_DOUBLE_EQ(gemm_flops, 2.0 * 512 * 218103808.0);
  EXPECT_GT(flops_of(point, layer), gemm_flops);
  EXPECT_EQ(parts[3].op, "attention_prefill");
  EXPECT_DOUBLE_EQ(parts[3].shape.at("past_tokens"), 0);
}

TEST(Grid, HeldOutShapesAreNotInTheGrids) {
  for (const GridPlan& plan : {quick_grid(), full_grid()}) {
    int held_out = 0;
    for (const Point& point : plan.points) {
      held_out += point.held_out();
      if (point.op == "gemm") {
        EXPECT_THAT(point.shape.at("m"), testing::AllOf(testing::Ne(8), testing::Ne(512)));
      }
      if (point.op == "attention_prefill") {
        EXPECT_NE(point.shape.at("q_tokens"), 512);
      }
      if (point.op == "attention_decode") {
        EXPECT_FALSE(point.shape.at("batch") == 8 || point.shape.at("context_tokens") == 512);
      }
    }
    EXPECT_EQ(held_out, 4);
  }
}

TEST(Grid, EveryWeightShapeSpansOneToAThousandRowsBeforeTheRefinements) {
  std::map<std::pair<double, double>, std::set<double>> rows;
  for (const Point& point : quick_grid().points) {
    if (point.op == "gemm" && point.tier <= 1 && point.precision == data::Precision::int8) {
      rows[{point.shape.at("n"), point.shape.at("k")}].insert(point.shape.at("m"));
    }
  }
  ASSERT_EQ(rows.size(), 5u);  // and the small one
  for (const auto& [shape, m] : rows) {
    EXPECT_EQ(*m.begin(), 1);
    EXPECT_EQ(*m.rbegin(), 1024);
  }
}

TEST(Grid, ShortTimeDropsTheDearestRefinementsFirst) {
  const auto point = [](double m, int tier) {
    return Point{"gemm", {{"m", m}, {"n", 1}, {"k", 1}}, data::Precision::int8, tier};
  };
  const Point layer{
      "layer", {{"phase", 0}, {"batch", 1}, {"tokens", 512}, {"context_tokens", 512}}, data::Precision::int8, 0};
  const std::vector<Point> points = {point(8, 0), point(4, 2), point(1, 0), point(2, 2), point(3, 1), layer};
  // A point costs its m in seconds, the layer 6.
  const auto cost = [](const Point& p) { return p.held_out() ? 6.0 : p.shape.at("m"); };
  const auto kept = [&](double budget_s) {
    std::vector<double> rows;
    for (const Point& p : fit_to_budget(points, cost, budget_s)) rows.push_back(p.held_out() ? 0 : p.shape.at("m"));
    return rows;
  };
  using testing::ElementsAre;
  EXPECT_THAT(kept(24), ElementsAre(8, 4, 1, 2, 3, 0));  // all: 8 + 4 + 1 + 2 + 3 + 6
  EXPECT_THAT(kept(20), ElementsAre(8, 1, 2, 3, 0));     // without the dearest of tier 2
  EXPECT_THAT(kept(18), ElementsAre(8, 1, 3, 0));        // without tier 2
  EXPECT_THAT(kept(17), ElementsAre(8, 1, 2, 3));  // the layer alone is more than a third; then the dearest of tier 2
}

TEST(Workbench, SequencesGetBlocksOfTheirOwn) {
  const std::vector<std::int32_t> order = {5, 4, 3, 2, 1, 0};
  const SequenceBatch batch = make_sequences(2, 3, 20, 16, order);  // 23 tokens: two blocks each
  EXPECT_EQ(batch.blocks_per_sequence, 2);
  EXPECT_THAT(batch.block_table, testing::ElementsAre(5, 4, 3, 2));
  EXPECT_THAT(batch.position, testing::ElementsAre(20, 21, 22, 20, 21, 22));
  EXPECT_THAT(batch.sequence, testing::ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(batch.context_tokens, testing::ElementsAre(23, 23));
}

TEST(SelfTest, EveryKernelPassesAtEveryLevel) {
  for (const kernels::IsaLevel level : kernels::available_isa_levels()) {
    const auto device = kernels::make_cpu_device(0, level);
    int checks = 0;
    EXPECT_TRUE(run_selftest(*device, kernels::name_of(level), [&](const SelfCheck& check) {
      ++checks;
      EXPECT_TRUE(check.passed) << check.what << " error " << check.error << " tolerance " << check.tolerance << " "
                                << check.problem;
    }));
    EXPECT_EQ(checks, 29);  // 4 x 3 GEMMs, 3 x 3 row operations, 4 x 2 of attention
  }
}

}  // namespace
}  // namespace weir::probes
