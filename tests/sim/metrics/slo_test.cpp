#include "sim/metrics/slo.h"

#include <vector>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

RequestRecord served(double admitted_s, double first_s, double done_s) {
  return {Time::from_seconds(admitted_s), Time::from_seconds(first_s), Time::from_seconds(done_s),
          RequestOutcome::completed};
}

SimRequest request(int output_tokens, std::int16_t request_class = 0) {
  SimRequest r;
  r.input_tokens = 10;
  r.output_tokens = output_tokens;
  r.class_index = request_class;
  return r;
}

TEST(Slo, LatenciesByTheirDefinitions) {
  SimRequest r = request(5);
  r.arrival = Time::from_seconds(1);
  const Latencies l = latencies_of(r, served(1.5, 2, 4));
  EXPECT_DOUBLE_EQ(l.queue_s, 0.5);
  EXPECT_DOUBLE_EQ(l.ttft_s, 1.0);
  EXPECT_DOUBLE_EQ(l.e2e_s, 3.0);
  EXPECT_DOUBLE_EQ(*l.tpot_s, 0.5);  // 2 s for the four tokens after the first
  EXPECT_FALSE(latencies_of(request(1), served(0, 1, 1)).tpot_s.has_value());
}

TEST(Slo, ARequestIsHeldToTheHighestPercentileStated) {
  EXPECT_EQ(request_limit({{"p50", 0.2}, {"p99", 1.0}}), 1.0);
  EXPECT_EQ(request_limit({{"p999", 3.0}, {"p99", 1.0}, {"p95", 0.5}}), 3.0);
  EXPECT_EQ(request_limit({}), std::nullopt);

  data::Slo slo;
  slo.ttft_s = {{"p50", 0.2}, {"p99", 1.0}};
  slo.tpot_s = {{"p99", 0.1}};
  const RequestLimits limits(slo);
  EXPECT_TRUE(limits.kept_by({.ttft_s = 1.0, .tpot_s = 0.1}));
  EXPECT_FALSE(limits.kept_by({.ttft_s = 1.001, .tpot_s = 0.1}));
  EXPECT_FALSE(limits.kept_by({.ttft_s = 0.1, .tpot_s = 0.11}));
  EXPECT_TRUE(limits.kept_by({.ttft_s = 0.1, .tpot_s = std::nullopt}));  // one token: there is no TPOT to miss
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
  RequestList requests;
  requests.requests.assign(100, request(2));
  HopelessWatch watch({slo}, requests);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(watch.left(request(2), served(0, 1.5, 2)));
  EXPECT_FALSE(watch.left(request(2), served(0, 0.5, 2)));
  EXPECT_TRUE(watch.left(request(2), served(0, 1.5, 2)));
}

// p99 of 100: rank 98.01, so one value may lie above the limit; with two the lower order statistic does.
TEST(HopelessWatch, WatchesPercentilesToo) {
  data::Slo slo;
  slo.e2e_s = {{"p99", 1.0}};
  slo.attainment = 0.5;
  RequestList requests;
  requests.requests.assign(100, request(2));
  HopelessWatch watch({slo}, requests);
  EXPECT_FALSE(watch.left(request(2), served(0, 1, 2)));
  EXPECT_TRUE(watch.left(request(2), served(0, 1, 2)));
}

TEST(HopelessWatch, ADropIsAMissButOnlyWhereThereAreLimits) {
  data::Slo slo;
  slo.e2e_s = {{"p99", 1.0}};
  slo.attainment = 1.0;
  RequestList requests;
  requests.requests = {request(2, 0), request(2, 1)};
  HopelessWatch watch({data::Slo{}, slo}, requests);
  RequestRecord dropped;
  dropped.outcome = RequestOutcome::timed_out;
  EXPECT_FALSE(watch.left(request(2, 0), dropped));
  EXPECT_TRUE(watch.left(request(2, 1), dropped));
}

}  // namespace
}  // namespace weir::sim
