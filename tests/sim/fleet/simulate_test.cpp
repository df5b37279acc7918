#include "sim/fleet/simulate.h"

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/errors.h"
#include "sim/workload/drawn_source.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

constexpr double kTick = 1e-11;

// One replica, 1 s a prompt token, 10 s a decode step, and nothing else.
//   t = 0    request 0 (2 tokens in, 3 out) arrives and starts alone; its prompt takes 2 s
//   t = 1    request 1 (4 in, 2 out) arrives and waits
//   t = 2    first token of 0. Prompts first: request 1 is read, 4 s
//   t = 6    first token of 1. Decode 0 and 1
//   t = 16   second token of 0 (14 s after its first) and of 1 (10 s), which is done. Decode 0
//   t = 26   third token of 0, done
TEST(Simulate, ReplaysAScheduleWorkedOutByHand) {
  Experiment s;
  s.timer.per_prompt_token_s = 1;
  s.timer.per_sequence_s = 0;
  s.timer.per_context_token_s = 0;
  class ByHand final : public StepTimer {
   public:
    Time iteration(const IterationShape& shape) const override {
      if (shape.prefill.empty()) {
        contexts.push_back(shape.decode_context_tokens);
        return Time::from_seconds(10);
      }
      std::int64_t tokens = 0;
      for (const PrefillChunk& chunk : shape.prefill) tokens += chunk.new_tokens;
      return Time::from_seconds(static_cast<double>(tokens));
    }
    Time batch(std::int64_t, std::int64_t) const override { throw std::logic_error("not one-shot"); }
    WorkRates work_rates() const override {
      WorkRates rates;
      rates.flops_per_token = 2.5e11;
      rates.bytes_per_step = 1e11;
      return rates;
    }
    double peak_flops_per_s() const override { return 1e12; }
    double peak_bytes_per_s() const override { return 1e11; }
    double relative_error() const override { return 0; }
    std::vector<EvidenceNote> evidence() const override { return {}; }
    mutable std::vector<std::int64_t> contexts;
  } timer;
  s.add(0, 2, 3);
  s.add(1, 4, 2);
  s.serving.kv_cache = "reserved";
  s.fleet.kv_tokens = 160;  // ten blocks; each request holds one
  s.fleet.accelerators_per_replica = 2;
  s.fleet.power = {.tdp_w = 100.0, .idle_w = 20.0, .a = 0.5, .b = 0.5};
  s.options.series_step_s = 13;
  const RunResult r = simulate(s.workload, s.serving, s.requests, s.fleet, timer, s.options);

  EXPECT_THAT(timer.contexts, ::testing::ElementsAre(3 + 5, 4));  // lengths 3 and 5, then 4
  EXPECT_EQ(r.requests.completed, 2);
  EXPECT_DOUBLE_EQ(r.simulated_s, 26);
  EXPECT_DOUBLE_EQ(r.latency.ttft.mean, (2 + 5) / 2.0);
  EXPECT_DOUBLE_EQ(r.latency.e2e.mean, (26 + 15) / 2.0);
  EXPECT_DOUBLE_EQ(r.latency.queue.max, 1);
  EXPECT_DOUBLE_EQ(r.latency.tpot.mean, (12 + 10) / 2.0);  // (26 - 2) / 2 and 10 / 1
  EXPECT_EQ(r.latency.itl.n, 3);
  EXPECT_DOUBLE_EQ(r.latency.itl.mean, (14 + 10 + 10) / 3.0);
  EXPECT_DOUBLE_EQ(r.latency.itl.max, 14);
  EXPECT_DOUBLE_EQ(r.breakdown.queue, 0.5);
  EXPECT_DOUBLE_EQ(r.breakdown.prefill, 3);
  EXPECT_DOUBLE_EQ(r.breakdown.decode, 17);
  EXPECT_DOUBLE_EQ(r.output_tokens_per_s, 5 / 26.0);
  EXPECT_DOUBLE_EQ(r.gpu_busy, 1);
  EXPECT_DOUBLE_EQ(r.batch_size_mean, 1.5);
  EXPECT_DOUBLE_EQ(r.kv_occupancy, (1 * 2 + 2 * 14 + 1 * 10) / 26.0 / 10);
  EXPECT_DOUBLE_EQ(r.mfu, 0.25 * (2 + 4 + 2 + 1) / 26.0);  // tokens through the matrices
  EXPECT_DOUBLE_EQ(r.mbu, 4 / 26.0);                       // four steps of one second's worth of bytes
  // Power x TDP = 0.5 + 0.5 x, by steps of like size. Of 2 tokens: 12 s with 1 s worth of operations and 2 s of bytes;
  // of 4: 4 s with 1 s of each; of 1: 10 s with 0.25 s and 1 s.
  EXPECT_NEAR(*r.joules, 2 * 100 * ((6 + 1.0) + (2 + 0.5) + (5 + 0.5)), 1e-9);
  EXPECT_NEAR(*r.joules_per_output_token, *r.joules / 5, 1e-9);
  EXPECT_EQ(r.conservation.little_law_relative_error, 0);
  EXPECT_EQ(r.conservation.tokens_in, 11);
  EXPECT_EQ(r.conservation.tokens_out, 11);
  // Waiting: request 1 from 1 to 2. Running: one from 0 to 2 and from 16 to 26, two in between.
  ASSERT_EQ(r.series.size(), 3u);  // the last token falls on the edge of a third cell
  EXPECT_NEAR(r.series[0].waiting_mean, 1 / 13.0, kTick);
  EXPECT_NEAR(r.series[0].running_mean, (2 + 22) / 13.0, kTick);
  EXPECT_NEAR(r.series[1].running_mean, (6 + 10) / 13.0, kTick);
  EXPECT_EQ(r.exactness, "exact percentiles; itl: 0.5% histogram");
}

