#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/collectives.h"
#include "sim/timing/deployment_timer.h"
#include "sim/timing/efficiency_kernels.h"
#include "sim/timing/replica_model.h"
#include "tests/sim/timing/test_replicas.h"

namespace weir::sim {
namespace {

using data::EfficiencyTable;
using data::Precision;
using test::replica;
using test::round_part;

constexpr double kTick_s = 1e-11;

const EfficiencyTable& table() { return EfficiencyTable::builtin(); }

std::unique_ptr<StepTimer> timer(const ReplicaSpec& spec) { return make_step_timer(spec, table(), nullptr); }

double decode_s(const StepTimer& t, std::int64_t sequences, std::int64_t context) {
  return t.iteration({{}, sequences, context}).seconds();
}

double prefill_s(const StepTimer& t, std::int64_t tokens, std::int64_t past = 0) {
  const std::vector<PrefillChunk> chunks = {{tokens, past}};
  return t.iteration({chunks, 0, 0}).seconds();
}

TEST(EfficiencyTimer, OneDecodeStepByHand) {
  const auto t = timer(replica());
  const auto& engine = table().engine("compiled-graphs");
  const double memory = table().find("Ampere", "gemm_memory", Precision::fp16).median * 1e12;
  const double compute = table().find("Ampere", "gemm", Precision::fp16).median * 100e12;
  const double attention = table().find("Ampere", "attention_decode", Precision::fp16).median * 1e12;
  const auto gemm_s = [&](double n, double k) {
    const double b = (n * k * 2 + k * 2 + n * 2) / memory, c = 2 * n * k / compute;
    return std::pow(std::pow(b, 1.9) + std::pow(c, 1.9), 1 / 1.9) + 2.3e-6;
  };
  const double elementwise_s = 2.0 * (10 * 4096 + 3 * 14336 + 2 * 6144) / (0.7 * 1e12);
  const double layer_s = gemm_s(6144, 4096) + gemm_s(4096, 4096) + gemm_s(28672, 4096) + gemm_s(4096, 14336) +
                         elementwise_s + 2 * 1024 * 2 * 1000.0 / attention + engine.kernels_per_layer * engine.kernel_s;
  const double expected = engine.host_s + engine.sequence_s + 32 * layer_s + gemm_s(128256, 4096);
  EXPECT_NEAR(decode_s(*t, 1, 1000), expected, 1e-4 * expected);  // slopes are whole ticks a token
}

TEST(EfficiencyTimer, WorkOfAStepByHand) {
  const auto t = timer(replica());
  const WorkRates rates = t->work_rates();
  const StepWork decode{.steps = 1, .ticks = 0, .tokens = 4, .rows = 4, .pairs = 0, .past = 0, .context = 4000};
  const double layer = 218'103'808.0, head = 128256.0 * 4096;
  EXPECT_NEAR(rates.flops(decode), 2 * 4 * (32 * layer + head) + 4.0 * 32 * 4096 * 4000, 1e3);
  EXPECT_GT(rates.bytes(decode), 2 * (32 * layer + head) + 131072.0 * 4000);
  EXPECT_LT(rates.bytes(decode), 1.01 * (2 * (32 * layer + head) + 131072.0 * 4000));
  EXPECT_EQ(t->peak_flops_per_s(), 100e12);
  EXPECT_EQ(t->peak_bytes_per_s(), 1e12);
}

TEST(EfficiencyTimer, WeightOnlyHalvesTheBytesButNotTheArithmetic) {
  ReplicaSpec narrow = replica();
  narrow.weights = Precision::int8;
  const auto fp16 = timer(replica()), int8 = timer(narrow);
  EXPECT_LT(decode_s(*int8, 1, 100), 0.75 * decode_s(*fp16, 1, 100));
  EXPECT_NEAR(prefill_s(*int8, 8192), prefill_s(*fp16, 8192), 0.03 * prefill_s(*fp16, 8192));
  EXPECT_EQ(int8->peak_flops_per_s(), 100e12);
}

TEST(EfficiencyTimer, UnsupportedPrecisionNamesTheOthers) {
  ReplicaSpec spec = replica();
  spec.weights = spec.activations = Precision::fp8;
  try {
    timer(spec);
    FAIL() << "fp8 was accepted";
  } catch (const data::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fp16"), std::string::npos) << error.what();
  }
}

TEST(EfficiencyTimer, TensorParallelismAddsTwoAllReducesALayer) {
  ReplicaSpec four = replica();
  four.tensor_parallel = 4;
  const Collectives links = make_collectives(four, table(), 4);
  const ShardedModel rank = rank_model(four);
  const EfficiencyKernels kernels(four.accelerator, table(), rank, links);
  double seconds = 0;
  for (const Operator& op : rank.token_operators(1000)) {
    if (op.kind == OperatorKind::all_reduce) seconds += op.count * kernels.seconds(op);
  }
  EXPECT_NEAR(seconds, 2 * links.all_reduce_s(1000 * 4096.0 * 2, 4), 1e-15);
  ReplicaSpec none = four;
  none.accelerator.interconnect_bytes_per_s.value.reset();
  EXPECT_LT(prefill_s(*timer(four), 4096), prefill_s(*timer(none), 4096));  // PCIe instead
  EXPECT_LT(decode_s(*timer(four), 8, 8000), decode_s(*timer(replica()), 8, 8000));
  none.accelerator.pcie_bytes_per_s.value.reset();
  EXPECT_THROW(timer(none), data::InputError);
}

TEST(EfficiencyTimer, OverlapHidesItsShareOfTheAllReduces) {
  ReplicaSpec four = replica();
  four.tensor_parallel = 4;
  const double open = prefill_s(*timer(four), 4096);
  const double reduces = 32 * 2 * make_collectives(four, table(), 4).all_reduce_s(4096 * 4096.0 * 2, 4);
  four.all_reduce_overlap = 0.25;
  EXPECT_NEAR(open - prefill_s(*timer(four), 4096), 0.25 * reduces, 1e-6 * open);
}

TEST(EfficiencyTimer, EnginesHaveTheirOwnAllReduces) {
  // 8 sequences of hidden 4096 are 64 KiB: one kernel of a captured graph is a third of NCCL's time; an eager engine
  // waits for the rank that is launched last.
  ReplicaSpec four = replica();
  four.tensor_parallel = 4;
  const auto all_reduce = [&](const char* engine) {
    four.engine = engine;
    return make_collectives(four, table(), 4).all_reduce_s(65536, 4);
  };
  EXPECT_LT(2 * all_reduce("compiled-graphs"), all_reduce("compiled"));
  EXPECT_LT(2 * all_reduce("compiled"), all_reduce("eager"));
}

TEST(EfficiencyTimer, EagerModeIsBoundByItsLaunches) {
  ReplicaSpec eager = replica();
  eager.engine = "eager";
  const auto& engine = table().engine("eager");
  const double launches_s = 32 * engine.kernels_per_layer * engine.kernel_s;
  data::Accelerator fast = round_part();
  fast.memory_bandwidth_bytes_per_s = test::known(100e12);
  fast.peak_flops_per_s.at(Precision::fp16) = test::known(1e16);
  eager.accelerator = fast;
  EXPECT_NEAR(decode_s(*timer(eager), 1, 10), engine.host_s + engine.sequence_s + launches_s, 2 * kTick_s);
}

TEST(EfficiencyTimer, EncodersTakeBatches) {
  ReplicaSpec spec = replica(round_part(), test::bert_large());
  const auto t = timer(spec);
  const Time one = t->batch(1, 128), many = t->batch(32, 128);
  const StepWork work{.steps = 1, .ticks = 0, .tokens = 128, .rows = 0, .pairs = 128 * 128, .past = 0, .context = 0};
  EXPECT_NEAR(t->work_rates().flops(work) / 1e9, 78.9, 0.06);
  EXPECT_GT(many, one);
  EXPECT_LT(many.seconds(), 32 * one.seconds());
  EXPECT_EQ(t->batch(0, 128).ticks(), 0);
  EXPECT_GT(t->relative_error(), 0.1);
}

TEST(EfficiencyTimer, EvidenceNamesSharesAndEngine) {
  const auto notes = timer(replica())->evidence();
  const auto has = [&](std::string_view start) {
    return std::any_of(notes.begin(), notes.end(), [&](const EvidenceNote& n) { return n.what.rfind(start, 0) == 0; });
  };
  EXPECT_TRUE(has("gemm fp16 on Ampere"));
  EXPECT_TRUE(has("attention decode"));
  EXPECT_TRUE(has("engine compiled-graphs"));
  for (const EvidenceNote& note : notes) EXPECT_FALSE(note.source.empty()) << note.what;
}

TEST(EfficiencyTimer, BorrowedSharesWidenTheError) {
  ReplicaSpec strange = replica();
  strange.accelerator.architecture = "Nobody measured this";
  EXPECT_GT(timer(strange)->relative_error(), timer(replica())->relative_error());
}

RC_GTEST_PROP(EfficiencyTimerProperty, MoreWorkIsNeverFaster, ()) {
  static const auto t = timer(replica());
  const auto sequences = *rc::gen::inRange<std::int64_t>(1, 1500);
  const auto context = sequences * *rc::gen::inRange<std::int64_t>(1, 20000);
  const auto more = *rc::gen::inRange<std::int64_t>(0, 5000);
  RC_ASSERT(decode_s(*t, sequences, context + more) >= decode_s(*t, sequences, context));
  const auto tokens = *rc::gen::inRange<std::int64_t>(1, 40000);
  RC_ASSERT(prefill_s(*t, tokens + more) >= prefill_s(*t, tokens));
  RC_ASSERT(prefill_s(*t, tokens, more) >= prefill_s(*t, tokens));
  RC_ASSERT(decode_s(*t, sequences + 1, context + 1) >= decode_s(*t, sequences, context));
}

RC_GTEST_PROP(EfficiencyTimerProperty, NeverFasterThanTheRoofline, ()) {
  ReplicaSpec spec = replica();
  spec.weights = *rc::gen::element(Precision::fp16, Precision::int8, Precision::int4);
  spec.tensor_parallel = *rc::gen::element(1, 2, 8);
  const auto t = timer(spec);
  const auto sequences = *rc::gen::inRange<std::int64_t>(0, 600);
  const auto context = sequences * *rc::gen::inRange<std::int64_t>(1, 30000);
  const std::vector<PrefillChunk> chunks = {
      {*rc::gen::inRange<std::int64_t>(1, 9000), *rc::gen::inRange<std::int64_t>(0, 9000)}};
  StepWork work{.steps = 1,
                .ticks = 0,
                .tokens = sequences + chunks[0].new_tokens,
                .rows = sequences + 1,
                .pairs = query_key_pairs(chunks[0], true),
                .past = chunks[0].past_tokens,
                .context = context};
  const double seconds = t->iteration({chunks, sequences, context, 0, {}}).seconds();
  RC_ASSERT(seconds >= t->work_rates().flops(work) / t->peak_flops_per_s());
  RC_ASSERT(seconds >= t->work_rates().bytes(work) / t->peak_bytes_per_s());
}

RC_GTEST_PROP(EfficiencyTimerProperty, ABetterPartIsNeverSlower, ()) {
  const double factor = 1 + 0.01 * *rc::gen::inRange(0, 300);
  ReplicaSpec better = replica();
  better.accelerator.memory_bandwidth_bytes_per_s = test::known(1e12 * factor);
  better.tensor_parallel = 2;
  ReplicaSpec base = replica();
  base.tensor_parallel = 2;
  const auto sequences = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto context = sequences * *rc::gen::inRange<std::int64_t>(1, 9000);
  RC_ASSERT(decode_s(*timer(better), sequences, context) <= decode_s(*timer(base), sequences, context));
  ReplicaSpec linked = base;
  linked.accelerator.interconnect_bytes_per_s = test::known(100e9 * factor);
  RC_ASSERT(prefill_s(*timer(linked), 2000) <= prefill_s(*timer(base), 2000));
}

}  // namespace
}  // namespace weir::sim
