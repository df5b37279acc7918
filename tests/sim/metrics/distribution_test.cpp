#include "sim/metrics/distribution.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sim/core/random.h"
#include "sim/metrics/tails.h"

namespace weir::sim {
namespace {

// Of 10, 20, 30, 40, 50: rank (5 - 1) x 0.9 = 3.6 lies between 40 and 50, so p90 = 46; p99 at 3.96 is 49.6.
TEST(Distribution, InterpolatesBetweenOrderStatistics) {
  std::vector<double> values = {50, 10, 40, 20, 30};
  const Distribution d = distribution_of(values);
  EXPECT_EQ(d.n, 5);
  EXPECT_DOUBLE_EQ(d.mean, 30);
  EXPECT_DOUBLE_EQ(d.p50, 30);
  EXPECT_DOUBLE_EQ(d.p90, 46);
  EXPECT_DOUBLE_EQ(d.p95, 48);
  EXPECT_DOUBLE_EQ(d.p99, 49.6);
  EXPECT_DOUBLE_EQ(d.p999, 49.96);
  EXPECT_DOUBLE_EQ(d.max, 50);
  EXPECT_FALSE(d.mean_half_width_99.has_value());
}

TEST(Distribution, OneValueIsEveryPercentile) {
  std::vector<double> values = {7};
  const Distribution d = distribution_of(values);
  EXPECT_EQ(d.p50, 7);
  EXPECT_EQ(d.p999, 7);
}

// 20 batches of 50, batch i constant at i: the means are 0..19, their variance is (20^2 - 1)/12 x 20/19 = 35, and the
// half-width is t x sqrt(35/20) with t(0.995, 19) = 2.860935.
TEST(Distribution, HalfWidthFromBatchMeans) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i / 50);
  const auto half_width = batch_means_half_width_99(values);
  ASSERT_TRUE(half_width.has_value());
  EXPECT_NEAR(*half_width, 2.860935 * std::sqrt(35.0 / 20), 1e-5);
  values.pop_back();
  EXPECT_FALSE(batch_means_half_width_99(values).has_value());
}

// Of 200 intervals at 99% about two miss; more than 8 has probability 2e-4. Fixed seeds, so the test cannot flicker.
TEST(Distribution, HalfWidthCoversTheMean) {
  int misses = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream random(9, "coverage", run);
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) values.push_back(random.exponential(1));
    const Distribution d = distribution_of(values);
    if (std::fabs(d.mean - 1) > *d.mean_half_width_99) ++misses;
  }
  EXPECT_LE(misses, 8);
}

TEST(Distribution, AboveAMillionValuesPercentilesAreWithinHalfAPercent) {
  std::vector<double> values;
  for (std::size_t i = 0; i <= kExactLimit; ++i) values.push_back(1e-3 * static_cast<double>(i + 1));
  const Distribution d = distribution_of(values);
  EXPECT_NEAR(d.p50 / 500.0, 1, 0.005);
  EXPECT_NEAR(d.p999 / 999.0, 1, 0.005);
  EXPECT_DOUBLE_EQ(d.max, 1e-3 * (static_cast<double>(kExactLimit) + 1));
}

// Four of five requests were served, in 1, 2, 4 and 8 s; the fifth was dropped and is slower than everything.
TEST(Tails, CountsTheSlowerAndTheDropped) {
  const std::vector<double> values = {1, 2, 4, 8};
  const std::vector<TailPoint> tail = tail_of_sorted(values, 5);
  ASSERT_EQ(tail.size(), 60u);
  EXPECT_EQ(tail.front().latency_s, 1);
  EXPECT_DOUBLE_EQ(tail.front().slower_share, 0.8);
  EXPECT_EQ(tail.back().latency_s, 8);
  EXPECT_DOUBLE_EQ(tail.back().slower_share, 0.2);
  for (std::size_t i = 1; i < tail.size(); ++i) {
    EXPECT_NEAR(tail[i].latency_s / tail[i - 1].latency_s, std::pow(8, 1.0 / 59), 1e-12);
    EXPECT_LE(tail[i].slower_share, tail[i - 1].slower_share);
  }
  EXPECT_TRUE(tail_of_sorted({}, 5).empty());
  EXPECT_EQ(tail_of_sorted(std::vector<double>{3, 3}, 2).size(), 1u);
}

}  // namespace
}  // namespace weir::sim
