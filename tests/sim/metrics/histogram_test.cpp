#include "sim/metrics/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

constexpr double kStatedError = 0.005;

TEST(Histogram, PercentilesAreWithinHalfAPercent) {
  RandomStream random(1, "histogram");
  Histogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 50'000; ++i) {
    const Time value = Time::from_seconds(random.lognormal(-4, 2));
    histogram.add(value);
    values.push_back(value.seconds());
  }
  std::sort(values.begin(), values.end());
  for (const double p : {0.0, 1.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const double exact = values[static_cast<std::size_t>(p / 100 * 49'999)];
    EXPECT_NEAR(histogram.percentile_s(p) / exact, 1, kStatedError) << p;
  }
}

// Every value by itself: the middle of its cell may not be further off than stated. Clamping to the extremes is kept
// out of the way by one smaller and one greater value.
RC_GTEST_PROP(Histogram, EveryValueIsWithinHalfAPercent, ()) {
  const auto ticks = *rc::gen::suchThat(
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                   [](std::uint64_t x) { return static_cast<std::int64_t>((x >> 2) >> (x & 63) % 60); }),
      [](std::int64_t x) { return x > 0; });
  Histogram histogram;
  histogram.add(Time());
  histogram.add(Time::from_ticks(ticks));
  histogram.add(Time::from_ticks(INT64_MAX / 2));
  const double exact = Time::from_ticks(ticks).seconds();
  RC_ASSERT(std::fabs(histogram.percentile_s(50) / exact - 1) <= kStatedError);
}

TEST(Histogram, BulkIsTheSameAsOneByOneAndMergesAdd) {
  Histogram bulk, single, left, right, span;
  bulk.add(Time::from_seconds(0.01), 3);
  bulk.add(Time::from_seconds(0.5), 1);
  for (int i = 0; i < 3; ++i) single.add(Time::from_seconds(0.01));
  single.add(Time::from_seconds(0.5));
  left.add(Time::from_seconds(0.5));
  right.add(Time::from_seconds(0.01), 3);
  left.merge(right);
  const std::int64_t ms = Time::kTicksPerSecond / 1000;
  span.add(std::vector<std::int64_t>{500 * ms, 10 * ms, 10 * ms, 10 * ms}, 530 * ms);
  EXPECT_EQ(bulk, single);
  EXPECT_EQ(bulk, left);
  EXPECT_EQ(bulk, span);
  EXPECT_EQ(bulk.count(), 4);
  EXPECT_DOUBLE_EQ(bulk.distribution().mean, (3 * 0.01 + 0.5) / 4);
  EXPECT_EQ(bulk.distribution().max, 0.5);
  left.add(Time::from_seconds(0.5));
  EXPECT_FALSE(bulk == left);
}

/// The values of a gap, one by one.
Histogram one_by_one(const Gap& gap) {
  Histogram histogram;
  for (std::int64_t i = 0; i < gap.steps; ++i) {
    for (std::int64_t k = 0; k < gap.count; ++k) {
      histogram.add(Time::from_ticks(gap.first_ticks + i * gap.increase_ticks));
    }
  }
  return histogram;
}

// From 255, the last value with a cell of its own, by one tick: 255 | 256 257 | 258 259 | 260.
TEST(Histogram, AProgressionFallsIntoItsCells) {
  const Gap gap{255, 1, 6, 2, 0};
  Histogram histogram;
  histogram.add_progression(gap);
  EXPECT_EQ(histogram, one_by_one(gap));
  EXPECT_EQ(histogram.count(), 12);
  EXPECT_EQ(histogram.sum_ticks(), 2 * (255 + 256 + 257 + 258 + 259 + 260));
  EXPECT_EQ(histogram.count_up_to(Time::from_ticks(255)), 2);
  EXPECT_EQ(histogram.count_up_to(Time::from_ticks(256)), 6);  // 257 shares the cell
  EXPECT_EQ(histogram.count_up_to(Time::from_ticks(259)), 10);
  EXPECT_EQ(histogram.count_up_to(Time::from_seconds(1)), 12);
}

// Flat, within a cell, over many cells, over cells narrower than the increase, downwards, over octaves.
RC_GTEST_PROP(Histogram, AProgressionIsTheSameAsOneByOne, ()) {
  const int first_bits = *rc::gen::inRange(0, 50), increase_bits = *rc::gen::inRange(0, 39);
  Gap gap;
  gap.first_ticks = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << first_bits);
  gap.increase_ticks = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << increase_bits);
  gap.steps = *rc::gen::inRange<std::int64_t>(1, 2000);
  gap.count = *rc::gen::inRange<std::int64_t>(1, 4);
  Histogram up;
  up.add_progression(gap);
  RC_ASSERT(up == one_by_one(gap));

  Gap back = gap;
  back.first_ticks = gap.first_ticks + gap.increase_ticks * (gap.steps - 1);
  back.increase_ticks = -gap.increase_ticks;
  Histogram down;
  down.add_progression(back);
  RC_ASSERT(down == up);
}

TEST(Histogram, LongSumsDoNotOverflow) {
  Histogram histogram;
  histogram.add_progression({std::int64_t{1} << 50, 0, 1 << 10, 1 << 20, 0});
  EXPECT_TRUE(histogram.sum_ticks() == WideInt{1} << 80);
  EXPECT_EQ(histogram.count(), std::int64_t{1} << 30);
}

TEST(Histogram, EmptyHasNoPercentiles) {
  EXPECT_EQ(Histogram().distribution().n, 0);
  EXPECT_THROW(Histogram().percentile_s(50), std::logic_error);
}

}  // namespace
}  // namespace weir::sim
