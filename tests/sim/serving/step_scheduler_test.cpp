// Policies and budgets, by hand. Caches are large: what a full one does is in preemption_test.
#include "sim/serving/step_scheduler.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/serving/by_hand.h"

namespace weir::sim {
namespace {

using testing::ByHand;
using ::testing::ElementsAre;
using testing::request;

Rules rules(Policy policy, int max_batch, int token_budget) {
  Rules r;
  r.policy = policy;
  r.max_batch = max_batch;
  r.token_budget = token_budget;
  r.kv_blocks = 1000;
  return r;
}

// --- chunked

// Budget 8, room for three. Prompts 5, 6, 4; outputs 3, 2, 1.
//   step 1: prompt 0 whole, 3 tokens of prompt 1.
//   step 2: 0 decodes (6 tokens), the other 3 of prompt 1, all of prompt 2: 1 + 3 + 4 = 8. 2 is done.
//   step 3: 0 and 1 decode at 7 and 7 tokens; both are done.
TEST(Chunked, DecodesFirstThenThePartialPromptThenNewOnes) {
  ByHand hand(rules(Policy::chunked, 3, 8));
  hand.scheduler.submit(request(0, 5, 3));
  hand.scheduler.submit(request(1, 6, 2));
  hand.scheduler.submit(request(2, 4, 1));
  EXPECT_EQ(hand.next(), "read 5+0 3+0");
  EXPECT_EQ(hand.scheduler.running(), 2);
  EXPECT_EQ(hand.scheduler.waiting(), 1);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6) read 3+3 4+0");
  EXPECT_EQ(hand.end_and_next(), "done 2; decode 2 (14)");
  EXPECT_EQ(hand.end_and_next(), "done 0 1; nothing");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 0);
  EXPECT_EQ(hand.scheduler.counts().tokens_read, 15);
}

TEST(Chunked, ALongPromptIsReadInBudgets) {
  ByHand hand(rules(Policy::chunked, 8, 10));
  hand.scheduler.submit(request(0, 4, 9));
  hand.scheduler.submit(request(1, 25, 2));
  hand.scheduler.submit(request(2, 1, 2));
  EXPECT_EQ(hand.next(), "read 4+0 6+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (5) read 9+6");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6) read 9+15");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (7) read 1+24 1+0");
  EXPECT_EQ(hand.end_and_next(), "decode 3 (36)");  // 8 + 26 + 2
}

TEST(Chunked, MaxBatchHoldsTheQueueBack) {
  ByHand hand(rules(Policy::chunked, 2, 100));
  for (std::uint64_t i = 0; i < 3; ++i) hand.scheduler.submit(request(i, 10, i == 0 ? 2 : 3));
  EXPECT_EQ(hand.next(), "read 10+0 10+0");
  EXPECT_EQ(hand.end_and_next(), "decode 2 (22)");
  EXPECT_EQ(hand.end_and_next(), "done 0; decode 1 (12) read 10+0");
}

// Budget three: three prompts of one token fill it, then their decodes do, and the fourth waits till they are done.
TEST(Chunked, DecodesUseUpTheBudget) {
  ByHand hand(rules(Policy::chunked, 8, 3));
  for (std::uint64_t i = 0; i < 4; ++i) hand.scheduler.submit(request(i, 1, 3));
  EXPECT_EQ(hand.next(), "read 1+0 1+0 1+0");
  EXPECT_TRUE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.end_and_next(), "decode 3 (6)");
  EXPECT_EQ(hand.end_and_next(), "decode 3 (9)");
  EXPECT_EQ(hand.end_and_next(), "done 0 1 2; read 1+0");
}

// --- continuous