// Batches of two, half a second of delay, 1 s a padded token.
//   0.0  request 0 (3 tokens) waits; 0.2 request 1 (2 tokens) fills the batch: 2 x 3 tokens, 6 s, until 6.2
//   1.0  request 2 (1 token) waits for the replica; at 6.2 it is over its delay, so it starts alone: until 7.2
//   9.0  request 3 (4 tokens) finds nobody: it waits the delay and runs from 9.5 to 13.5
TEST(Simulate, OneShotBatchesWorkedOutByHand) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 2;
  s.serving.max_delay_s = 0.5;
  s.timer.per_prompt_token_s = 1;
  s.add(0.0, 3, 0);
  s.add(0.2, 2, 0);
  s.add(1.0, 1, 0);
  s.add(9.0, 4, 0);
  const RunResult r = s.run();
  EXPECT_DOUBLE_EQ(r.latency.e2e.mean, (6.2 + 6.0 + 6.2 + 4.5) / 4);
  EXPECT_DOUBLE_EQ(r.latency.queue.mean, (0.2 + 0 + 5.2 + 0.5) / 4);
  EXPECT_NEAR(r.batch_size_mean, 4 / 3.0, 1e-15);
  EXPECT_NEAR(r.gpu_busy, (6 + 1 + 4) / 13.5, 1e-15);
  EXPECT_EQ(r.latency.ttft.n, 0);
  EXPECT_EQ(r.latency.tpot.n, 0);
  EXPECT_EQ(r.latency.itl.n, 0);
  EXPECT_FALSE(r.joules.has_value());
  EXPECT_EQ(r.conservation.tokens_in, 10);
  EXPECT_EQ(r.exactness, "exact percentiles");
}

// Request 1 comes while a batch runs and its delay is not over when the batch ends: it must still be woken for. Batch
// of request 0 (1 token, 1 s) from 0.5 to 1.5; request 1 came at 1.4 and runs from 1.9 to 2.9.
TEST(Simulate, ADelayThatOutlivesTheBatchBeforeItEnds) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 8;
  s.serving.max_delay_s = 0.5;
  s.timer.per_prompt_token_s = 1;
  s.add(0, 1, 0);
  s.add(1.4, 1, 0);
  EXPECT_DOUBLE_EQ(s.run().simulated_s, 2.9);
}

// The cache holds one request of 10 + 6 tokens. Four arrive together; a decode step takes 1 s and so does a prompt.
// Each holds the cache for 1 + 5 s, so they finish at 6, 12, 18 and 24.
TEST(Simulate, AFullCacheQueues) {
  Experiment s;
  s.serving.kv_cache = "reserved";
  s.fleet.kv_tokens = 16;
  s.timer.per_step_s = 1;
  for (int i = 0; i < 4; ++i) s.add(0, 10, 6);
  const RunResult r = s.run();
  EXPECT_EQ(r.requests.completed, 4);
  EXPECT_DOUBLE_EQ(r.latency.e2e.mean, (6 + 12 + 18 + 24) / 4.0);
  EXPECT_DOUBLE_EQ(r.kv_occupancy, 1);
  EXPECT_DOUBLE_EQ(r.batch_size_mean, 1);
}

