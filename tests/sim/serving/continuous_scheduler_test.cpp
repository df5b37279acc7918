#include "sim/serving/continuous_scheduler.h"

#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/errors.h"

namespace weir::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

data::Serving serving(int max_batch, int token_budget) {
  data::Serving s;
  s.max_batch = max_batch;
  s.token_budget = token_budget;
  s.kv_block_tokens = 16;
  return s;
}

QueuedRequest request(RequestId id, int input, int output, Time arrival = Time()) {
  return {id, arrival, input, output, 1};
}

std::vector<RequestId> list(std::span<const RequestId> ids) { return {ids.begin(), ids.end()}; }

// Budget 100, room for three. Prompts of 60, 30, 50, 20 tokens; outputs of 3, 1, 2, 2.
//   step 1: prompts 0 (60) and 1 (30); prompt 2 (50) would make 140 > 100. Request 1 is done with its first token.
//   step 2: prompts 2 (50) and 3 (20); with request 0 that makes three, the most.
//   step 3: decode 0, 2, 3 at lengths 61, 51, 21: sum 133. 2 and 3 have their second token and are done.
//   step 4: decode 0 at length 62. It has its third token and is done.
TEST(ContinuousScheduler, ReadsPromptsFirstAndThenDecodesAll) {
  ContinuousScheduler scheduler(serving(3, 100), 10'000);
  scheduler.submit(request(0, 60, 3));
  scheduler.submit(request(1, 30, 1));
  scheduler.submit(request(2, 50, 2));
  scheduler.submit(request(3, 20, 2));

  Step step = scheduler.next_step(Time());
  EXPECT_EQ(step.kind, StepKind::prefill);
  EXPECT_THAT(list(step.started), ElementsAre(0, 1));
  ASSERT_EQ(step.prefill.size(), 2u);
  EXPECT_EQ(step.prefill[0].new_tokens, 60);
  EXPECT_EQ(step.prefill[1].new_tokens, 30);
  EXPECT_EQ(scheduler.waiting(), 2);
  EXPECT_EQ(scheduler.running(), 2);
  StepOutcome outcome = scheduler.finish_step(Time());
  EXPECT_THAT(list(outcome.first_token), ElementsAre(0, 1));
  EXPECT_THAT(list(outcome.finished), ElementsAre(1));

  step = scheduler.next_step(Time());
  EXPECT_EQ(step.kind, StepKind::prefill);
  EXPECT_THAT(list(step.started), ElementsAre(2, 3));
  outcome = scheduler.finish_step(Time());
  EXPECT_THAT(list(outcome.finished), IsEmpty());
  EXPECT_THAT(scheduler.running_requests(), ElementsAre(0, 2, 3));

  step = scheduler.next_step(Time());
  EXPECT_EQ(step.kind, StepKind::decode);
  EXPECT_THAT(list(step.started), IsEmpty());
  EXPECT_EQ(step.decode_sequences, 3);
  EXPECT_EQ(step.decode_context_tokens, 61 + 51 + 21);
  outcome = scheduler.finish_step(Time());
  EXPECT_THAT(list(outcome.first_token), IsEmpty());
  EXPECT_THAT(list(outcome.finished), ElementsAre(2, 3));

  step = scheduler.next_step(Time());
  EXPECT_EQ(step.kind, StepKind::decode);
  EXPECT_EQ(step.decode_sequences, 1);
  EXPECT_EQ(step.decode_context_tokens, 62);
  EXPECT_THAT(list(scheduler.finish_step(Time()).finished), ElementsAre(0));
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::none);
  EXPECT_EQ(scheduler.kv_held(), 0);
}

// A request that joins late has its own length: request 0 (10 tokens) decodes once alone at 11; then prompt 1 (40) is
// read; the next decode step is at lengths 12 and 41.
TEST(ContinuousScheduler, LateJoinersKeepTheirOwnLength) {
  ContinuousScheduler scheduler(serving(8, 100), 10'000);
  scheduler.submit(request(0, 10, 5));
  scheduler.next_step(Time());
  scheduler.finish_step(Time());
  EXPECT_EQ(scheduler.next_step(Time()).decode_context_tokens, 11);
  scheduler.submit(request(1, 40, 5));
  scheduler.finish_step(Time());
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::prefill);
  scheduler.finish_step(Time());
  const Step step = scheduler.next_step(Time());
  EXPECT_EQ(step.decode_sequences, 2);
  EXPECT_EQ(step.decode_context_tokens, 12 + 41);
}

TEST(ContinuousScheduler, APromptLongerThanTheBudgetRunsAlone) {
  ContinuousScheduler scheduler(serving(8, 100), 10'000);
  scheduler.submit(request(0, 250, 2));
  scheduler.submit(request(1, 10, 2));
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(0));
  scheduler.finish_step(Time());
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(1));
}

// The long prompt is at the head: shorter ones behind it must not overtake.
TEST(ContinuousScheduler, NobodyOvertakes) {
  ContinuousScheduler scheduler(serving(8, 100), 10'000);
  scheduler.submit(request(0, 60, 2));
  scheduler.submit(request(1, 90, 2));
  scheduler.submit(request(2, 10, 2));
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(0));
  scheduler.finish_step(Time());
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(1, 2));
}