// Budget 100, room for three. Prompts of 60, 30, 50, 20 tokens; outputs of 3, 1, 2, 2.
//   step 1: prompts 0 (60) and 1 (30); prompt 2 (50) would make 140 > 100. Request 1 is done with its first token.
//   step 2: prompts 2 (50) and 3 (20); with request 0 that makes three, the most.
//   step 3: decode 0, 2, 3 at lengths 61, 51, 21: sum 133. 2 and 3 have their second token and are done.
//   step 4: decode 0 at length 62. It has its third token and is done.
TEST(Continuous, ReadsPromptsFirstAndThenDecodesAll) {
  ByHand hand(rules(Policy::continuous, 3, 100));
  hand.scheduler.submit(request(0, 60, 3));
  hand.scheduler.submit(request(1, 30, 1));
  hand.scheduler.submit(request(2, 50, 2));
  hand.scheduler.submit(request(3, 20, 2));
  EXPECT_EQ(hand.next(), "read 60+0 30+0");
  EXPECT_EQ(hand.end_and_next(), "done 1; read 50+0 20+0");
  EXPECT_EQ(hand.end_and_next(), "decode 3 (133)");
  EXPECT_EQ(hand.end_and_next(), "done 2 3; decode 1 (62)");
  EXPECT_EQ(hand.end_and_next(), "done 0; nothing");
}

// 40 + 30 + 25 = 95 tokens fit in 100; padded to the longest three would take 120 and two take 80.
TEST(Continuous, ThePaddedBudgetCountsTheLongestPromptForEach) {
  Rules r = rules(Policy::continuous, 8, 100);
  for (const bool padded : {false, true}) {
    r.padded_budget = padded;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 40, 2));
    hand.scheduler.submit(request(1, 30, 2));
    hand.scheduler.submit(request(2, 25, 2));
    EXPECT_EQ(hand.next(), padded ? "read 40+0 30+0" : "read 40+0 30+0 25+0");
  }
}

TEST(Continuous, APromptLongerThanTheBudgetRunsAlone) {
  ByHand hand(rules(Policy::continuous, 8, 100));
  hand.scheduler.submit(request(0, 250, 2));
  hand.scheduler.submit(request(1, 10, 2));
  EXPECT_EQ(hand.next(), "read 250+0");
  EXPECT_EQ(hand.end_and_next(), "read 10+0");
}

// The long prompt is next: shorter ones behind it must not overtake.
TEST(Continuous, NobodyOvertakes) {
  ByHand hand(rules(Policy::continuous, 8, 100));
  hand.scheduler.submit(request(0, 60, 2));
  hand.scheduler.submit(request(1, 90, 2));
  hand.scheduler.submit(request(2, 10, 2));
  EXPECT_EQ(hand.next(), "read 60+0");
  EXPECT_EQ(hand.end_and_next(), "read 90+0 10+0");
}

// Request 0 (10 tokens) decodes once alone at 11; then prompt 1 (40) is read; the next decode is at 12 and 41.
TEST(Continuous, LateJoinersKeepTheirOwnLength) {
  ByHand hand(rules(Policy::continuous, 8, 100));
  hand.scheduler.submit(request(0, 10, 5));
  EXPECT_EQ(hand.next(), "read 10+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
  hand.scheduler.submit(request(1, 40, 5));
  EXPECT_EQ(hand.end_and_next(), "read 40+0");
  EXPECT_EQ(hand.end_and_next(), "decode 2 (53)");
}

// --- batches

// Room for two, budget 10. Prompts 6, 5, 4; outputs 3, 1, 1: 6 + 5 > 10, so two steps read the first batch; 1 is done
// with its prompt, and 2 must wait until 0 is done.
TEST(StaticBatch, ReadsAllPromptsDecodesTillTheLongestIsDoneAndLetsNobodyIn) {
  ByHand hand(rules(Policy::static_batch, 2, 10));
  hand.scheduler.submit(request(0, 6, 3));
  hand.scheduler.submit(request(1, 5, 1));
  hand.scheduler.submit(request(2, 4, 1));
  EXPECT_EQ(hand.next(), "read 6+0");
  EXPECT_EQ(hand.scheduler.running(), 2);
  EXPECT_EQ(hand.end_and_next(), "read 5+0");
  EXPECT_EQ(hand.end_and_next(), "done 1; decode 1 (7)");
  EXPECT_TRUE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.end_and_next(), "decode 1 (8)");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 4+0");
  EXPECT_EQ(hand.end_and_next(), "done 2; nothing");
}

