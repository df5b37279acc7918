#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/fleet/replica.h"

namespace weir::sim {
namespace {

TEST(StepReaching, ByHand) {
  // Steps of 10, 13, 16, 19: they end at 10, 23, 39, 58.
  EXPECT_EQ(progression_sum(10, 3, 4), 58);
  EXPECT_EQ(step_reaching(10, 3, 0, false), 0);
  EXPECT_EQ(step_reaching(10, 3, 9, false), 0);
  EXPECT_EQ(step_reaching(10, 3, 10, false), 1);  // what comes as a step ends is seen by the one after it
  EXPECT_EQ(step_reaching(10, 3, 10, true), 0);
  EXPECT_EQ(step_reaching(10, 3, 22, true), 1);
  EXPECT_EQ(step_reaching(10, 3, 57, false), 3);
  EXPECT_EQ(step_reaching(7, 0, 70, false), 10);
  EXPECT_EQ(step_reaching(7, 0, 70, true), 9);
}

RC_GTEST_PROP(StepReachingProperty, IsTheFirstStepThatEndsLater, ()) {
  const auto first = *rc::gen::inRange<std::int64_t>(1, 10'000'000'000);
  const auto increase = *rc::gen::element<std::int64_t>(0, 1, 17, 1000, 1'000'000);
  const auto steps = *rc::gen::inRange<std::int64_t>(1, 100'000);
  const auto elapsed = *rc::gen::inRange<std::int64_t>(0, progression_sum(first, increase, steps));
  const bool at_least = *rc::gen::arbitrary<bool>();
  const auto reached = [&](std::int64_t i) {
    const std::int64_t end = progression_sum(first, increase, i + 1);
    return at_least ? end >= elapsed : end > elapsed;
  };
  const std::int64_t found = step_reaching(first, increase, elapsed, at_least);
  RC_ASSERT(found >= 0);
  RC_ASSERT(reached(found));
  RC_ASSERT(found == 0 || !reached(found - 1));
}

}  // namespace
}  // namespace weir::sim
