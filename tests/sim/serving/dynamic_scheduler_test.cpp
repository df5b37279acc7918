#include "sim/serving/dynamic_scheduler.h"

#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::sim {
namespace {

using ::testing::ElementsAre;

Rules rules(int max_batch, double max_delay_s) {
  Rules r;
  r.policy = Policy::dynamic;
  r.max_batch = max_batch;
  r.max_delay = Time::from_seconds(max_delay_s);
  return r;
}

QueuedRequest request(std::uint64_t index, double arrival_s, int tokens, int items = 1) {
  QueuedRequest r;
  r.index = index;
  r.arrival = Time::from_seconds(arrival_s);
  r.input_tokens = tokens;
  r.items = items;
  return r;
}

std::vector<std::uint64_t> finish(DynamicScheduler& scheduler, double at_s) {
  std::vector<std::uint64_t> done;
  for (const ServedRequest* served : scheduler.finish_step(Time::from_seconds(at_s)).finished) {
    done.push_back(served->request.index);
  }
  return done;
}

TEST(DynamicScheduler, WaitsForMoreUntilTheOldestHasWaitedTheDelay) {
  DynamicScheduler scheduler(rules(4, 0.010));
  scheduler.submit(request(0, 1.000, 30));
  scheduler.submit(request(1, 1.004, 50));
  EXPECT_EQ(scheduler.next_step(Time::from_seconds(1.004)).kind, StepKind::none);
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(1.010));
  const Step step = scheduler.next_step(Time::from_seconds(1.010));
  EXPECT_EQ(step.kind, StepKind::batch);
  EXPECT_EQ(step.items, 2);
  EXPECT_EQ(step.padded_tokens, 50);
  EXPECT_EQ(scheduler.running(), 2);
  const StepOutcome outcome = scheduler.finish_step(Time::from_seconds(1.1));
  ASSERT_EQ(outcome.finished.size(), 2u);
  EXPECT_EQ(outcome.finished[1]->request.index, 1u);
  EXPECT_EQ(outcome.finished[1]->admitted, Time::from_seconds(1.010));
  EXPECT_EQ(outcome.finished[1]->first, Time::from_seconds(1.1));
  EXPECT_EQ(scheduler.counts().tokens_read, 80);
}

TEST(DynamicScheduler, AFullBatchStartsAtOnce) {
  DynamicScheduler scheduler(rules(2, 10.0));
  scheduler.submit(request(0, 0, 30));
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::none);
  scheduler.submit(request(1, 0, 20));
  scheduler.submit(request(2, 0, 90));
  EXPECT_EQ(scheduler.next_step(Time()).padded_tokens, 30);
  EXPECT_EQ(scheduler.waiting(), 1);
  // While a batch runs the delay of the next one wakes nobody.
  EXPECT_EQ(scheduler.next_wakeup(), Time::never());
  EXPECT_THAT(finish(scheduler, 1), ElementsAre(0, 1));
}

TEST(DynamicScheduler, StaticDoesNotWait) {
  Rules r = rules(8, 10.0);
  r.policy = Policy::static_batch;
  DynamicScheduler scheduler(r);
  scheduler.submit(request(0, 0, 30));
  EXPECT_EQ(scheduler.next_step(Time()).items, 1);
}

TEST(DynamicScheduler, CountsItems) {
  DynamicScheduler scheduler(rules(8, 10.0));
  scheduler.submit(request(0, 0, 10, 5));
  EXPECT_EQ(scheduler.next_step(Time()).kind, StepKind::none);
  scheduler.submit(request(1, 0, 10, 4));  // 9 wait, which fills a batch of 8, but request 1 does not fit behind 0
  EXPECT_EQ(scheduler.next_step(Time()).items, 5);
  EXPECT_THAT(finish(scheduler, 1), ElementsAre(0));
  scheduler.submit(request(2, 0, 10, 20));  // more items than a batch: alone
  EXPECT_EQ(scheduler.next_step(Time()).items, 4);
  EXPECT_THAT(finish(scheduler, 2), ElementsAre(1));
  EXPECT_EQ(scheduler.next_step(Time()).items, 20);
  EXPECT_THAT(finish(scheduler, 3), ElementsAre(2));
  EXPECT_EQ(scheduler.counts().tokens_read, 290);
}

// The delay counts from the oldest, whoever is next in order.
TEST(DynamicScheduler, OrdersByPriority) {
  Rules r = rules(2, 0.010);
  r.order = Order::priority;
  DynamicScheduler scheduler(r);
  for (std::uint64_t i = 0; i < 3; ++i) {
    QueuedRequest q = request(i, 0.001 * static_cast<double>(i), 10);
    q.priority = static_cast<std::int16_t>(i);
    scheduler.submit(q);
  }
  EXPECT_EQ(scheduler.next_step(Time::from_seconds(0.002)).items, 2);
  EXPECT_THAT(finish(scheduler, 1), ElementsAre(2, 1));
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(0.010));
}

TEST(DynamicScheduler, DropsWhatExpired) {
  Rules r = rules(8, 10.0);
  r.timeout_s = 1.0;
  DynamicScheduler scheduler(r);
  scheduler.submit(request(0, 0, 10, 7));
  scheduler.submit(request(1, 0.5, 10));
  EXPECT_EQ(scheduler.next_wakeup(), Time::from_seconds(1) + Time::from_ticks(1));
  const auto dropped = scheduler.drop_expired(scheduler.next_wakeup());
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].index, 0u);
  // Seven items left with request 0: one waits, so a batch of eight is not full.
  EXPECT_EQ(scheduler.next_step(Time::from_seconds(1.1)).kind, StepKind::none);
}

TEST(DynamicScheduler, GuardsItsOwnProtocol) {
  DynamicScheduler scheduler(rules(1, 0));
  EXPECT_THROW(scheduler.finish_step(Time()), std::logic_error);
  EXPECT_THROW(scheduler.skip(1, 1, 0, Time()), std::logic_error);
  scheduler.submit(request(0, 0, 10));
  scheduler.next_step(Time());
  EXPECT_THROW(scheduler.next_step(Time()), std::logic_error);
}

}  // namespace
}  // namespace weir::sim
