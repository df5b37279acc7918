#include "sim/core/event_queue.h"

#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::sim {
namespace {

TEST(EventQueue, FiresInOrderOfTime) {
  EventQueue queue;
  for (const std::int64_t ticks : {50, 10, 40, 20, 30}) queue.push(Time::from_ticks(ticks), 7, 0);
  for (const std::int64_t ticks : {10, 20, 30, 40, 50}) {
    EXPECT_EQ(queue.top().ticks, ticks);
    EXPECT_EQ(queue.pop().ticks, ticks);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, TiesFireInOrderOfScheduling) {
  EventQueue queue;
  for (std::uint32_t target = 0; target < 100; ++target) queue.push(Time::from_ticks(target % 2), 0, target);
  // First the even targets (time 0) as they were pushed, then the odd ones.
  for (std::uint32_t target = 0; target < 100; target += 2) EXPECT_EQ(queue.pop().target, target);
  for (std::uint32_t target = 1; target < 100; target += 2) EXPECT_EQ(queue.pop().target, target);
}

// A multimap keeps equal keys in order of insertion, which is the order the queue promises.
RC_GTEST_PROP(EventQueue, BehavesLikeAMultimap, ()) {
  EventQueue queue;
  std::multimap<std::int64_t, std::uint32_t> model;
  std::uint32_t next = 0;
  const auto commands = *rc::gen::container<std::vector<std::pair<bool, int>>>(
      rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange(0, 12)));
  for (const auto& [push, ticks] : commands) {
    if (push || model.empty()) {
      queue.push(Time::from_ticks(ticks), 0, next);
      model.emplace(ticks, next++);
    } else {
      const Event event = queue.pop();
      RC_ASSERT(event.ticks == model.begin()->first);
      RC_ASSERT(event.target == model.begin()->second);
      model.erase(model.begin());
    }
    RC_ASSERT(queue.size() == model.size());
  }
  while (!model.empty()) {
    RC_ASSERT(queue.pop().target == model.begin()->second);
    model.erase(model.begin());
  }
  RC_ASSERT(queue.empty());
}

TEST(Time, RoundsToTicksOfTenPicoseconds) {
  EXPECT_EQ(Time::from_seconds(1.0).ticks(), 100'000'000'000);
  EXPECT_EQ(Time::from_seconds(1.4e-11).ticks(), 1);
  EXPECT_EQ(Time::from_seconds(-1.6e-11).ticks(), -2);
  EXPECT_EQ(Time::from_nanoseconds(3).ticks(), 300);
  EXPECT_EQ(Time::from_ticks(250'000'000).seconds(), 0.0025);
  EXPECT_GT(Time::never() + Time::never(), Time::never());
}

}  // namespace
}  // namespace weir::sim
