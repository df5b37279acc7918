#include "sim/metrics/run_metrics.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

Time s(double seconds) { return Time::from_seconds(seconds); }

MetricsSpec two_classes() {
  MetricsSpec spec;
  spec.class_names = {"chat", "batch"};
  spec.slo.resize(2);
  spec.begin = s(10);
  return spec;
}

ServedRequest served(std::uint64_t index, std::int16_t request_class, double arrival_s, double admitted_s,
                     double first_s, int input, int output) {
  ServedRequest r;
  r.request = {.index = index,
               .arrival = s(arrival_s),
               .input_tokens = input,
               .output_tokens = output,
               .class_index = request_class};
  r.admitted = s(admitted_s);
  r.first = s(first_s);
  return r;
}

// chat: arrives 10, admitted 11, first token 12, 5 tokens until 16 s; preempted for 0.5 s before its first token and
// 1 s after it. batch: arrives 11, admitted 12, first (only) token 15 s. A third is dropped at 14 s, 2 s after it came.
//   e2e 6 and 4 s; queue 1 and 1; prefill 1 - 0.5 and 3; decode 4 - 1 and 0; preempted 1.5 and 0
TEST(RunMetrics, FillsWhatFollowsFromTheRequests) {
  MetricsSpec spec = two_classes();
  spec.slo[0].ttft_s = {{"p99", 1.5}};
  spec.slo[0].attainment = 0.5;
  spec.series_step = s(5);
  RunMetrics metrics(spec);
  ServedRequest chat = served(0, 0, 10, 11, 12, 100, 5);
  chat.preempted_for = s(1.5);
  chat.preempted_before_first = s(0.5);
  chat.preemptions = 2;
  chat.cached_tokens = 32;
  metrics.arrived(s(10));
  metrics.completed(served(1, 1, 11, 12, 15, 60, 1), s(15));
  metrics.completed(chat, s(16));
  metrics.dropped({.index = 2, .arrival = s(12), .input_tokens = 7, .output_tokens = 3}, s(14),
                  RequestOutcome::timed_out);
  metrics.add({Time::from_seconds(1).ticks(), 0, 4, 1, 0});
  EXPECT_EQ(metrics.departed(), 3);
  EXPECT_EQ(metrics.last_departure(), s(16));

  RunResult r;
  metrics.fill(r, 1, true);
  EXPECT_EQ(r.simulated_s, 6);
  EXPECT_EQ(r.requests.offered, 3);
  EXPECT_EQ(r.requests.completed, 2);
  EXPECT_EQ(r.requests.timed_out, 1);
  EXPECT_DOUBLE_EQ(r.latency.e2e.mean, 5);
  EXPECT_DOUBLE_EQ(r.latency.ttft.p50, 3);
  EXPECT_EQ(r.latency.tpot.n, 1);
  EXPECT_DOUBLE_EQ(r.latency.tpot.mean, 1);  // 4 s for the four tokens after the first
  EXPECT_EQ(r.latency.itl.n, 4);
  EXPECT_DOUBLE_EQ(r.breakdown.queue, 1);
  EXPECT_DOUBLE_EQ(r.breakdown.prefill, 1.75);
  EXPECT_DOUBLE_EQ(r.breakdown.decode, 1.5);
  EXPECT_DOUBLE_EQ(r.breakdown.preempted, 0.75);
  EXPECT_DOUBLE_EQ(r.requests_per_s, 2.0 / 6);
  EXPECT_DOUBLE_EQ(r.input_tokens_per_s, 160.0 / 6);
  EXPECT_DOUBLE_EQ(r.output_tokens_per_s, 1);
  EXPECT_DOUBLE_EQ(r.output_tokens_within_slo_per_s, 0.5 / 6 * 2);  // ttft of chat: 2 s; a class without limits keeps
  EXPECT_EQ(r.per_request.input_tokens, 80);
  EXPECT_EQ(r.per_request.cached_tokens, 16);
  EXPECT_EQ(r.per_request.preemptions, 1);
  ASSERT_EQ(r.classes.size(), 2u);
  EXPECT_EQ(r.classes[1].latency.e2e.mean, 4);
  EXPECT_EQ(r.classes[0].slo.attainment, 0);
  EXPECT_FALSE(r.slo.met);
  EXPECT_EQ(r.exactness, "exact percentiles; itl: 0.5% histogram");
  ASSERT_EQ(r.series.size(), 2u);
  EXPECT_EQ(r.series[1].completions, 2);
  // Of three offered, one (dropped) is slower than the slowest.
  EXPECT_DOUBLE_EQ(r.e2e_tail.back().slower_share, 1.0 / 3);
  // The one with a single token never had a TPOT; the dropped one would have had.
  EXPECT_DOUBLE_EQ(r.tpot_tail.back().slower_share, 0.5);
}

