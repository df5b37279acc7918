// Vidur's composition of an iteration: by hand on small tables, and every iteration that a reference run recorded.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/field/vidur_conformance/vidur_iterations.h"
#include "tests/field/vidur_conformance/vidur_timer.h"

namespace weir::field {
namespace {

namespace fs = std::filesystem;

/// Tables whose entries tell where they come from: by tokens t: every operator t x 1e-3 ms but saving, which is 1 ms x
/// t; decode (B, K) = 100 B + K/64; prefill (kv, c) = 1000 kv/64 + c.
class SmallTables : public ::testing::Test {
 protected:
  // A folder a test: they may run at the same time.
  SmallTables()
      : folder_(fs::path(::testing::TempDir()) /
                (std::string("vidur_tables_") + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
    std::ofstream tokens(folder_ / "by_num_tokens_ms.csv");
    tokens << "num_tokens,attn_pre_proj,attn_post_proj,mlp_up_proj,mlp_down_proj,mlp_act,attn_rope,attn_kv_cache_save,"
              "input_layernorm,post_attention_layernorm,add,all_reduce\n";
    for (int t = 1; t <= 64; ++t) {
      tokens << t;
      for (int column = 0; column < 11; ++column) tokens << ',' << (column == 6 ? t : t * 1e-3);
      tokens << '\n';
    }
    std::ofstream decode(folder_ / "attn_decode_ms.csv");
    decode << "batch_size,kv_cache_size,attn_decode_ms\n";
    for (int b = 1; b <= 4; ++b)
      for (int k = 0; k <= 4; ++k) decode << b << ',' << 64 * k << ',' << 100 * b + k << '\n';
    std::ofstream prefill(folder_ / "attn_prefill_ms.csv");
    prefill << "kv_cache_size,prefill_chunk_size,attn_prefill_ms\n";
    for (int k = 0; k <= 4; ++k)
      for (int c = 1; c <= (k == 0 ? 60 : 40); ++c) prefill << 64 * k << ',' << c << ',' << 1000 * k + c << '\n';
  }

  static VidurRun run_of(int tensor_parallel, bool grouped_queries) {
    VidurRun run;
    run.tensor_parallel = tensor_parallel;
    run.layers = 2;
    run.grouped_queries = grouped_queries;
    run.decode_batching_overhead = run.prefill_batching_overhead = 0.1;
    run.collective_launch_ms = 0.02;
    return run;
  }
  static sim::IterationShape decodes(std::int64_t sequences, std::int64_t context) {
    return shape({}, sequences, context);
  }
  static sim::IterationShape shape(std::span<const sim::PrefillChunk> prefill, std::int64_t sequences = 0,
                                   std::int64_t context = 0) {
    return {.prefill = prefill,
            .decode_sequences = sequences,
            .decode_context_tokens = context,
            .padded_tokens = 0,
            .decode_contexts = {}};
  }
  double ms(const VidurRun& run, const sim::IterationShape& step) const {
    return VidurTimer(folder_, run).iteration(step).seconds() * 1e3;
  }

  fs::path folder_;
};

// One sequence with 65 tokens: K = 128, one token is computed as eight. 9 operators x 8e-3 + saving 1 + decode 102.
TEST_F(SmallTables, OneDecodeHasNoBatchingOverhead) {
  EXPECT_NEAR(ms(run_of(1, true), decodes(1, 65)), 2 * (0.072 + 1 + 102), 1e-8);
}

// Three with 64 + 64 + 66 = 194 tokens: the mean 64.67 is cut to 64 before it is rounded up, so K = 64: 301 x 1.1.
TEST_F(SmallTables, TheMeanContextIsCutBeforeItIsRoundedUp) {
  EXPECT_NEAR(ms(run_of(1, true), decodes(3, 194)), 2 * (0.072 + 3 + 301 * 1.1), 1e-8);
  EXPECT_NEAR(ms(run_of(1, true), decodes(3, 195)), 2 * (0.072 + 3 + 302 * 1.1), 1e-8);
  EXPECT_NEAR(ms(run_of(1, false), decodes(3, 195)), 2 * (0.072 + 3 + 302), 1e-8);
}

// Chunks 12 (of a prompt with 65 tokens behind it: 128) and 5 (with 1: 64): kv 192, root(144 + 25) = 13, 3013 x 1.1;
// with two decodes (201 x 1.1 at K = 64) there are 19 tokens, computed as 24.
TEST_F(SmallTables, ChunksBecomeOneOfTheRootOfTheirSquares) {
  const sim::PrefillChunk chunks[] = {{12, 65}, {5, 1}};
  const sim::IterationShape both = shape(chunks, 2, 100);
  EXPECT_NEAR(ms(run_of(1, true), both), 2 * (9 * 0.024 + 19 + 201 * 1.1 + 3013 * 1.1), 1e-8);
  // Two ranks: two all-reduces a layer, each with its launch.
  EXPECT_NEAR(ms(run_of(2, true), both), 2 * (9 * 0.024 + 19 + 201 * 1.1 + 3013 * 1.1 + 2 * (0.024 + 0.02)), 1e-8);
  // With a skew of 0.5 ms x 2^1.25 = 1.189207 ms in each.
  VidurRun skewed = run_of(2, true);
  skewed.collective_skew_ms = 0.5;
  EXPECT_NEAR(ms(skewed, both) - ms(run_of(2, true), both), 2 * 2 * 1.189207, 1e-6);
}

TEST_F(SmallTables, WithoutThePostAttentionNormItCostsNothing) {
  VidurRun run = run_of(1, true);
  run.post_attention_norm = false;
  EXPECT_NEAR(ms(run, decodes(1, 65)), 2 * (0.064 + 1 + 102), 1e-8);
}

// From a mean of 62 the steps at 62, 63, 64 are equal; from 65 those up to 128; and a run's steps are what single steps
// are.
TEST_F(SmallTables, ARunOfDecodesEndsWithItsCellOfTheGrid) {
  const VidurTimer timer(folder_, run_of(1, true));
  EXPECT_EQ(timer.decode_run(decodes(3, 188)).steps, 3);
  EXPECT_EQ(timer.decode_run(decodes(3, 195)).steps, 64);
  for (std::int64_t context = 3; context < 500; context += 7) {
    const sim::DecodeRun run = timer.decode_run(decodes(3, context));
    ASSERT_EQ(run.increase_ticks, 0);
    for (std::int64_t step = 0; step < run.steps; ++step) {
      const sim::IterationShape next = decodes(3, context + 3 * step);
      ASSERT_EQ(timer.iteration(next).ticks(), run.first_ticks) << context << " step " << step;
    }
    const std::int64_t after = context + 3 * run.steps;
    ASSERT_NE(timer.iteration(decodes(3, after)).ticks(), run.first_ticks);
  }
}

TEST_F(SmallTables, OutsideTheTablesIsAnError) {
  const sim::PrefillChunk long_chunk[] = {{50, 64}}, long_prompt[] = {{70, 0}};
  EXPECT_THROW(ms(run_of(1, true), shape(long_chunk)), data::InputError);
  EXPECT_THROW(ms(run_of(1, true), shape(long_prompt)), data::InputError);
  EXPECT_THROW(ms(run_of(1, true), decodes(5, 5)), data::InputError);
  EXPECT_THROW(ms(run_of(1, true), decodes(1, 257)), data::InputError);
}

/// A run with recorded iterations and the tables it was made with.
struct Recorded {
  const char *run, *predictions;
};
void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.run; }

class VidurIterations : public ::testing::TestWithParam<Recorded> {};

// Times are printed to 1e-9 s, so a difference of two is off by up to 1e-9, and ours by half a tick of 1e-11.
TEST_P(VidurIterations, LastAsLongAsRecorded) {
  const char* root = std::getenv("WEIR_FIELD_DATA");
  if (root == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set";
  const fs::path vidur = fs::path(root) / "data" / "vidur";
  const VidurRun run = read_vidur_run(vidur / "runs" / GetParam().run);
  const VidurTimer timer(vidur / "predictions" / GetParam().predictions, run);
  const std::vector<VidurIteration> iterations =
      read_vidur_iterations(vidur / "runs" / GetParam().run / "iterations.csv");
  ASSERT_GT(iterations.size(), 1000U);
  double worst = 0;
  for (const VidurIteration& i : iterations) {
    worst = std::max(worst, std::fabs(timer.time(i.features).seconds() - (i.end_s - i.begin_s)));
  }
  EXPECT_LT(worst, 1.01e-9);
}

INSTANTIATE_TEST_SUITE_P(Runs, VidurIterations,
                         ::testing::Values(Recorded{"l3_sarathi_q8", "l3_a100_tp1"},
                                           Recorded{"l3_sarathi_q8_blk3000", "l3_a100_tp1"},
                                           Recorded{"l3_vllm_q8", "l3_a100_tp1"},
                                           Recorded{"l3_vllm_q8_blk3000", "l3_a100_tp1"}));

}  // namespace
}  // namespace weir::field
