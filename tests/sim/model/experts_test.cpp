#include "sim/model/experts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace weir::sim {
namespace {

data::ExpertShape experts(int count, int active) { return {count, active, 1, 0, 0}; }

TEST(ExpertLoad, DistinctExpertsByTheClosedForm) {
  // Mixtral: 8 (1 - (3/4)^T): 2 for one token, 3.5 for two, 5.46875 for four.
  const ExpertLoad mixtral(experts(8, 2), 0, 1);
  EXPECT_NEAR(mixtral.distinct(1), 2, 1e-12);
  EXPECT_NEAR(mixtral.distinct(2), 3.5, 1e-12);
  EXPECT_NEAR(mixtral.distinct(4), 8 * (1 - 81.0 / 256), 1e-12);
  EXPECT_NEAR(mixtral.pairs(10), 20, 1e-12);
  // DeepSeek-V3: 64 tokens touch 256 (1 - (31/32)^64) = 222.4 experts.
  const ExpertLoad deepseek(experts(256, 8), 0, 1);
  EXPECT_NEAR(deepseek.distinct(64), 256 * (1 - std::pow(31.0 / 32, 64)), 1e-9);
}

TEST(ExpertLoad, AGroupHasItsShareAndTheLuckOfTheBusiest) {
  const ExpertLoad eight(experts(256, 8), 0, 8);
  EXPECT_EQ(eight.experts_of_group(), 32);
  EXPECT_NEAR(eight.distinct(64), 32 * (1 - std::pow(31.0 / 32, 64)), 1e-9);
  // Mean 64 x 8 / 8 = 64 pairs; variance 64 x 32 x (1/32)(31/32) = 62; sqrt(2 ln 8) = 2.039 deviations.
  EXPECT_NEAR(eight.pairs(64), 64 + std::sqrt(2 * std::log(8.0) * 62), 1e-9);
  EXPECT_NEAR(eight.groups_of_token(), 8 * (1 - std::pow(7.0 / 8, 8)), 1e-12);
}

TEST(ExpertLoad, SkewByHand) {
  // Weights 1, 1/2, 1/3, 1/4 for 2 of 4: share 2 / (25/12) = 0.96: 0.96, 0.48, 0.32, 0.24.
  const ExpertLoad four(experts(4, 2), 1, 1);
  EXPECT_NEAR(four.distinct(1), 2, 1e-12);
  EXPECT_NEAR(four.distinct(2), (1 - 0.04 * 0.04) + (1 - 0.52 * 0.52) + (1 - 0.68 * 0.68) + (1 - 0.76 * 0.76), 1e-12);
  // Two groups: experts 0 and 2 against 1 and 3.
  const ExpertLoad two(experts(4, 2), 1, 2);
  EXPECT_NEAR(two.pairs(1e12) / 1e12, 0.96 + 0.32, 1e-5);
  // Skew 3: weights 1, 1/8, 1/27, 1/64; the first would be asked for 1.69 times a token, so it always is.
  const ExpertLoad steep(experts(4, 2), 3, 1);
  EXPECT_NEAR(steep.distinct(1), 2, 1e-12);
}

RC_GTEST_PROP(ExpertLoadProperty, MoreTokensExpertsAndSkewMoveItOneWay, ()) {
  const int groups = *rc::gen::element(1, 2, 4, 8);
  const int count = groups * *rc::gen::inRange(2, 40);
  const int active = *rc::gen::inRange(1, count);
  const double skew = 0.1 * *rc::gen::inRange(0, 30);
  const double tokens = *rc::gen::inRange(1, 5000);
  const ExpertLoad load(experts(count, active), skew, groups), more(experts(count, active + 1), skew, groups);
  RC_ASSERT(load.distinct(tokens + 1) >= load.distinct(tokens));
  RC_ASSERT(load.pairs(tokens + 1) >= load.pairs(tokens));
  RC_ASSERT(load.distinct(tokens) <= load.experts_of_group() + 1e-9);
  RC_ASSERT(more.distinct(tokens) >= load.distinct(tokens) - 1e-9);
  const ExpertLoad all(experts(count, active), skew, 1), even(experts(count, active), 0, 1);
  RC_ASSERT(std::abs(all.distinct(1) - active) < 1e-9);                     // a token takes `active`
  RC_ASSERT(all.distinct(tokens) <= even.distinct(tokens) * (1 + 1e-12));   // popular experts meet again
  RC_ASSERT(load.pairs(tokens) * groups >= tokens * active * (1 - 1e-12));  // the busiest is not below the mean
}

}  // namespace
}  // namespace weir::sim