// A batch of two items of 50 tokens; its whole time counts as prefill.
TEST(RunMetrics, OneShotWorkHasNoTokenLatencies) {
  MetricsSpec spec;
  spec.kind = data::WorkloadKind::one_shot;
  spec.class_names = {"a"};
  spec.slo.resize(1);
  RunMetrics metrics(spec);
  ServedRequest r = served(0, 0, 0, 1, 3, 50, 0);
  r.request.items = 2;
  metrics.completed(r, s(3));
  RunResult result;
  metrics.fill(result, 1, true);
  EXPECT_EQ(result.latency.ttft.n, 0);
  EXPECT_EQ(result.latency.tpot.n, 0);
  EXPECT_EQ(result.latency.e2e.mean, 3);
  EXPECT_EQ(result.breakdown.queue, 1);
  EXPECT_EQ(result.breakdown.prefill, 2);
  EXPECT_EQ(result.breakdown.decode, 0);
  EXPECT_EQ(result.per_request.input_tokens, 100);
  EXPECT_EQ(result.exactness, "exact percentiles");
}

TEST(RunMetrics, SaysHowPercentilesWereFound) {
  const auto exactness = [](int chats, int batches) {
    MetricsSpec spec = two_classes();
    spec.exact_limit = 10;
    RunMetrics metrics(spec);
    std::uint64_t index = 0;
    for (int i = 0; i < chats; ++i) metrics.completed(served(index++, 0, 10, 11, 12, 5, 1), s(12));
    for (int i = 0; i < batches; ++i) metrics.completed(served(index++, 1, 10, 11, 12, 5, 1), s(12));
    RunResult result;
    metrics.fill(result, 1, false);
    return result.exactness;
  };
  EXPECT_EQ(exactness(5, 5), "exact percentiles");
  EXPECT_EQ(exactness(11, 0), "0.5% histograms");
  EXPECT_EQ(exactness(11, 4), "0.5% histograms; classes up to 100,000 requests: exact");
}

TEST(RunMetrics, StopsOnlyWhenItKnowsWhatIsOffered) {
  MetricsSpec spec = two_classes();
  spec.slo[0].ttft_s = {{"p99", 0.5}};
  spec.stop_when_hopeless = true;
  RunMetrics blind(spec);
  spec.offered = {1, 0};
  RunMetrics watching(spec);
  for (RunMetrics* metrics : {&blind, &watching}) metrics->completed(served(0, 0, 10, 11, 12, 5, 1), s(12));
  EXPECT_FALSE(blind.hopeless());
  EXPECT_TRUE(watching.hopeless());
}

// However requests are dealt to replicas and in whatever order these are visited; past the exact limit and below it.
RC_GTEST_PROP(RunMetrics, OrderOfVisitsDoesNotMatter, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 100'000);
  const auto n = *rc::gen::inRange<std::uint64_t>(1, 700);
  MetricsSpec spec = two_classes();
  spec.series_step = s(0.1);
  spec.exact_limit = *rc::gen::inRange<std::size_t>(1, 700);
  spec.slo[1].e2e_s = {{"p90", 2}};
  RunMetrics all(spec), backwards(spec), left(spec), right(spec);
  RandomStream random(seed, "visits");
  std::vector<std::pair<ServedRequest, Time>> requests;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double arrival = 10 + random.exponential(1) * 5;
    const double admitted = arrival + random.exponential(1), first = admitted + random.exponential(1);
    const auto output = static_cast<int>(random.bits() % 4) + 1;
    requests.emplace_back(served(i, static_cast<std::int16_t>(random.bits() % 2), arrival, admitted, first, 10, output),
                          s(first + random.exponential(1)));
  }
  const auto tell = [](RunMetrics& to, const std::pair<ServedRequest, Time>& r) {
    to.arrived(r.first.request.arrival);
    to.change(r.first.request.arrival, 1, 0, 0);
    to.change(r.second, -1, 0, 0);
    if (r.first.request.index % 7 == 0) return to.dropped(r.first.request, r.second, RequestOutcome::failed);
    to.completed(r.first, r.second);
    to.add({r.second.ticks() % 977, 3, r.first.request.output_tokens, 2, r.first.request.class_index});
  };
  for (const auto& r : requests) tell(all, r);
  for (auto r = requests.rbegin(); r != requests.rend(); ++r) tell(backwards, *r);
  for (const auto& r : requests) tell(r.first.request.index % 3 == 0 ? left : right, r);
  for (RunMetrics* m : {&all, &backwards, &left, &right}) m->settle();
  RC_ASSERT(all == backwards);
  left.merge(right);
  RC_ASSERT(all == left);
  RunResult a, b;
  all.fill(a, 2, true);
  left.fill(b, 2, true);
  RC_ASSERT(a.latency.e2e.p95 == b.latency.e2e.p95);
  RC_ASSERT(a.slo.attainment == b.slo.attainment);
}

}  // namespace
}  // namespace weir::sim
