// Mixtures of experts, windows, pipelines and expert groups: what an iteration takes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/deployment_timer.h"
#include "sim/timing/efficiency_kernels.h"
#include "sim/timing/replica_model.h"
#include "sim/timing/speculative_timer.h"
#include "tests/sim/timing/test_replicas.h"

namespace weir::sim {
namespace {

using data::EfficiencyTable;
using data::Precision;

constexpr double kRounding = 2e-4;  // slopes are whole ticks

const EfficiencyTable& table() { return EfficiencyTable::builtin(); }

std::unique_ptr<StepTimer> timer(const ReplicaSpec& spec) { return make_step_timer(spec, table(), nullptr); }

double decode_s(const StepTimer& t, std::int64_t sequences, std::int64_t context) {
  return t.iteration({{}, sequences, context}).seconds();
}

double prefill_s(const StepTimer& t, std::int64_t tokens, std::int64_t past = 0) {
  const std::vector<PrefillChunk> chunks = {{tokens, past}};
  return t.iteration({chunks, 0, 0}).seconds();
}

ReplicaSpec replica(const std::string& accelerator, const std::string& model) {
  const data::Catalog& catalog = data::Catalog::builtin();
  ReplicaSpec spec = test::replica(catalog.accelerator(accelerator), catalog.model(model));
  spec.network = catalog.network("ib-ndr-400");
  return spec;
}

/// Seconds of the kernels of one layer, on the rank of `spec`.
struct Layer {
  explicit Layer(const ReplicaSpec& spec)
      : rank(rank_model(spec)),
        kernels(spec.accelerator, table(), rank, make_collectives(spec, table(), spec.accelerators())) {}
  double of(const std::vector<Operator>& operators) const {
    double seconds = 0;
    for (const Operator& op : operators) seconds += op.count * kernels.seconds(op);
    return seconds;
  }
  ShardedModel rank;
  EfficiencyKernels kernels;
};

TEST(DividedTimer, AStepOfExpertsByHand) {
  const ReplicaSpec spec = replica("h200-sxm5-141gb", "mixtral-8x7b");
  const Layer layer(spec);
  const auto& engine = table().engine("compiled-graphs");
  const double memory = table().find("Hopper", spec.accelerator.id, "grouped_gemm_memory", Precision::fp16).median *
                        *spec.accelerator.memory_bandwidth_bytes_per_s.value;
  // Four tokens touch 5.47 experts of 176 M parameters each: nearly all of the step is reading them.
  const double experts_s = 2 * 8 * (1 - 81.0 / 256) * 3 * 4096.0 * 14336 / memory;
  EXPECT_NEAR(layer.of(layer.rank.expert_operators(4)), experts_s, 0.03 * experts_s);
  const double expected =
      engine.host_s + 4 * engine.sequence_s + layer.kernels.seconds(layer.rank.head(4)) +
      32 * (layer.of(layer.rank.token_operators(4, LayerKind::experts)) + layer.of(layer.rank.expert_operators(4)) +
            layer.kernels.seconds(layer.rank.decode_attention(4, 4000)) +
            engine.expert_kernels_per_layer * engine.kernel_s);
  EXPECT_NEAR(decode_s(*timer(spec), 4, 4000), expected, kRounding * expected);
}

TEST(DividedTimer, PipelineByHand) {
  ReplicaSpec spec = replica("h100-sxm5-80gb", "llama-3.1-8b");
  spec.pipeline_parallel = 4;
  spec.micro_batches = 8;
  const Layer layer(spec);
  const auto& engine = table().engine("compiled-graphs");
  // 32 sequences in 8 micro-batches of 4 through 4 stages of 8 layers: 11 slots.
  const double slot =
      8 * (layer.of(layer.rank.token_operators(4)) + layer.kernels.seconds(layer.rank.decode_attention(4, 4 * 1024)) +
           engine.kernels_per_layer * engine.kernel_s) +
      layer.kernels.seconds(layer.rank.head(4)) + layer.kernels.seconds(layer.rank.stage_send(4));
  const double expected = engine.host_s + 32 * engine.sequence_s + 11 * slot;
  EXPECT_NEAR(decode_s(*timer(spec), 32, 32 * 1024), expected, kRounding * expected);
  // One sequence cannot be cut: 4 slots, one after the other.
  const double alone =
      8 * (layer.of(layer.rank.token_operators(1)) + layer.kernels.seconds(layer.rank.decode_attention(1, 1024)) +
           engine.kernels_per_layer * engine.kernel_s) +
      layer.kernels.seconds(layer.rank.head(1)) + layer.kernels.seconds(layer.rank.stage_send(1));
  EXPECT_NEAR(decode_s(*timer(spec), 1, 1024), engine.host_s + engine.sequence_s + 4 * alone, kRounding * expected);
}

TEST(DividedTimer, ExpertGroupsByHand) {
  ReplicaSpec spec = replica("h200-sxm5-141gb", "deepseek-v3");
  spec.weights = spec.activations = Precision::fp8;
  spec.expert_parallel = 8;
  const Layer layer(spec);
  const auto& engine = table().engine("compiled-graphs");
  // 64 sequences, 8 a group; experts see all 64.
  const double expected =
      engine.host_s + 64 * engine.sequence_s + layer.kernels.seconds(layer.rank.head(8)) +
      3 * (layer.of(layer.rank.token_operators(8)) + engine.kernels_per_layer * engine.kernel_s) +
      58 * (layer.of(layer.rank.token_operators(8, LayerKind::experts)) + layer.of(layer.rank.expert_operators(64)) +
            engine.expert_kernels_per_layer * engine.kernel_s) +
      61 * layer.kernels.seconds(layer.rank.decode_attention(8, 8 * 4096));
  EXPECT_NEAR(decode_s(*timer(spec), 64, 64 * 4096), expected, kRounding * expected);
}

TEST(DividedTimer, WindowsByHand) {
  const ReplicaSpec spec = replica("h200-sxm5-141gb", "gemma-2-9b");
  const auto t = timer(spec);
  const Layer layer(spec);
  // Beyond 4,096 tokens a sequence only 21 of the 42 layers read more.
  const double more = 21 * (layer.kernels.seconds(layer.rank.decode_attention(2, 2 * 8192)) -
                            layer.kernels.seconds(layer.rank.decode_attention(2, 2 * 4096)));
  EXPECT_NEAR(decode_s(*t, 2, 2 * 8192) - decode_s(*t, 2, 2 * 4096), more, 1e-3 * more);
  data::Model none = spec.model;
  none.sliding_layers = 0;
  ReplicaSpec full = spec;
  full.model = none;
  const auto without = timer(full);
  EXPECT_NEAR(decode_s(*t, 2, 2 * 3000), decode_s(*without, 2, 2 * 3000), 1e-5 * decode_s(*t, 2, 2 * 3000));
  EXPECT_LT(prefill_s(*t, 8192), prefill_s(*without, 8192));
}

TEST(DividedTimer, LongPromptsOfOneGroupAreNotCut) {
  ReplicaSpec spec = replica("h200-sxm5-141gb", "deepseek-v3");
  spec.weights = spec.activations = Precision::fp8;
  spec.expert_parallel = 8;
  const auto t = timer(spec);
  const std::vector<PrefillChunk> one = {{4096, 0}};
  const std::vector<PrefillChunk> eight(8, PrefillChunk{4096, 0});
  const double alone = t->iteration({one, 0, 0}).seconds(), all = t->iteration({eight, 0, 0}).seconds();
  EXPECT_GT(all, alone);
  EXPECT_LT(all, 3 * alone);  // eight groups read a prompt each at once
}

TEST(DividedTimer, MemoryOfStagesAndWindowsByHand) {
  data::Serving serving;
  ReplicaSpec spec = replica("h200-sxm5-141gb", "gpt-oss-120b");
  const MemoryPlan plan = plan_memory(spec, serving);
  const double left = plan.usable_bytes - plan.weights_bytes - plan.activation_bytes - plan.reserve_bytes;
  if (plan.fits()) {
    // 18 of 36 layers see 128 tokens: 256 sequences x 144 tokens x 18 x 2048 bytes, the rest at 18 x 2048 a token.
    const double half = 18 * 2048.0;
    const double windows = std::floor((left - 256 * 144 * half) / (16 * half)) * 16;
    EXPECT_EQ(plan.kv_tokens, static_cast<std::int64_t>(std::max(windows, std::floor(left / (32 * half)) * 16)));
  }
  spec.weights = Precision::fp8;
  const MemoryPlan fp8 = plan_memory(spec, serving);
  ASSERT_TRUE(fp8.fits());
  serving.prefix_cache = true;  // cached blocks of windows outlive their sequences
  EXPECT_GT(fp8.kv_tokens, plan_memory(spec, serving).kv_tokens);
  ReplicaSpec staged = replica("h100-sxm5-80gb", "llama-3.1-70b");
  staged.pipeline_parallel = 4;
  const MemoryPlan stage = plan_memory(staged, data::Serving{});
  EXPECT_DOUBLE_EQ(stage.kv_bytes_per_token, 20 * 2 * 8 * 128 * 2.0);
  EXPECT_TRUE(stage.fits());
}

TEST(SpeculativeTimer, ARoundByHand) {
  const ReplicaSpec model = replica("h100-sxm5-80gb", "llama-3.1-8b"),
                    draft = replica("h100-sxm5-80gb", "qwen2.5-0.5b");
  const auto m = timer(model), d = timer(draft);
  const SpeculativeTimer both(timer(model), timer(draft), 3);
  // 8 sequences of 100 tokens: drafts at 100, 101, 102 a sequence, then 32 rows against 103.
  const std::int64_t round = d->iteration({{}, 8, 800}).ticks() + d->iteration({{}, 8, 808}).ticks() +
                             d->iteration({{}, 8, 816}).ticks() + m->verification(8, 4, 824).ticks();
  EXPECT_EQ(both.iteration({{}, 8, 800}).ticks(), round);
  const std::vector<PrefillChunk> chunks = {{500, 0}};
  EXPECT_EQ(both.iteration({chunks, 0, 0}).ticks(),
            m->iteration({chunks, 0, 0}).ticks() + d->iteration({chunks, 0, 0}).ticks());
  EXPECT_EQ(m->verification(8, 1, 800).ticks(), m->iteration({{}, 8, 800}).ticks());  // one row is a decode
  EXPECT_GT(m->verification(8, 4, 800).ticks(), m->iteration({{}, 8, 800}).ticks());
}

TEST(EngineProfiles, EagerIsNeverFasterThanCompiledNorThatThanGraphs) {
  const data::Catalog& catalog = data::Catalog::builtin();
  for (const data::Model& m : catalog.models()) {
    if (m.kind != data::ModelKind::llm) continue;
    std::vector<std::unique_ptr<StepTimer>> timers;
    for (const char* engine : {"compiled-graphs", "compiled", "eager"}) {
      ReplicaSpec spec = replica("h100-sxm5-80gb", m.id);
      spec.engine = engine;
      timers.push_back(timer(spec));
    }
    for (std::size_t i = 1; i < timers.size(); ++i) {
      const StepTimer &faster = *timers[i - 1], &slower = *timers[i];
      for (const std::int64_t n : {1, 32, 256}) {
        EXPECT_GE(decode_s(slower, n, n * 1024), decode_s(faster, n, n * 1024)) << m.id << ' ' << i << ' ' << n;
      }
      for (const std::int64_t tokens : {128, 2048, 8192}) {
        EXPECT_GE(prefill_s(slower, tokens), prefill_s(faster, tokens)) << m.id << ' ' << i << ' ' << tokens;
      }
    }
  }
}

TEST(Sparsity, TwoOfFourPaysLessThanTwiceAndOnlyWhereThereAreUnits) {
  ReplicaSpec dense = replica("a100-sxm4-80gb", "llama-3.1-8b"), sparse = dense;
  sparse.sparse = true;
  const double decode = decode_s(*timer(dense), 1, 100) / decode_s(*timer(sparse), 1, 100);
  EXPECT_GT(decode, 1.2);  // 9/16 of the bytes at 0.9 of the rate
  EXPECT_LT(decode, 1.6);
  const double prefill = prefill_s(*timer(dense), 8192) / prefill_s(*timer(sparse), 8192);
  EXPECT_GT(prefill, 1.1);
  EXPECT_LT(prefill, 1.3);
  EXPECT_LT(plan_memory(sparse, {}).weights_bytes, 0.7 * plan_memory(dense, {}).weights_bytes);
  for (const char* old : {"t4", "v100-sxm2-32gb"}) {
    ReplicaSpec none = replica(old, "llama-3.1-8b");
    none.sparse = true;
    EXPECT_THROW(timer(none), data::InputError) << old;
  }
}

TEST(Precisions, Fp8WeightsNeedKernels) {
  ReplicaSpec t4 = replica("t4", "qwen2.5-0.5b");
  t4.weights = Precision::fp8;
  try {
    timer(t4);
    FAIL() << "fp8 weights on T4";
  } catch (const data::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("no kernels for FP8 weights"), std::string::npos) << error.what();
  }
  t4.weights = t4.activations = Precision::fp8;
  EXPECT_THROW(timer(t4), data::InputError);
  t4.weights = Precision::int4;
  t4.activations = Precision::fp16;
  EXPECT_NO_THROW(timer(t4));
  ReplicaSpec a100 = replica("a100-sxm4-80gb", "qwen2.5-0.5b");
  a100.weights = Precision::fp8;  // widened on the way in
  EXPECT_NO_THROW(timer(a100));
}

RC_GTEST_PROP(DividedTimerProperty, MoreWorkIsNeverFaster, ()) {
  ReplicaSpec spec = replica("h200-sxm5-141gb", *rc::gen::element<std::string>("gpt-oss-20b", "deepseek-v2-lite"));
  spec.expert_parallel = *rc::gen::element(1, 4);
  spec.pipeline_parallel = *rc::gen::element(1, 2);
  spec.expert_skew = *rc::gen::element(0.0, 1.0);
  const auto t = timer(spec);
  ReplicaSpec busier = spec;
  ++busier.model.experts.active;
  const auto more_experts = timer(busier);
  for (int i = 0; i < 20; ++i) {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 800);
    const auto context = n * *rc::gen::inRange<std::int64_t>(1, 9000);
    const auto more = *rc::gen::inRange<std::int64_t>(0, 5000);
    RC_ASSERT(decode_s(*t, n, context + more) >= decode_s(*t, n, context));
    RC_ASSERT(decode_s(*more_experts, n, context) >= decode_s(*t, n, context));
    const auto tokens = *rc::gen::inRange<std::int64_t>(1, 20000);
    RC_ASSERT(prefill_s(*t, tokens + more) >= prefill_s(*t, tokens));
    RC_ASSERT(prefill_s(*t, tokens, more) >= prefill_s(*t, tokens));
  }
}