// 17 of a request's 18 tokens would be in a cache of 16, so it fails; it holds nobody up.
TEST(Simulate, WhatCanNeverFitFails) {
  Experiment s;
  s.fleet.kv_tokens = 16;
  s.timer.per_step_s = 1;
  s.add(0, 10, 8);
  s.add(0, 10, 6);
  const RunResult r = s.run();
  EXPECT_EQ(r.requests.failed, 1);
  EXPECT_EQ(r.requests.completed, 1);
  EXPECT_EQ(r.conservation.tokens_dropped, 18);
  EXPECT_DOUBLE_EQ(r.e2e_tail.back().slower_share, 0.5);  // the failed one is slower than every latency
}

TEST(Simulate, NothingServedIsAResultToo) {
  Experiment s;
  s.fleet.kv_tokens = 16;
  s.add(0, 100, 7);
  const RunResult r = s.run();
  EXPECT_EQ(r.requests.failed, 1);
  EXPECT_EQ(r.simulated_s, 0);
  EXPECT_EQ(r.latency.e2e.n, 0);
  EXPECT_EQ(r.requests_per_s, 0);
  EXPECT_TRUE(r.e2e_tail.empty());
}

// One server of 10 s, requests at 0, 1, 2, 3 with room for two in the queue: the fourth is rejected. With a timeout of
// 12 s the third, which would start at 20 after 18 s, is gone at 14.
TEST(Simulate, RejectsAndTimesOut) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 1;
  s.serving.max_delay_s = 0;
  s.timer.per_step_s = 10;
  for (int i = 0; i < 4; ++i) s.add(i, 5, 0);
  s.serving.queue_limit = 2;
  RunResult r = s.run();
  EXPECT_EQ(r.requests.rejected, 1);
  EXPECT_EQ(r.requests.completed, 3);
  EXPECT_EQ(r.conservation.tokens_dropped, 5);

  s.serving.timeout_s = 12;
  s.options.series_step_s = 30;
  r = s.run();
  EXPECT_EQ(r.requests.timed_out, 1);
  EXPECT_EQ(r.requests.completed, 2);
  EXPECT_DOUBLE_EQ(r.simulated_s, 20);
  // Waiting: request 1 from 1 to 10, request 2 from 2 to 14 (and the tick by which it waited too long).
  EXPECT_NEAR(r.series[0].waiting_mean, (9 + 12) / 20.0, kTick);
}

// Of equal replicas the next in turn is taken: two requests at once do not share one.
TEST(Simulate, IdleReplicasAreUsedInTurn) {
  Experiment s;
  s.timer.per_step_s = 1;
  s.serving.max_batch = 1;
  for (int i = 0; i < 6; ++i) s.add(0, 1, 1);
  s.fleet.replicas = 3;
  const RunResult r = s.run();
  EXPECT_DOUBLE_EQ(r.latency.e2e.p50, 1.5);  // three done after 1 s, three after 2 s
  EXPECT_DOUBLE_EQ(r.simulated_s, 2);
  EXPECT_DOUBLE_EQ(r.gpu_busy, 1);
}

// What arrives at one tick at an idle replica starts as one step; what comes a moment later waits for it.
TEST(Simulate, WhatArrivesTogetherStartsTogether) {
  Experiment s;
  s.timer.per_step_s = 1;
  for (int i = 0; i < 3; ++i) s.add(5, 1, 1);
  s.add(5.001, 1, 1);
  const RunResult r = s.run();
  EXPECT_DOUBLE_EQ(r.latency.e2e.p50, 1);
  EXPECT_DOUBLE_EQ(r.latency.e2e.max, 1.999);
  EXPECT_DOUBLE_EQ(r.simulated_s, 2);
}

