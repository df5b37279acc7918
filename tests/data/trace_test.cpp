#include "data/trace.h"

#include <gtest/gtest.h>

namespace weir::data {
namespace {

constexpr double kRounding = 1e-12;  // a handful of operations on doubles of order 1 to 1e3
constexpr std::int64_t kSecondNs = 1'000'000'000;

Trace trace_at(const std::vector<std::int64_t>& arrivals_ns) {
  Trace trace;
  for (const std::int64_t arrival : arrivals_ns) {
    Request request;
    request.arrival_ns = arrival;
    request.input_tokens = 10;
    request.output_tokens = 5;
    trace.requests.push_back(request);
  }
  return trace;
}

TEST(ColumnStatistics, InterpolatesBetweenOrderStatistics) {
  // Sorted: 10 20 30 40. (n-1)p/100: p50 -> 1.5 -> 25; p90 -> 2.7 -> 37; p95 -> 2.85 -> 38.5; p99 -> 2.97 -> 39.7.
  const ColumnStatistics s = column_statistics({40, 10, 30, 20});
  EXPECT_EQ(s.n, 4);
  EXPECT_EQ(s.sum, 100);
  EXPECT_EQ(s.mean, 25);
  EXPECT_NEAR(s.p50, 25, kRounding * 25);
  EXPECT_NEAR(s.p90, 37, kRounding * 37);
  EXPECT_NEAR(s.p95, 38.5, kRounding * 38.5);
  EXPECT_NEAR(s.p99, 39.7, kRounding * 39.7);
  EXPECT_EQ(s.max, 40);
}

TEST(ColumnStatistics, OfOneValueAndOfNone) {
  const ColumnStatistics one = column_statistics({7});
  EXPECT_EQ(one.p50, 7);
  EXPECT_EQ(one.p99, 7);
  EXPECT_EQ(one.n, 1);
  const ColumnStatistics none = column_statistics({});
  EXPECT_EQ(none.n, 0);
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.p99, 0);
}

TEST(ArrivalStatistics, ByHand) {
  // Arrivals 0, 0.5, 1, 3 s: rate 4/3; gaps 0.5 0.5 2, mean 1, population variance (0.25+0.25+1)/3 = 0.5.
  // Counts in floor(3)+1 = 4 bins: 2 1 0 1, mean 1, variance (1+0+1+0)/4 = 0.5, dispersion 0.5. Grid 0.5 s.
  const Trace trace = trace_at({0, kSecondNs / 2, kSecondNs, 3 * kSecondNs});
  const ArrivalStatistics s = trace.arrival_statistics();
  EXPECT_NEAR(*s.rate_per_s, 4.0 / 3.0, kRounding);
  EXPECT_NEAR(*s.cv, 0.70710678118654752, kRounding);
  EXPECT_NEAR(*s.dispersion_1s, 0.5, kRounding);
  EXPECT_EQ(*s.busiest_minute, 4);
  EXPECT_EQ(*s.resolution_s, 0.5);
  EXPECT_EQ(trace.span_s(), 3);
}

TEST(ArrivalStatistics, MinutesCountFromTheFirstArrival) {
  // Minutes [10, 70), [70, 130) s: 2 and 3 arrivals.
  const Trace trace = trace_at({10 * kSecondNs, 69 * kSecondNs, 70 * kSecondNs, 71 * kSecondNs, 129 * kSecondNs});
  EXPECT_EQ(*trace.arrival_statistics().busiest_minute, 3);
}

TEST(ArrivalStatistics, UndefinedIsEmpty) {
  const ArrivalStatistics none = Trace().arrival_statistics();
  EXPECT_FALSE(none.rate_per_s || none.cv || none.resolution_s || none.busiest_minute || none.dispersion_1s);
  const ArrivalStatistics one = trace_at({0}).arrival_statistics();
  EXPECT_FALSE(one.rate_per_s || one.cv || one.resolution_s || one.dispersion_1s);
  EXPECT_EQ(*one.busiest_minute, 1);
  const ArrivalStatistics two = trace_at({0, kSecondNs * 2}).arrival_statistics();
  EXPECT_EQ(*two.rate_per_s, 1);
  EXPECT_FALSE(two.cv);
  const ArrivalStatistics together = trace_at({5, 5, 5}).arrival_statistics();
  EXPECT_FALSE(together.rate_per_s || together.cv || together.resolution_s || together.dispersion_1s);
}

TEST(ArrivalStatistics, AnAbsurdSpanCostsNoMemory) {
  const Trace trace = trace_at({0, kSecondNs, INT64_MAX});  // 292 years of seconds
  const ArrivalStatistics s = trace.arrival_statistics();
  EXPECT_EQ(*s.busiest_minute, 2);
  EXPECT_NEAR(*s.dispersion_1s, 1.0, 1e-9);  // 3 lonely arrivals in 9.2e9 bins: variance = mean (1 - mean)
}

TEST(Trace, DemandLeavesOutWhatCannotRun) {
  Request request;
  request.input_tokens = 5;
  EXPECT_FALSE(Trace::is_demand(request, false));
  EXPECT_TRUE(Trace::is_demand(request, true));
  request.output_tokens = 1;
  EXPECT_TRUE(Trace::is_demand(request, false));
  request.status = RequestStatus::over_context;
  EXPECT_FALSE(Trace::is_demand(request, false));
  EXPECT_FALSE(Trace::is_demand(request, true));
  request.status = RequestStatus::ok;
  request.input_tokens = 0;
  EXPECT_FALSE(Trace::is_demand(request, false));
}

TEST(Trace, StatisticsAreThoseOfTheDemand) {
  Trace trace = trace_at({0, kSecondNs, 5 * kSecondNs});
  trace.requests[2].output_tokens = 0;
  EXPECT_FALSE(trace.is_encoder_traffic());
  EXPECT_EQ(trace.demand_count(), 2);
  EXPECT_EQ(trace.input_statistics().sum, 20);
  EXPECT_EQ(trace.span_s(), 1);
  for (Request& request : trace.requests) request.output_tokens = 0;
  EXPECT_TRUE(trace.is_encoder_traffic());
  EXPECT_EQ(trace.demand_count(), 3);
  EXPECT_EQ(trace.span_s(), 5);
  EXPECT_FALSE(Trace().is_encoder_traffic());
}

}  // namespace
}  // namespace weir::data