RC_GTEST_PROP(DividedTimerProperty, ALargerWindowIsNeverFasterAndNoneIsTheSlowest, ()) {
  ReplicaSpec small = replica("h200-sxm5-141gb", "gemma-2-9b"), large = small, none = small;
  small.model.sliding_window = *rc::gen::inRange(1, 6000);
  large.model.sliding_window = small.model.sliding_window + *rc::gen::inRange(0, 3000);
  none.model.sliding_layers = 0;
  const auto s = timer(small), l = timer(large), f = timer(none);
  for (int i = 0; i < 20; ++i) {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 300), mean = *rc::gen::inRange<std::int64_t>(1, 9000);
    RC_ASSERT(decode_s(*l, n, n * mean) >= decode_s(*s, n, n * mean) * (1 - 1e-3));
    RC_ASSERT(decode_s(*f, n, n * mean) >= decode_s(*l, n, n * mean) * (1 - 1e-3));
    RC_ASSERT(prefill_s(*f, mean) >= prefill_s(*s, mean) * (1 - 1e-3));
  }
}

RC_GTEST_PROP(DividedTimerProperty, StagesWithoutMicroBatchesAreNeverFasterThanOneDevice, ()) {
  ReplicaSpec one = replica("h200-sxm5-141gb", "llama-3.1-8b"), staged = one;
  staged.pipeline_parallel = *rc::gen::inRange(2, 9);
  staged.micro_batches = 1;
  const auto a = timer(one), b = timer(staged);
  const auto n = *rc::gen::inRange<std::int64_t>(1, 500), mean = *rc::gen::inRange<std::int64_t>(1, 9000);
  RC_ASSERT(decode_s(*b, n, n * mean) >= decode_s(*a, n, n * mean));
  RC_ASSERT(prefill_s(*b, mean) >= prefill_s(*a, mean));
}