TEST(Simulate, ClassesAreCountedApart) {
  Experiment s;
  s.timer.per_step_s = 1;
  s.workload.classes.resize(2);
  s.workload.classes[0].slo.ttft_s = {{"p99", 1.0}};
  s.workload.classes[0].slo.attainment = 0.5;
  s.workload.classes[1].name = "batch";
  s.workload.classes[1].slo.e2e_s = {{"p50", 2.0}};
  s.workload.classes[1].slo.attainment = 0.9;
  s.requests.class_names = {"all", "batch"};
  s.add(0, 1, 1, 0);     // done at 1
  s.add(0.25, 1, 3, 1);  // starts at 1, first token at 2, done at 4: 3.75 s
  s.add(10, 1, 4, 1);    // done at 14
  const RunResult r = s.run();
  ASSERT_EQ(r.classes.size(), 2u);
  EXPECT_EQ(r.classes[0].requests.offered, 1);
  EXPECT_EQ(r.classes[1].requests.offered, 2);
  EXPECT_EQ(r.classes[0].latency.itl.n, 0);
  EXPECT_EQ(r.classes[1].latency.itl.n, 5);
  EXPECT_TRUE(r.classes[0].slo.met);
  EXPECT_FALSE(r.classes[1].slo.met);
  EXPECT_DOUBLE_EQ(*r.slo.attainment, 1 / 3.0);
  EXPECT_EQ(r.slo.required_attainment, 0.9);
  EXPECT_FALSE(r.slo.met);
  EXPECT_EQ(r.slo.targets.size(), 2u);
  EXPECT_DOUBLE_EQ(r.output_tokens_within_slo_per_s, 1 / 14.0);
}

TEST(Simulate, StopsEarlyWhenHopelessAndOnlyThen) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 1;
  s.serving.max_delay_s = 0;
  s.timer.per_step_s = 1;
  s.workload.classes[0].slo.e2e_s = {{"p99", 5.0}};
  for (int i = 0; i < 1000; ++i) s.add(i * 0.9, 1, 0);  // request i waits 0.1 s longer than the one before it
  s.options.stop_when_hopeless = true;
  RunResult r = s.run();
  EXPECT_FALSE(r.slo.met);
  EXPECT_TRUE(r.series.empty());
  s.fleet.replicas = 2;
  r = s.run();
  EXPECT_TRUE(r.slo.met);
  EXPECT_EQ(r.requests.completed, 1000);
}

TEST(Simulate, CanBeCancelled) {
  Experiment s(data::WorkloadKind::one_shot);
  s.timer.per_step_s = 1;
  for (int i = 0; i < 50'000; ++i) s.add(i, 1, 0);
  double last = 0;
  s.options.progress = [&last](double fraction, std::string_view) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return fraction < 0.5;
  };
  EXPECT_THROW(s.run(), data::Cancelled);
  EXPECT_GE(last, 0.5);
  EXPECT_LT(last, 1);
}

// A drawn demand does not know how many requests it has: progress is that of the clock.
TEST(Simulate, ProgressOfADrawnDemandMovesOn) {
  Experiment s(data::WorkloadKind::one_shot);
  s.timer.per_step_s = 0.001;
  const DrawnClass arrivals{.name = "all", .arrivals = {.process = "poisson", .rate_per_s = 100}, .oneshot = true};
  DrawnSource source({arrivals}, Time::from_seconds(1000), 1);
  std::vector<double> seen;
  s.options.progress = [&seen](double fraction, std::string_view) {
    seen.push_back(fraction);
    return true;
  };
  simulate(s.workload, s.serving, source, s.fleet, s.timer, s.options);
  ASSERT_GE(seen.size(), 8u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_GT(seen[0], 0.02);
  EXPECT_NEAR(seen[seen.size() / 2], 0.5, 0.15);
  EXPECT_EQ(seen.back(), 1);
}

// 100 requests of 10 days each are beyond the clock's 266 days.
TEST(Simulate, ABacklogBeyondTheClockIsAnErrorOfTheInput) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 1;
  s.timer.per_step_s = 864'000;
  for (int i = 0; i < 100; ++i) s.add(i, 1, 0);
  EXPECT_THROW(s.run(), data::InputError);
  s.fleet.replicas = 100;
  EXPECT_EQ(s.run().requests.completed, 100);
}

TEST(Simulate, RefusesWhatItDoesNotHave) {
  Experiment s;
  s.add(0, 1, 1);
  s.serving.router = "sideways";
  EXPECT_THROW(s.run(), data::InputError);
  Experiment images(data::WorkloadKind::one_shot);
  images.add(0, 1, 0);
  images.workload.classes[0].slo.ttft_s = {{"p99", 1.0}};
  EXPECT_THROW(images.run(), data::InputError);
}

}  // namespace
}  // namespace weir::sim
