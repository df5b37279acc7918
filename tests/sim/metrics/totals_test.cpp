#include "sim/metrics/totals.h"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

// 2,000 replicas, each busy for a day: 1.728e8 s = 1.728e19 ticks, which no int64 holds.
TEST(Totals, AFleetsTicksPassSixtyThreeBits) {
  ReplicaTotals day;
  day.busy_ticks = Time::from_seconds(86'400).ticks();
  day.work[3].ticks = day.busy_ticks;
  day.work[3].steps = 1'000;
  day.scheduler.kv_blocks_peak = 7;
  day.scheduler.tokens_read = 3;
  FleetTotals fleet;
  for (int i = 0; i < 2'000; ++i) fleet.add(day);
  const WideInt expected = WideInt{86'400} * 2'000 * Time::kTicksPerSecond;
  EXPECT_TRUE(fleet.busy_ticks == expected);
  EXPECT_TRUE(fleet.all_work().ticks == expected);
  EXPECT_TRUE(fleet.all_work().steps == 2'000'000);
  EXPECT_EQ(fleet.scheduler.kv_blocks_peak, 7);
  EXPECT_EQ(fleet.scheduler.tokens_read, 6'000);
}

TEST(Totals, OctavesOfTokens) {
  EXPECT_EQ(ReplicaTotals::octave_of(0), 0u);
  EXPECT_EQ(ReplicaTotals::octave_of(1), 1u);
  EXPECT_EQ(ReplicaTotals::octave_of(3), 2u);
  EXPECT_EQ(ReplicaTotals::octave_of(512), 10u);
}

}  // namespace
}  // namespace weir::sim