TEST(StaticBatch, APromptLongerThanTheBudgetIsReadWhole) {
  ByHand hand(rules(Policy::static_batch, 2, 10));
  hand.scheduler.submit(request(0, 25, 1));
  hand.scheduler.submit(request(1, 5, 1));
  EXPECT_EQ(hand.next(), "read 25+0");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 5+0");
}

TEST(DynamicBatch, StartsWhenItIsFullOrTheOldestHasWaited) {
  Rules r = rules(Policy::dynamic, 2, 100);
  r.max_delay = Time::from_ticks(70);
  ByHand hand(r);
  hand.scheduler.submit(request(0, 6, 2, 0));
  EXPECT_EQ(hand.next(), "nothing");
  EXPECT_EQ(hand.scheduler.next_wakeup().ticks(), 70);
  hand.now = Time::from_ticks(70);
  EXPECT_EQ(hand.next(), "read 6+0");
  hand.scheduler.submit(request(1, 5, 2, 80));
  EXPECT_EQ(hand.scheduler.next_wakeup(), Time::never());
  EXPECT_EQ(hand.end_and_next(), "decode 1 (7)");
  hand.scheduler.submit(request(2, 4, 2, 270));
  EXPECT_EQ(hand.end_and_next(), "done 0; read 5+0 4+0");  // two wait: at once
}

// --- what is told of a request and of its tokens

// Two requests of class 0 and one of class 3, all read in step 1 [0, 100]; then two decodes each, 100 apart.
TEST(Outcome, GapsOfEqualNeighboursAreOne) {
  ByHand hand(rules(Policy::continuous, 8, 100));
  for (std::uint64_t i = 0; i < 3; ++i) {
    QueuedRequest r = request(i, 10, 3);
    r.class_index = i == 2 ? 3 : 0;
    hand.scheduler.submit(r);
  }
  hand.next();
  EXPECT_EQ(hand.end(), "");
  EXPECT_TRUE(hand.outcome->gaps.empty());
  EXPECT_EQ(hand.outcome->tokens_written, 3);
  hand.next();
  hand.now += Time::from_ticks(20);
  EXPECT_EQ(hand.end(), "");
  ASSERT_EQ(hand.outcome->gaps.size(), 2u);
  const Gap &a = hand.outcome->gaps[0], &b = hand.outcome->gaps[1];
  EXPECT_THAT((std::vector<std::int64_t>{a.first_ticks, a.increase_ticks, a.steps, a.count, a.class_index}),
              ElementsAre(120, 0, 1, 2, 0));
  EXPECT_THAT((std::vector<std::int64_t>{b.first_ticks, b.steps, b.count, b.class_index}), ElementsAre(120, 1, 1, 3));
  hand.next();
  EXPECT_EQ(hand.end(), "0 1 2");
  EXPECT_EQ(hand.done[2].admitted.ticks(), 0);
  EXPECT_EQ(hand.done[2].first.ticks(), 100);
  EXPECT_EQ(hand.done[2].preemptions, 0);
}

TEST(Outcome, TheCacheIsCountedInTokensAtTheEndOfAStep) {
  ByHand hand(rules(Policy::chunked, 8, 20));
  hand.scheduler.submit(request(0, 17, 3));
  hand.scheduler.submit(request(1, 40, 3));
  hand.next();
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 20);
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 2 + 3);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (18) read 19+3");
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 40);
  EXPECT_EQ(hand.scheduler.kv_use().growth, 2);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (19) read 18+22");
  EXPECT_EQ(hand.end(), "0");
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 40);
  EXPECT_EQ(hand.scheduler.counts().kv_blocks_peak, 5);
}

