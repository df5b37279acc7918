#include "sim/serving/dynamic_scheduler.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::sim {
namespace {

using ::testing::ElementsAre;

data::Serving serving(int max_batch, double max_delay_s) {
  data::Serving s;
  s.policy = "dynamic";
  s.max_batch = max_batch;
  s.max_delay_s = max_delay_s;
  return s;
}

QueuedRequest request(RequestId id, double arrival_s, int tokens, int items = 1) {
  return {id, Time::from_seconds(arrival_s), tokens, 0, items};
}

std::vector<RequestId> list(std::span<const RequestId> ids) { return {ids.begin(), ids.end()}; }

TEST(DynamicScheduler, WaitsForMoreUntilTheOldestHasWaitedTheDelay) {
  DynamicScheduler scheduler(serving(4, 0.010));
  scheduler.submit(request(0, 1.000, 30));
  scheduler.submit(request(1, 1.004, 50));
  EXPECT_EQ(scheduler.next_step(Time::from_seconds(1.004)).kind, StepKind::none);
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(1.010));
  const Step step = scheduler.next_step(Time::from_seconds(1.010));
  EXPECT_EQ(step.kind, StepKind::batch);
  EXPECT_THAT(list(step.started), ElementsAre(0, 1));
  EXPECT_EQ(step.items, 2);
  EXPECT_EQ(step.padded_tokens, 50);
  EXPECT_THAT(list(scheduler.finish_step(Time::from_seconds(1.1)).finished), ElementsAre(0, 1));
}

TEST(DynamicScheduler, AFullBatchStartsAtOnce) {
  DynamicScheduler scheduler(serving(2, 10.0));
  scheduler.submit(request(0, 0, 30));
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::none);
  scheduler.submit(request(1, 0, 20));
  scheduler.submit(request(2, 0, 90));
  const Step step = scheduler.next_step(Time());
  EXPECT_THAT(list(step.started), ElementsAre(0, 1));
  EXPECT_EQ(step.padded_tokens, 30);
  EXPECT_EQ(scheduler.waiting(), 1);
  // While a batch runs the delay of the next one wakes nobody.
  EXPECT_EQ(scheduler.next_wakeup(), Time::never());
}

TEST(DynamicScheduler, CountsItems) {
  DynamicScheduler scheduler(serving(8, 10.0));
  scheduler.submit(request(0, 0, 10, 5));
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::none);
  scheduler.submit(request(1, 0, 10, 4));  // 9 wait, which fills a batch of 8, but request 1 does not fit behind 0
  const Step step = scheduler.next_step(Time());
  EXPECT_THAT(list(step.started), ElementsAre(0));
  EXPECT_EQ(step.items, 5);
  scheduler.finish_step(Time());
  scheduler.submit(request(2, 0, 10, 20));  // more items than a batch: alone
  EXPECT_THAT(list(scheduler.next_step(Time()).started), ElementsAre(1));
  scheduler.finish_step(Time());
  EXPECT_EQ(scheduler.next_step(Time()).items, 20);
}

TEST(DynamicScheduler, DropsWhatExpired) {
  data::Serving s = serving(8, 10.0);
  s.timeout_s = 1.0;
  DynamicScheduler scheduler(s);
  scheduler.submit(request(0, 0, 10, 7));
  scheduler.submit(request(1, 0.5, 10));
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(1) + Time::from_ticks(1));
  EXPECT_THAT(list(scheduler.drop_expired(scheduler.next_wakeup())), ElementsAre(0));
  // Seven items left with request 0: one waits, so a batch of eight is not full.
  EXPECT_EQ(scheduler.next_step(Time::from_seconds(1.1)).kind, StepKind::none);
}

}  // namespace
}  // namespace weir::sim
