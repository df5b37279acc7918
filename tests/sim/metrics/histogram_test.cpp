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
  Histogram bulk, single, left, right;
  bulk.add(Time::from_seconds(0.01), 3);
  bulk.add(Time::from_seconds(0.5), 1);
  for (int i = 0; i < 3; ++i) single.add(Time::from_seconds(0.01));
  single.add(Time::from_seconds(0.5));
  left.add(Time::from_seconds(0.5));
  right.add(Time::from_seconds(0.01), 3);
  left.merge(right);
  for (const Histogram* other : {&single, &left}) {
    EXPECT_EQ(other->count(), 4);
    EXPECT_EQ(bulk.distribution().mean, other->distribution().mean);
    EXPECT_EQ(bulk.distribution().p50, other->distribution().p50);
    EXPECT_EQ(bulk.distribution().max, other->distribution().max);
  }
  EXPECT_DOUBLE_EQ(bulk.distribution().mean, (3 * 0.01 + 0.5) / 4);
  EXPECT_EQ(bulk.distribution().max, 0.5);
}

TEST(Histogram, EmptyHasNoPercentiles) {
  EXPECT_EQ(Histogram().distribution().n, 0);
  EXPECT_THROW(Histogram().percentile_s(50), std::logic_error);
}

}  // namespace
}  // namespace weir::sim
