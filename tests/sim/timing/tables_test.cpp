#include "sim/timing/tables.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

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

TEST(PrefillTable, InterpolatesBetweenPowersOfTwo) {
  const PrefillTable table([](std::int64_t tokens, std::int64_t past) {
    return 1.0 + static_cast<double>(tokens) + 10 * static_cast<double>(past);
  });
  EXPECT_DOUBLE_EQ(table.seconds_per_pair(1, 0), 2);
  EXPECT_DOUBLE_EQ(table.seconds_per_pair(96, 0), 97);
  EXPECT_DOUBLE_EQ(table.seconds_per_pair(96, 3), 127);
  EXPECT_DOUBLE_EQ(table.seconds_per_pair(4096, 1000), 1 + 4096 + 10000);
}

}  // namespace
}  // namespace weir::sim