// 160 tokens are 10 blocks. Requests 0 and 1 need ceil((50 + 20) / 16) = 5 blocks each, so 2 waits for a finish.
TEST(ContinuousScheduler, AFullCacheQueues) {
  ContinuousScheduler scheduler(serving(8, 1000), 160);
  EXPECT_EQ(scheduler.kv_blocks(), 10);
  for (RequestId id = 0; id < 3; ++id) EXPECT_EQ(scheduler.submit(request(id, 50, 20)), Submitted::queued);
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(0, 1));
  EXPECT_EQ(scheduler.kv_held(), 10);
  scheduler.finish_step(Time());
  for (int step = 1; step <= 19; ++step) {
    EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::decode) << step;
    EXPECT_EQ(scheduler.waiting(), 1);
    const StepOutcome outcome = scheduler.finish_step(Time());
    EXPECT_EQ(outcome.finished.size(), step == 19 ? 2u : 0u) << step;
  }
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(2));
  EXPECT_EQ(scheduler.kv_held(), 5);
}

// 160 tokens: 150 + 10 fit exactly, 150 + 11 never will.
TEST(ContinuousScheduler, WhatCanNeverFitIsRefusedAtOnce) {
  ContinuousScheduler scheduler(serving(8, 1000), 160);
  EXPECT_EQ(scheduler.submit(request(0, 150, 11)), Submitted::never_fits);
  EXPECT_EQ(scheduler.submit(request(1, 150, 10)), Submitted::queued);
  EXPECT_EQ(scheduler.waiting(), 1);
}

TEST(ContinuousScheduler, TheQueueHasALimit) {
  data::Serving s = serving(1, 1000);
  s.queue_limit = 2;
  ContinuousScheduler scheduler(s, 10'000);
  EXPECT_EQ(scheduler.submit(request(0, 10, 10)), Submitted::queued);
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.submit(request(1, 10, 10)), Submitted::queued);
  EXPECT_EQ(scheduler.submit(request(2, 10, 10)), Submitted::queued);
  EXPECT_EQ(scheduler.submit(request(3, 10, 10)), Submitted::queue_full);
}

TEST(ContinuousScheduler, ALimitOfZeroStillServesAnIdleReplica) {
  data::Serving s = serving(1, 1000);
  s.queue_limit = 0;
  ContinuousScheduler scheduler(s, 10'000);
  EXPECT_EQ(scheduler.submit(request(0, 10, 2)), Submitted::queued);
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.submit(request(1, 10, 2)), Submitted::queue_full);
  scheduler.finish_step(Time());  // between two steps of a running request the replica is not idle either
  EXPECT_EQ(scheduler.submit(request(2, 10, 2)), Submitted::queue_full);
}

TEST(ContinuousScheduler, RequestsThatWaitLongerThanTheTimeoutAreDropped) {
  data::Serving s = serving(1, 1000);
  s.timeout_s = 2.0;
  ContinuousScheduler scheduler(s, 10'000);
  scheduler.submit(request(0, 10, 100));
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(2) + Time::from_ticks(1));
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.next_wakeup(), Time::never());
  scheduler.submit(request(1, 10, 10, Time::from_seconds(1)));
  scheduler.submit(request(2, 10, 10, Time::from_seconds(1.5)));
  const Time limit = Time::from_seconds(3);
  EXPECT_THAT(list(scheduler.drop_expired(limit)), IsEmpty());  // waited exactly as long as allowed
  EXPECT_EQ(scheduler.next_wakeup(), limit + Time::from_ticks(1));
  EXPECT_THAT(list(scheduler.drop_expired(scheduler.next_wakeup())), ElementsAre(1));
  EXPECT_THAT(list(scheduler.drop_expired(Time::from_seconds(100))), ElementsAre(2));
  EXPECT_EQ(scheduler.waiting(), 0);
}

TEST(ContinuousScheduler, GuardsItsOwnProtocol) {
  ContinuousScheduler scheduler(serving(8, 100), 10'000);
  EXPECT_THROW(scheduler.finish_step(Time()), std::logic_error);
  scheduler.submit(request(0, 10, 2));
  scheduler.next_step(Time());
  EXPECT_THROW(scheduler.next_step(Time()), std::logic_error);
  EXPECT_THROW(scheduler.submit(request(1, 0, 2)), std::logic_error);
}

TEST(MakeScheduler, RefusesAPolicyThatDoesNotSuitTheWork) {
  data::Serving s;
  s.policy = "dynamic";
  EXPECT_THROW(make_scheduler(data::WorkloadKind::generative, s, 1000), data::InputError);
  EXPECT_NO_THROW(make_scheduler(data::WorkloadKind::one_shot, s, 0));
  s.policy = "continuous";
  EXPECT_THROW(make_scheduler(data::WorkloadKind::one_shot, s, 0), data::InputError);
}

}  // namespace
}  // namespace weir::sim
