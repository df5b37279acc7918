#include "sim/timing/profile_timer.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::sim {
namespace {

constexpr double kMicro = 1e-6;
constexpr std::int64_t kTicksPerMicro = Time::kTicksPerSecond / 1'000'000;

/// y = slope x + at_zero, as two points.
LinearCurve line(double slope_us, double at_zero_us = 0) {
  return LinearCurve({{0, at_zero_us * kMicro}, {1000, (at_zero_us + 1000 * slope_us) * kMicro}});
}

/// Attention that costs 1 us a new prompt token, 0.01 us a token of its past, and per decode 2 us + 0.001 us a token.
std::vector<AttentionPoint> attention_points() {
  std::vector<AttentionPoint> points;
  for (const std::int64_t chunk : {0, 16, 1024}) {
    for (const std::int64_t past : {0, 4096}) {
      if (chunk == 0 && past > 0) continue;
      for (const std::int64_t n : {0, 1, 2, 64, 256}) {
        for (const std::int64_t kd : {16, 1024, 4096}) {
          if (n == 0 && (kd > 16 || chunk == 0)) continue;
          const double prompt = static_cast<double>(chunk) + 0.01 * static_cast<double>(past);
          const double decodes = static_cast<double>(n) * (2 + 0.001 * static_cast<double>(kd));
          points.push_back({chunk, past, n, n == 0 ? 0 : kd, (prompt + decodes) * kMicro});
        }
      }
    }
  }
  return points;
}

KernelProfile profile() {
  KernelProfile p;
  p.per_layer = {{"norm", line(0.5), 2}, {"matrices", line(1, 100), 1}};
  p.per_step = {{"embedding", line(0.1), 1}};
  p.per_row = {{"head", line(0.25, 40), 1}};
  p.attention = AttentionTable(attention_points());
  return p;
}

ProfiledDeployment deployment() {
  ProfiledDeployment d;
  d.layers = 2;
  d.hidden = 100;
  return d;
}

IterationShape decodes(std::int64_t n, std::int64_t context_sum) {
  IterationShape shape;
  shape.decode_sequences = n;
  shape.decode_context_tokens = context_sum;
  return shape;
}

TEST(LinearCurve, IsLinearBetweenAndBeyondItsPoints) {
  const LinearCurve curve({{2, 30}, {0, 10}, {4, 30}});
  EXPECT_DOUBLE_EQ(curve.at(1), 20);
  EXPECT_DOUBLE_EQ(curve.at(3), 30);
  EXPECT_DOUBLE_EQ(curve.at(5), 30);
  EXPECT_DOUBLE_EQ(curve.at(-1), 0);
  EXPECT_DOUBLE_EQ(LinearCurve({{7, 3}}).at(100), 3);
  EXPECT_THROW(LinearCurve({{1, 1}, {1, 2}}), std::logic_error);
  EXPECT_THROW(LinearCurve(std::vector<std::pair<double, double>>{}), std::logic_error);
}

TEST(AttentionTable, EverySliceHasItsOwnAxes) {
  // n = 2 was measured at other contexts than n = 1; kp = 100 at others than kp = 0.
  const AttentionTable table({{0, 0, 1, 10, 1.0},
                              {0, 0, 1, 30, 3.0},
                              {0, 0, 2, 20, 4.0},
                              {0, 0, 2, 40, 8.0},
                              {8, 0, 0, 0, 5.0},
                              {8, 0, 1, 10, 6.0},
                              {8, 0, 1, 20, 7.0},
                              {8, 100, 1, 30, 20.0}});
  EXPECT_DOUBLE_EQ(table.at(0, 0, 1, 20), 2);
  EXPECT_DOUBLE_EQ(table.at(0, 0, 2, 30), 6);
  EXPECT_DOUBLE_EQ(table.at(0, 0, 3, 30), 9);  // on beyond n = 2 (3 at n = 1)
  EXPECT_DOUBLE_EQ(table.at(8, 0, 0, 0), 5);
  EXPECT_DOUBLE_EQ(table.at(4, 0, 0, 0), 2.5);      // half way to nothing at all
  EXPECT_DOUBLE_EQ(table.at(8, 50, 1, 15), 13.25);  // between 6.5 and 20
  const AttentionTable::Piece between = table.decode_piece(1, 15);
  EXPECT_EQ(between.low, 10);
  EXPECT_EQ(between.high, 30);
  EXPECT_TRUE(between.last);
  EXPECT_THROW(AttentionTable({{8, 0, 0, 0, 5.0}}), std::logic_error);
}

TEST(ExpertTable, FewerOrMoreChosenCountAsTheNearest) {
  const ExpertTable table({{1, 8, 10}, {11, 8, 20}, {1, 16, 30}, {11, 16, 40}});
  EXPECT_DOUBLE_EQ(table.at(6, 12), 25);
  EXPECT_DOUBLE_EQ(table.at(6, 4), 15);
  EXPECT_DOUBLE_EQ(table.at(6, 99), 35);
}

TEST(ProfileTimer, AddsLayersRowsAndAttention) {
  const ProfileTimer timer(profile(), deployment());
  // A prompt of 116 tokens after 1000, and 4 decodes that have 500 tokens in the cache each (501 with the new one).
  const std::vector<PrefillChunk> chunks = {{116, 1000}};
  IterationShape shape = decodes(4, 4 * 501);
  shape.prefill = chunks;
  // T = 120. A layer: norms 2 x 60, matrices 220, attention 116 + 10 + 4 x (2 + 0.5) = 136: 476 us. Twice, with
  // embedding 12 and head 40 + 5 x 0.25 = 41.25: 1005.25 us.
  EXPECT_EQ(timer.iteration(shape).ticks(), 1005 * kTicksPerMicro + kTicksPerMicro / 4);
  // Padded to 128 tokens: norms 2 x 64, matrices 228, embedding 12.8.
  shape.padded_tokens = 128;
  EXPECT_EQ(timer.iteration(shape).ticks(), (2 * (128 + 228 + 136) + 54) * kTicksPerMicro + kTicksPerMicro / 20);
}

TEST(ProfileTimer, SeveralChunksKeepTheirPairs) {
  KernelProfile p = profile();
  p.per_layer = {{"nothing", line(0), 1}};
  p.per_step = {}, p.per_row = {};
  ProfiledDeployment d = deployment();
  d.layers = 1;
  const ProfileTimer timer(p, d);
  // 200 after 1000 and 100 after 0: pairs 200 x 1100 + 100 x 50 = 225,000 = 300 x (600 + 150): one of 300 after 600.
  const std::vector<PrefillChunk> two = {{200, 1000}, {100, 0}}, one = {{300, 600}};
  IterationShape a, b;
  a.prefill = two, b.prefill = one;
  EXPECT_EQ(timer.iteration(a), timer.iteration(b));
  EXPECT_EQ(timer.iteration(b).ticks(), 306 * kTicksPerMicro);
  // Two of 100 after 0: 10,000 pairs are fewer than one of 200 has; as one of sqrt(20,000) = 141.4 tokens.
  const std::vector<PrefillChunk> fresh = {{100, 0}, {100, 0}};
  a.prefill = fresh;
  EXPECT_NEAR(timer.iteration(a).seconds(), std::sqrt(20'000.0) * kMicro, 1e-11);
}

TEST(ProfileTimer, AllReducesOfTensorParallelRanks) {
  ProfiledDeployment d = deployment();
  const ProfileTimer alone(profile(), d);
  d.tensor_parallel = 2;
  d.link = {5e-6, 1e9};
  const ProfileTimer pair(profile(), d);
  // 8 tokens x 100 x 2 bytes x 2 (2 - 1) / 2 = 1600 B: 5 + 1.6 us, twice a layer and once for the embedding.
  const IterationShape shape = decodes(8, 8 * 101);
  EXPECT_EQ((pair.iteration(shape) - alone.iteration(shape)).ticks(), 5 * 66 * kTicksPerMicro / 10);
}

TEST(ProfileTimer, RanksOfAGroupWaitForTheSlowestAndShareExperts) {
  KernelProfile p = profile();
  p.experts =
      ExpertTable({{0, 1, 1e-5}, {1000, 1, 1.01e-3}, {0, 4, 4e-5}, {1000, 4, 1.04e-3}});  // chosen x 10 us + T us
  ProfiledDeployment d = deployment();
  d.experts = 8, d.experts_per_token = 4, d.expert_ranks = 2;
  d.link = {10e-6, 1e9};
  const ProfileTimer timer(p, d);
  // One rank decodes 2 sequences of 101 tokens, the other has nothing and runs a dummy: padded to 2 tokens both.
  IterationShape work = decodes(2, 2 * 101), dummy = decodes(1, 1);
  work.padded_tokens = 2, dummy.padded_tokens = 1;
  const std::vector<IterationShape> ranks = {work, dummy};
  // A layer: norms 2 x 1, matrices 102, attention 2 x 2.1 = 4.2. Head: 0.2 + 40.5. Experts: 4 tokens choose
  // 4 x (1 - (1/2)^4) = 3.75 of a rank's 4: 37.5 us + 2 tokens = 39.5. Gathered 2 x 108 x 2 = 432 B, scattered
  // 4 x 100 x 2 / 2 = 400 B: 20.832 us. In all 2 x (108.2 + 60.332) + 40.7 = 377.764 us.
  EXPECT_EQ(timer.group_iteration(ranks).ticks(), 377'764 * kTicksPerMicro / 1000);
}

RC_GTEST_PROP(ProfileTimer, DecodeRunIsWhatStepsGiveOneByOne, ()) {
  static const ProfileTimer timer(profile(), deployment());
  const auto n = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto context = *rc::gen::inRange<std::int64_t>(n, n * 6000);
  const DecodeRun run = timer.decode_run(decodes(n, context));
  RC_ASSERT(run.steps >= 1);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(run.steps, 200); ++i) {
    RC_ASSERT(timer.iteration(decodes(n, context + i * n)).ticks() == run.first_ticks + i * run.increase_ticks);
  }
  // The last step it speaks for, too.
  const std::int64_t last = std::min<std::int64_t>(run.steps, 100'000) - 1;
  RC_ASSERT(timer.iteration(decodes(n, context + last * n)).ticks() == run.first_ticks + last * run.increase_ticks);
}

TEST(ProfileTimer, OneShotWorkIsNotInAProfile) {
  const ProfileTimer timer(profile(), deployment());
  EXPECT_THROW(timer.batch(1, 128), std::logic_error);
}

/// One KV head on one multiprocessor: two thread blocks at a time. One block alone reads 5e8 tokens/s, starts in
/// 1.001 us; a step of n equal sequences takes n x (1 us + kd / 1e9).
AttentionTable block_table() {
  std::vector<AttentionPoint> points;
  for (const std::int64_t n : {1, 2, 4, 8}) {
    for (const std::int64_t kd : {1, 1024, 4096}) {
      const auto tokens = static_cast<double>(kd);
      points.push_back({0, 0, n, kd, static_cast<double>(n) * (1e-6 + tokens * 1e-9)});
      points.push_back({16, 0, n, kd, static_cast<double>(n) * tokens * 2e-9});
    }
  }
  return AttentionTable(points);
}

TEST(UnevenDecodes, AppliesWhereFlashAttentionDoesNotSplit) {
  const AttentionTable table = block_table();
  const UnevenDecodes wide(table, 188, 8), narrow(table, 128, 8), shard(table, 188, 4);
  EXPECT_FALSE(wide.applies(37));  // 296 blocks of 0.8 x 376 = 300.8
  EXPECT_TRUE(wide.applies(38));
  EXPECT_FALSE(narrow.applies(25));
  EXPECT_TRUE(narrow.applies(26));
  EXPECT_FALSE(shard.applies(75));
  EXPECT_TRUE(shard.applies(76));
}

TEST(UnevenDecodes, TheLongestRunsOnAlone) {
  const AttentionTable table = block_table();
  const UnevenDecodes uneven(table, 1, 1);
  // 3000 and 1000 tokens, read together at 5e8/s each (the bus could do 4000 / 3.998 us): the short one is through
  // after 2 us, the long one reads its other 2000 in 4 us more. Two of 2000 would be through after 4 us.
  const std::vector<std::int32_t> contexts = {1001, 3001};
  EXPECT_NEAR(uneven.extra_seconds(contexts), 2e-6, 1e-12);
  const std::vector<std::int32_t> turned = {3001, 1001}, equal = {2001, 2001}, one = {2001};
  EXPECT_EQ(uneven.extra_seconds(turned), uneven.extra_seconds(contexts));
  EXPECT_EQ(uneven.extra_seconds(equal), 0);
  EXPECT_EQ(uneven.extra_seconds(one), 0);
}

TEST(UnevenDecodes, WaitsForASlot) {
  const AttentionTable table = block_table();
  const UnevenDecodes uneven(table, 1, 1);
  // 2000, 1000, 600 and 400 tokens: mean 1000, so the bus does 4000 / (4 x 0.999 us) = 1.001e9/s, two blocks 5e8 each.
  // Starting takes 1.001 us. [0 to 1.001] start; 1000 is through at 3.001, 600 starts, reads from 4.002; 2000 at 5.001;
  // 400 starts, reads from 6.002; 600 at 5.202; 400 at 6.802. Equal: two rounds of 1.001 + 2 us = 6.002.
  const std::vector<std::int32_t> contexts = {2001, 1001, 601, 401};
  EXPECT_NEAR(uneven.extra_seconds(contexts), 0.8e-6, 1e-11);
}

TEST(ProfileTimer, UnevenDecodesNeedEveryContext) {
  KernelProfile p = profile();
  p.attention = block_table();
  ProfiledDeployment d = deployment();
  const ProfileTimer even(p, d);
  d.multiprocessors = 1, d.kv_heads = 1, d.uneven_decodes = true;
  const ProfileTimer timer(p, d);
  IterationShape shape = decodes(2, 4002);
  EXPECT_THROW(timer.iteration(shape), std::logic_error);
  const std::vector<std::int32_t> contexts = {1001, 3001};
  shape.decode_contexts = contexts;
  // Two layers, each 2 us longer.
  EXPECT_NEAR((timer.iteration(shape) - even.iteration(shape)).seconds(), 4e-6, 2e-11);
  EXPECT_EQ(timer.decode_run(shape).steps, 1);
}

}  // namespace
}  // namespace weir::sim