RC_GTEST_PROP(DividedTimerProperty, RunsAreSteps, ()) {
  ReplicaSpec spec = replica("h200-sxm5-141gb", *rc::gen::element<std::string>("gemma-2-9b", "gpt-oss-20b"));
  spec.pipeline_parallel = *rc::gen::element(1, 3);
  spec.expert_parallel = spec.model.experts.count > 0 ? *rc::gen::element(1, 8) : 1;
  spec.engine = *rc::gen::element<std::string>("compiled-graphs", "eager");
  const auto t = timer(spec);
  const auto n = *rc::gen::inRange<std::int64_t>(1, 1200);
  std::int64_t context = n * *rc::gen::inRange<std::int64_t>(1, 5000);
  for (int piece = 0; piece < 6; ++piece) {
    const DecodeRun run = t->decode_run({{}, n, context});
    RC_ASSERT(run.steps >= 1);
    for (const std::int64_t i :
         {std::int64_t{0}, std::min<std::int64_t>(run.steps, 500) / 2, std::min<std::int64_t>(run.steps, 100000) - 1}) {
      RC_ASSERT(t->iteration({{}, n, context + i * n}).ticks() == run.first_ticks + i * run.increase_ticks);
    }
    context += std::min<std::int64_t>(run.steps, 100000) * n;
  }
}

