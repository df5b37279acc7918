#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "reports/charts/clip.h"

namespace weir::reports::charts {
namespace {

const Box kBox{0, 0, 100, 50};

bool near(Point a, Point b) { return std::fabs(a.x - b.x) < 1e-9 && std::fabs(a.y - b.y) < 1e-9; }

TEST(Clip, ASegmentIsCutOnAllFourSides) {
  const auto left = clip_segment({-50, 25}, {50, 25}, kBox);
  ASSERT_TRUE(left);
  EXPECT_TRUE(near(left->first, {0, 25}));
  EXPECT_TRUE(near(left->second, {50, 25}));
  const auto both = clip_segment({-100, -25}, {200, 50}, kBox);  // y = x / 4
  ASSERT_TRUE(both);
  EXPECT_TRUE(near(both->first, {0, 0}));
  EXPECT_TRUE(near(both->second, {100, 25}));
  const auto upright = clip_segment({10, 80}, {10, -20}, kBox);
  ASSERT_TRUE(upright);
  EXPECT_TRUE(near(upright->first, {10, 50}));
  EXPECT_TRUE(near(upright->second, {10, 0}));
  EXPECT_FALSE(clip_segment({-10, 5}, {5, -10}, kBox));  // passes the corner outside
  EXPECT_FALSE(clip_segment({10, 60}, {90, 60}, kBox));
}

TEST(Clip, ALineThatComesBackIsSeveralLines) {
  // Up through the top, back in, out on the right.
  const auto lines = clip_line({{10, 10}, {20, -10}, {30, 10}, {120, 10}}, kBox);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), 2u);
  EXPECT_TRUE(near(lines[0][1], {15, 0}));
  ASSERT_EQ(lines[1].size(), 3u);
  EXPECT_TRUE(near(lines[1][0], {25, 0}));
  EXPECT_TRUE(near(lines[1][1], {30, 10}));
  EXPECT_TRUE(near(lines[1][2], {100, 10}));
}

TEST(Clip, AGapBreaksTheLine) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const auto lines = clip_line({{0, 10}, {10, 10}, {20, gap}, {30, 10}, {40, 10}}, kBox);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(near(lines[0].back(), {10, 10}));
  EXPECT_TRUE(near(lines[1].front(), {30, 10}));
}

TEST(Clip, ALineOutsideLeavesNothing) {
  EXPECT_TRUE(clip_line({{-10, -10}, {200, -10}, {200, 90}}, kBox).empty());
  EXPECT_TRUE(clip_line({}, kBox).empty());
  EXPECT_TRUE(clip_line({{1, 1}}, kBox).empty());
}

TEST(Clip, AnAreaIsCutToTheBox) {
  const auto square = clip_area({{-50, -50}, {50, -50}, {50, 25}, {-50, 25}}, kBox);
  double twice = 0;
  for (std::size_t i = 0; i < square.size(); ++i) {
    const Point a = square[i];
    const Point b = square[(i + 1) % square.size()];
    EXPECT_TRUE(kBox.contains(a));
    twice += a.x * b.y - b.x * a.y;
  }
  EXPECT_NEAR(std::fabs(twice) / 2, 50 * 25, 1e-9);
  EXPECT_TRUE(clip_area({{200, 0}, {300, 0}, {300, 10}}, kBox).empty());
}

Point random_point() { return {*rc::gen::inRange(-2000, 3000) / 10.0, *rc::gen::inRange(-1000, 1500) / 10.0}; }

RC_GTEST_PROP(Clip, WhatIsLeftLiesInsideAndOnTheLine, ()) {
  const Point a = random_point();
  const Point b = random_point();
  const auto part = clip_segment(a, b, kBox);
  // Whether the segment meets the box at all, by brute force.
  bool meets = false;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    meets = meets || kBox.contains({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
  if (meets) RC_ASSERT(part.has_value());
  if (!part) return;
  for (const Point p : {part->first, part->second}) {
    RC_ASSERT(kBox.contains(p));
    const double off = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    RC_ASSERT(std::fabs(off) <= 1e-6 * (1 + std::hypot(b.x - a.x, b.y - a.y)));
  }
}

}  // namespace
}  // namespace weir::reports::charts
