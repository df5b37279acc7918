#include "sim/timing/tables.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/timing/iteration_tables.h"

namespace weir::sim {
namespace {

constexpr double kTick_s = 1e-11;

TEST(TokenTable, ExactAtItsNodesAndLinearBetweenThem) {
  const TokenTable table([](std::int64_t tokens) { return 1e-6 * static_cast<double>(tokens * tokens); });
  EXPECT_EQ(table.ticks(0), 0);
  EXPECT_EQ(table.ticks(1), 100'000);
  EXPECT_EQ(table.ticks(512), 512LL * 512 * 100'000);
  EXPECT_EQ(table.ticks(1024), 1024LL * 1024 * 100'000);
  EXPECT_EQ(table.ticks(1024 + 32), (table.ticks(1024) + table.ticks(1088)) / 2);
  // Beyond the last node the last slope goes on.
  EXPECT_EQ(table.ticks(16384 + 640) - table.ticks(16384), 10 * (table.ticks(16384) - table.ticks(16320)));
}

TEST(DecodeTable, LinearFunctionsComeBack) {
  const auto seconds = [](std::int64_t sequences, std::int64_t context) {
    return 2e-6 * static_cast<double>(sequences) + 80e-9 * static_cast<double>(context);
  };
  const DecodeTable table(seconds);
  for (const std::int64_t sequences : {1, 2, 3, 7, 64, 100, 1000, 1024}) {
    for (const std::int64_t mean : {1, 5, 64, 1000, 4097, 100000}) {
      const double expected = seconds(sequences, sequences * mean);
      EXPECT_NEAR(static_cast<double>(table.ticks(sequences, sequences * mean)) * kTick_s, expected, 2e-4 * expected);
    }
  }
}

RC_GTEST_PROP(DecodeTableProperty, StepsOfAFixedBatchGrowByAConstantWithinAnOctave, ()) {
  static const DecodeTable table([](std::int64_t sequences, std::int64_t context) {
    return 1e-6 * static_cast<double>(sequences) +
           1e-8 * static_cast<double>(context) * (1 + 1e-6 * static_cast<double>(context));
  });
  const auto sequences = *rc::gen::inRange<std::int64_t>(1, 1025);
  const auto octave = *rc::gen::inRange(1, 15);
  const std::int64_t low = sequences << octave;
  const auto offset = *rc::gen::inRange<std::int64_t>(0, low - 3);
  const std::int64_t a = table.ticks(sequences, low + offset), b = table.ticks(sequences, low + offset + 1);
  const std::int64_t c = table.ticks(sequences, low + offset + 2);
  RC_ASSERT(b - a == c - b);
  RC_ASSERT(b >= a);
}

RC_GTEST_PROP(DecodeTableProperty, ARunIsItsStepsOneByOne, ()) {
  static const DecodeTable table([](std::int64_t sequences, std::int64_t context) {
    return 1e-6 * static_cast<double>(sequences) +
           1e-8 * static_cast<double>(context) * (1 + 1e-6 * static_cast<double>(context));
  });
  const auto sequences = *rc::gen::inRange<std::int64_t>(1, 1200);
  const auto context = sequences * *rc::gen::inRange<std::int64_t>(1, 5000) + *rc::gen::inRange<std::int64_t>(0, 1200);
  const DecodeRun run = table.run(sequences, context);
  RC_ASSERT(run.steps >= 1);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(run.steps, 2000); ++i) {
    RC_ASSERT(run.first_ticks + i * run.increase_ticks == table.ticks(sequences, context + i * sequences));
  }
}

TEST(PrefillTable, InterpolatesRatesBetweenPowersOfTwo) {
  // One new token after p: p + 1 pairs; c tokens after none: c (c + 1) / 2.
  const auto rate = [](std::int64_t tokens, std::int64_t past) {
    return 1e-9 * (1.0 + static_cast<double>(tokens) + 10 * static_cast<double>(past));
  };
  const PrefillTable table(rate, 0, true);
  const auto nanoseconds = [&](std::int64_t tokens, std::int64_t past) {
    return static_cast<double>(table.ticks({tokens, past})) / 100;
  };
  EXPECT_DOUBLE_EQ(nanoseconds(1, 0), 2 * 1);
  EXPECT_DOUBLE_EQ(nanoseconds(96, 0), 97.0 * (96 * 97 / 2));
  EXPECT_DOUBLE_EQ(nanoseconds(96, 3), 127.0 * (96 * 3 + 96 * 97 / 2));
  EXPECT_DOUBLE_EQ(nanoseconds(4096, 1000), 14097.0 * (4096.0 * 1000 + 4096.0 * 4097 / 2));
  // Without a causal mask c tokens see each other all: c x c pairs.
  EXPECT_EQ(PrefillTable(rate, 0, false).ticks({64, 0}), 65LL * 100 * 64 * 64);
  // A short chunk after a long past takes at least the reading of it.
  const PrefillTable slow_reading([](std::int64_t, std::int64_t) { return 1e-9; }, 1e-6, true);
  EXPECT_NEAR(static_cast<double>(slow_reading.ticks({1, 1000})), 1e-3 / kTick_s, 1);
}

TEST(IterationTables, SumsTheirPartsAndRunsAreSteps) {
  IterationTables tables;
  tables.tokens = TokenTable([](std::int64_t t) { return 1e-5 * static_cast<double>(t); });
  tables.rows = TokenTable([](std::int64_t r) { return 1e-6 * static_cast<double>(r); });
  tables.decode = DecodeTable([](std::int64_t, std::int64_t context) { return 1e-8 * static_cast<double>(context); });
  tables.prefill = PrefillTable([](std::int64_t, std::int64_t) { return 1e-9; }, 0, true);
  tables.host_ticks = 7;
  tables.sequence_ticks = 3;
  tables.launch_ticks = 11;
  // 4 decodes over 400 tokens and a chunk of 10 after 5: tokens 14 x 1e6, rows 5 x 1e5, decode 400 x 1000,
  // prefill (50 + 55) pairs x 100 ticks, host 7, sequences 5 x 3, launches 11.
  const std::vector<PrefillChunk> chunk = {{10, 5}};
  EXPECT_EQ(tables.ticks({chunk, 4, 400, 0, {}}), 14'000'000 + 500'000 + 400'000 + 10'500 + 7 + 15 + 11);
  // Padded to 16 tokens by a captured graph.
  EXPECT_EQ(tables.ticks({{}, 4, 400, 16, {}}), 16'000'000 + 400'000 + 400'000 + 7 + 12 + 11);

  tables.launches_overlap = true;  // 5,000 steps of 4 decodes pass the launches' time on the way
  tables.launch_ticks = tables.tokens.ticks(4) + tables.rows.ticks(4) + tables.decode.ticks(4, 4 * 200);
  std::int64_t context = 4 * 150, steps = 0, pieces = 0;
  while (steps < 5000) {
    const DecodeRun run = tables.decode_run({{}, 4, context, 0, {}});
    ++pieces;
    for (std::int64_t i = 0; i < run.steps && steps < 5000; ++i, ++steps, context += 4) {
      EXPECT_EQ(run.first_ticks + i * run.increase_ticks, tables.ticks({{}, 4, context, 0, {}})) << context;
    }
  }
  EXPECT_GE(pieces, 6);  // the launches' end and the octaves above 150
  EXPECT_LE(pieces, 10);
}

}  // namespace
}  // namespace weir::sim
