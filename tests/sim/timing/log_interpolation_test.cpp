#include "sim/timing/log_interpolation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace weir::sim {
namespace {

using Point = LogInterpolation::Point;

constexpr double kRounding = 1e-12;

TEST(LogInterpolation, LinearOnACurveAndConstantOutside) {
  const LogInterpolation curve({{{0, 0}, 1, 10}, {{0, 0}, 3, 20}, {{0, 0}, 4, 10}});
  EXPECT_DOUBLE_EQ(curve.at({0, 0}, 1), 10);
  EXPECT_DOUBLE_EQ(curve.at({0, 0}, 2), 15);
  EXPECT_DOUBLE_EQ(curve.at({0, 0}, 3), 20);
  EXPECT_DOUBLE_EQ(curve.at({0, 0}, -5), 10);
  EXPECT_DOUBLE_EQ(curve.at({0, 0}, 9), 10);
  EXPECT_EQ(curve.size(), 3u);
}

TEST(LogInterpolation, BlendsByInverseSquaredDistance) {
  const LogInterpolation two({{{0}, 0, 1}, {{3}, 0, 4}});
  // distances 1 and 2: weights 1 and 1/4
  EXPECT_NEAR(two.at({1}, 0), (1 + 4 * 0.25) / 1.25, kRounding);
  EXPECT_DOUBLE_EQ(two.at({3}, 0), 4);
}

TEST(LogInterpolation, LeavesOneOut) {
  const std::vector<double> errors = LogInterpolation::leave_one_out_errors({{{0}, 0, 0}, {{0}, 1, 2}, {{0}, 2, 2}});
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_DOUBLE_EQ(errors[0], 2);   // nearest end of the rest
  EXPECT_DOUBLE_EQ(errors[1], -1);  // middle of 0 and 2
  EXPECT_DOUBLE_EQ(errors[2], 0);
  EXPECT_TRUE(LogInterpolation::leave_one_out_errors({{{0}, 0, 0}}).empty());
}

RC_GTEST_PROP(LogInterpolationProperty, ReproducesPointsAndStaysBetweenThem, ()) {
  std::vector<Point> points;
  const int count = *rc::gen::inRange(1, 30);
  for (int i = 0; i < count; ++i) {
    points.push_back({{static_cast<double>(*rc::gen::inRange(0, 5)), static_cast<double>(*rc::gen::inRange(0, 5))},
                      static_cast<double>(i),
                      0.01 * *rc::gen::inRange(-300, 300)});
  }
  const LogInterpolation table(points);
  double low = points[0].value, high = points[0].value;
  for (const Point& p : points) {
    RC_ASSERT(std::abs(table.at(p.key, p.log_main) - p.value) <= kRounding);
    low = std::min(low, p.value);
    high = std::max(high, p.value);
  }
  const double x = 0.1 * *rc::gen::inRange(-50, 400);
  const double value = table.at({0.3 * *rc::gen::inRange(0, 20), 0.7 * *rc::gen::inRange(0, 9)}, x);
  RC_ASSERT(value >= low - kRounding && value <= high + kRounding);
}

}  // namespace
}  // namespace weir::sim