TEST(Outcome, StepsArePaddedAndContextsListedWhenAsked) {
  Rules r = rules(Policy::chunked, 8, 100);
  r.graph_padding = true;
  r.list_contexts = true;
  StepScheduler scheduler(r);
  scheduler.submit(request(0, 10, 3));
  scheduler.submit(request(1, 7, 3));
  EXPECT_EQ(scheduler.next_step(Time()).shape.padded_tokens, 24);
  scheduler.finish_step(Time());
  const Step& step = scheduler.next_step(Time());
  EXPECT_EQ(step.shape.padded_tokens, 2);
  EXPECT_THAT(std::vector<int>(step.shape.decode_contexts.begin(), step.shape.decode_contexts.end()),
              ElementsAre(11, 8));
}

// --- the queue

TEST(Queue, HasALimit) {
  Rules r = rules(Policy::continuous, 1, 1000);
  r.queue_limit = 2;
  StepScheduler scheduler(r);
  EXPECT_EQ(scheduler.submit(request(0, 10, 10)), Submitted::queued);
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.submit(request(1, 10, 10)), Submitted::queued);
  EXPECT_EQ(scheduler.submit(request(2, 10, 10)), Submitted::queued);
  EXPECT_EQ(scheduler.submit(request(3, 10, 10)), Submitted::queue_full);
}

TEST(Queue, ALimitOfZeroStillServesAnIdleReplica) {
  Rules r = rules(Policy::continuous, 1, 1000);
  r.queue_limit = 0;
  StepScheduler scheduler(r);
  EXPECT_EQ(scheduler.submit(request(0, 10, 2)), Submitted::queued);
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.submit(request(1, 10, 2)), Submitted::queue_full);
  scheduler.finish_step(Time());  // between two steps of a running request the replica is not idle either
  EXPECT_EQ(scheduler.submit(request(2, 10, 2)), Submitted::queue_full);
}

TEST(Queue, RequestsThatWaitLongerThanTheTimeoutAreDropped) {
  Rules r = rules(Policy::continuous, 1, 1000);
  r.timeout_s = 2.0;
  StepScheduler scheduler(r);
  scheduler.submit(request(0, 10, 100));
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(2) + Time::from_ticks(1));
  scheduler.next_step(Time());
  EXPECT_EQ(scheduler.next_wakeup(), Time::never());
  scheduler.submit(request(1, 10, 10, Time::from_seconds(1).ticks()));
  EXPECT_TRUE(scheduler.drop_expired(Time::from_seconds(3)).empty());  // waited exactly as long as allowed
  ASSERT_EQ(scheduler.drop_expired(scheduler.next_wakeup()).size(), 1u);
  EXPECT_EQ(scheduler.waiting(), 0);
}

TEST(Queue, AnOrderDecidesWhoIsAdmitted) {
  Rules r = rules(Policy::continuous, 1, 1000);
  r.order = Order::shortest;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 30, 1));
  hand.scheduler.submit(request(1, 10, 1));
  hand.scheduler.submit(request(2, 20, 1));
  EXPECT_EQ(hand.next(), "read 10+0");
  EXPECT_EQ(hand.end_and_next(), "done 1; read 20+0");
  EXPECT_EQ(hand.end_and_next(), "done 2; read 30+0");
}

TEST(Protocol, IsGuarded) {
  StepScheduler scheduler(rules(Policy::chunked, 8, 100));
  EXPECT_THROW(scheduler.finish_step(Time()), std::logic_error);
  EXPECT_THROW(scheduler.submit(request(1, 0, 2)), std::logic_error);
  EXPECT_THROW(scheduler.submit(request(1, 2, 0)), std::logic_error);
  scheduler.submit(request(0, 10, 2));
  scheduler.next_step(Time());
  EXPECT_THROW(scheduler.next_step(Time()), std::logic_error);
  Rules r = rules(Policy::chunked, 8, 100);
  r.steps_in_flight = 3;
  EXPECT_THROW(StepScheduler{r}, std::logic_error);
}

}  // namespace
}  // namespace weir::sim
