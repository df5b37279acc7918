#include "sim/metrics/slo.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::sim {
namespace {

Time s(double seconds) { return Time::from_seconds(seconds); }

/// Of a request that arrived at 0 and has two tokens.
Latencies took(double ttft_s, double e2e_s) { return {s(ttft_s), s(e2e_s - ttft_s), s(e2e_s)}; }

TEST(Slo, LatenciesByTheirDefinitions) {
  ServedRequest served;
  served.request.arrival = s(1);
  served.request.output_tokens = 5;
  served.admitted = s(1.5);
  served.first = s(2);
  const Latencies l = latencies_of(served, s(4));
  EXPECT_EQ(l.ttft, s(1.0));
  EXPECT_EQ(l.e2e, s(3.0));
  EXPECT_EQ(l.tpot, s(0.5));  // 2 s for the four tokens after the first
}

TEST(Slo, TpotIsRoundedDown) {
  EXPECT_EQ(tpot_ticks(11, 5), 2);
  EXPECT_EQ(tpot_ticks(12, 5), 3);
  EXPECT_EQ(tpot_ticks(11, 1), 0);
  EXPECT_EQ(tpot_ticks(0, 0), 0);
}

// Around every quotient, small and large: floating point must not have rounded up.
RC_GTEST_PROP(Slo, TpotIsTheIntegerQuotient, ()) {
  const auto gaps = *rc::gen::inRange<std::int64_t>(1, 1 << 24);
  const auto quotient = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << *rc::gen::inRange(1, 38));
  const std::int64_t ticks = quotient * gaps;
  RC_ASSERT(tpot_ticks(ticks, gaps + 1) == quotient);
  RC_ASSERT(tpot_ticks(ticks - 1, gaps + 1) == quotient - 1);
}

TEST(Slo, TheLongestTimeWithinALimit) {
  EXPECT_EQ(longest_within(1.0).ticks(), Time::kTicksPerSecond);
  for (const double limit_s : {1e-11, 0.05, 1.0 / 3, 2.5e-9 / 3, 123.456, 1e6, 2.3e7}) {
    EXPECT_LE(longest_within(limit_s).seconds(), limit_s) << limit_s;
    EXPECT_GT((longest_within(limit_s) + Time::from_ticks(1)).seconds(), limit_s) << limit_s;
  }
  EXPECT_EQ(longest_within(1e9), Time::never());
}

TEST(Slo, ARequestIsHeldToTheHighestPercentileStated) {
  EXPECT_EQ(request_limit({{"p50", 0.2}, {"p99", 1.0}}), 1.0);
  EXPECT_EQ(request_limit({{"p999", 3.0}, {"p99", 1.0}, {"p95", 0.5}}), 3.0);
  EXPECT_EQ(request_limit({}), std::nullopt);

  data::Slo slo;
  slo.ttft_s = {{"p50", 0.2}, {"p99", 1.0}};
  slo.tpot_s = {{"p99", 0.1}};
  const RequestLimits limits(slo);
  EXPECT_TRUE(limits.kept_by({s(1.0), s(0.1), s(99)}));
  EXPECT_FALSE(limits.kept_by({s(1.001), s(0.1), s(99)}));
  EXPECT_FALSE(limits.kept_by({s(0.1), s(0.11), s(99)}));
  EXPECT_TRUE(limits.kept_by({s(0.1), Time(), s(99)}));  // one token: there is no TPOT to miss
}

TEST(Slo, JudgesPercentilesAndAttainment) {
  data::Slo slo;
  slo.ttft_s = {{"p50", 0.2}, {"p99", 1.0}};
  slo.attainment = 0.9;
  LatencySummary latency;
  latency.ttft.n = 95;
  latency.ttft.p50 = 0.1;
  latency.ttft.p99 = 1.5;
  const RequestCounts counts{.offered = 100, .completed = 95, .rejected = 5};

  SloResult result = judge(slo, "chat", latency, counts, 93);
  ASSERT_EQ(result.targets.size(), 2u);
  EXPECT_TRUE(result.targets[0].met);
  EXPECT_FALSE(result.targets[1].met);
  EXPECT_EQ(result.targets[1].percentile, "p99");
  EXPECT_EQ(result.targets[1].value_s, 1.5);
  EXPECT_DOUBLE_EQ(*result.attainment, 0.93);
  EXPECT_FALSE(result.met);

  latency.ttft.p99 = 1.0;
  EXPECT_TRUE(judge(slo, "chat", latency, counts, 90).met);
  EXPECT_FALSE(judge(slo, "chat", latency, counts, 89).met);
}

TEST(Slo, NobodyServedIsAMissAndNobodyOfferedIsNot) {
  data::Slo slo;
  slo.e2e_s = {{"p99", 1.0}};
  EXPECT_FALSE(judge(slo, "a", {}, {.offered = 3, .rejected = 3}, 0).met);
  EXPECT_TRUE(judge(slo, "a", {}, {}, 0).met);
  EXPECT_FALSE(judge({}, "a", {}, {.offered = 3}, 0).attainment.has_value());
}

// 100 requests at 97%: three may miss, the fourth ends it. The p50 target alone would allow 50.
TEST(HopelessWatch, GivesUpWithTheFirstMissTooMany) {
  data::Slo slo;
  slo.ttft_s = {{"p50", 1.0}};
  slo.attainment = 0.97;
  HopelessWatch watch({slo}, {100});
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(watch.completed(0, took(1.5, 2)));
  EXPECT_FALSE(watch.completed(0, took(0.5, 2)));
  EXPECT_TRUE(watch.completed(0, took(1.5, 2)));
}

// p99 of 100: rank 98.01, so one value may lie above the limit; with two the lower order statistic does.
TEST(HopelessWatch, WatchesPercentilesToo) {
  data::Slo slo;
  slo.e2e_s = {{"p99", 1.0}};
  slo.attainment = 0.5;
  HopelessWatch watch({slo}, {100});
  EXPECT_FALSE(watch.completed(0, took(1, 2)));
  EXPECT_TRUE(watch.completed(0, took(1, 2)));
}

TEST(HopelessWatch, ADropIsAMissButOnlyWhereThereAreLimits) {
  data::Slo slo;
  slo.e2e_s = {{"p99", 1.0}};
  slo.attainment = 1.0;
  HopelessWatch watch({data::Slo{}, slo}, {1, 1});
  EXPECT_FALSE(watch.dropped(0));
  EXPECT_TRUE(watch.dropped(1));
}

}  // namespace
}  // namespace weir::sim
