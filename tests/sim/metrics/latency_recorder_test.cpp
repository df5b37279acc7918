#include "sim/metrics/latency_recorder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

constexpr std::int64_t kSecond = Time::kTicksPerSecond;

void add(LatencyRecorder& to, const std::vector<std::uint64_t>& indices, const std::vector<std::int64_t>& ticks) {
  if (ticks.empty()) return;
  to.add({indices, *std::min_element(indices.begin(), indices.end()), *std::max_element(indices.begin(), indices.end()),
          ticks, sum_of(ticks)});
}
/// Values of requests 0, 1, 2, ...
void add(LatencyRecorder& to, const std::vector<std::int64_t>& ticks) {
  std::vector<std::uint64_t> indices(ticks.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  add(to, indices, ticks);
}

// Of 10, 20, 30, 40, 50: rank (5 - 1) x 0.9 = 3.6 lies between 40 and 50, so p90 = 46; p99 at 3.96 is 49.6.
TEST(LatencyRecorder, InterpolatesBetweenOrderStatistics) {
  LatencyRecorder recorder;
  add(recorder, {50 * kSecond, 10 * kSecond, 40 * kSecond, 20 * kSecond, 30 * kSecond});
  const Distribution d = recorder.distribution();
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

TEST(LatencyRecorder, OneValueIsEveryPercentileAndNoneIsNothing) {
  LatencyRecorder recorder;
  EXPECT_EQ(recorder.distribution().n, 0);
  add(recorder, {7 * kSecond});
  EXPECT_EQ(recorder.distribution().p50, 7);
  EXPECT_EQ(recorder.distribution().p999, 7);
}

// 1 ms, 2 ms, ... : the value at rank r is r + 1 ms.
TEST(LatencyRecorder, PastTheLimitPercentilesAreWithinHalfAPercent) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 1; i <= 5001; ++i) values.push_back(i * kSecond / 1000);
  LatencyRecorder exact(5001), coarse(5000);
  add(exact, values);
  add(coarse, values);
  EXPECT_TRUE(exact.exact());
  EXPECT_FALSE(coarse.exact());
  const Distribution sharp = exact.distribution(), d = coarse.distribution();
  EXPECT_DOUBLE_EQ(sharp.p50, 2.501);
  EXPECT_NE(d.p50, sharp.p50);
  EXPECT_NEAR(d.p50 / sharp.p50, 1, 0.005);
  EXPECT_NEAR(d.p999 / sharp.p999, 1, 0.005);
  EXPECT_EQ(d.n, 5001);
  EXPECT_EQ(d.mean, sharp.mean);
  EXPECT_EQ(d.max, 5.001);
  EXPECT_EQ(d.mean_half_width_99, sharp.mean_half_width_99);
}

// Whatever the order, the portions and where the limit is passed on the way.
RC_GTEST_PROP(LatencyRecorder, OrderAndPortionsDoNotMatter, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 300);
  const auto limit = *rc::gen::inRange<std::size_t>(1, 300);
  const auto values = *rc::gen::container<std::vector<std::int64_t>>(n, rc::gen::inRange<std::int64_t>(0, 1 << 30));
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  RandomStream random(*rc::gen::inRange<std::uint64_t>(0, 1000), "order");
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);

  LatencyRecorder at_once(limit), shuffled(limit), left(limit), right(limit);
  add(at_once, values);
  for (const std::size_t i : order) add(shuffled, {i}, {values[i]});
  for (const std::size_t i : order) add(i % 3 == 0 ? left : right, {i}, {values[i]});
  left.merge(right);
  RC_ASSERT(at_once == shuffled);
  RC_ASSERT(at_once == left);
  RC_ASSERT(at_once.distribution().p90 == left.distribution().p90);
  add(left, {n}, {5});
  RC_ASSERT(!(at_once == left));
}

// Four of five requests were served, in 1, 2, 4 and 8 s; the fifth was dropped and is slower than everything.
TEST(LatencyRecorder, TailCountsTheSlowerAndTheDropped) {
  LatencyRecorder recorder;
  add(recorder, {8 * kSecond, 1 * kSecond, 4 * kSecond, 2 * kSecond});
  const std::vector<TailPoint> tail = recorder.tail(5);
  ASSERT_EQ(tail.size(), 60u);
  EXPECT_EQ(tail.front().latency_s, 1);
  EXPECT_DOUBLE_EQ(tail.front().slower_share, 0.8);
  EXPECT_EQ(tail.back().latency_s, 8);
  EXPECT_DOUBLE_EQ(tail.back().slower_share, 0.2);
  for (std::size_t i = 1; i < tail.size(); ++i) {
    EXPECT_NEAR(tail[i].latency_s / tail[i - 1].latency_s, std::pow(8, 1.0 / 59), 1e-12);
    EXPECT_LE(tail[i].slower_share, tail[i - 1].slower_share);
  }
  EXPECT_TRUE(LatencyRecorder().tail(5).empty());
  LatencyRecorder same;
  add(same, {3 * kSecond, 3 * kSecond});
  EXPECT_EQ(same.tail(2).size(), 1u);
}

// 1..1000 ms: a share of 1 - x/1 s is slower than x. Cells are 0.8% wide at most.
TEST(LatencyRecorder, TailOfAHistogramIsNearTheExactOne) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 1; i <= 1000; ++i) values.push_back(i * kSecond / 1000);
  LatencyRecorder coarse(10);
  add(coarse, values);
  const std::vector<TailPoint> tail = coarse.tail(1000);
  ASSERT_EQ(tail.size(), 60u);
  for (const TailPoint& point : tail)
    EXPECT_NEAR(point.slower_share, 1 - point.latency_s, 0.008 * point.latency_s + 0.001);
  EXPECT_EQ(tail.back().slower_share, 0);
}

}  // namespace
}  // namespace weir::sim