RC_GTEST_PROP(DividedTimerProperty, NeverFasterThanTheRoofline, ()) {
  ReplicaSpec spec = replica("h200-sxm5-141gb", *rc::gen::element<std::string>("gemma-2-9b", "gpt-oss-20b",
                                                                               "deepseek-v2-lite", "mixtral-8x7b"));
  spec.tensor_parallel = *rc::gen::element(1, 2);
  spec.pipeline_parallel = *rc::gen::element(1, 3);
  spec.expert_parallel = spec.model.experts.count > 0 ? *rc::gen::element(1, 8) : 1;
  const auto t = timer(spec);
  const auto n = *rc::gen::inRange<std::int64_t>(0, 600);
  const auto context = n * *rc::gen::inRange<std::int64_t>(1, 30000);
  const std::vector<PrefillChunk> chunks = {
      {*rc::gen::inRange<std::int64_t>(1, 9000), *rc::gen::inRange<std::int64_t>(0, 9000)}};
  const StepWork work{.steps = 1,
                      .ticks = 0,
                      .tokens = n + chunks[0].new_tokens,
                      .rows = n + 1,
                      .pairs = query_key_pairs(chunks[0], true),
                      .past = chunks[0].past_tokens,
                      .context = context};
  const double seconds = t->iteration({chunks, n, context, 0, {}}).seconds();
  RC_ASSERT(seconds >= t->work_rates().flops(work) / t->peak_flops_per_s());
  RC_ASSERT(seconds >= t->work_rates().bytes(work) / t->peak_bytes_per_s());
}

}  // namespace
}  // namespace weir::sim
