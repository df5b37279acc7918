#include "sim/metrics/series.h"

#include <numeric>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

Time s(double seconds) { return Time::from_seconds(seconds); }

// Grid of 10 s. One of two replicas is busy from 5 to 25 s with 2 requests running and 4 waiting; the run ends at 25 s.
//   [0, 10):  busy 5 of 20 replica-seconds = 0.25; waiting 4 x 5/10 = 2; running 1
//   [10, 20): busy 0.5; waiting 4; running 2
//   [20, 25): busy 0.5 of the five seconds there are
TEST(SeriesGrid, SplitsAnIntervalOverItsCells) {
  SeriesGrid grid(s(0), s(10));
  grid.arrival(s(5));
  grid.completion(s(24));
  grid.state(s(5), s(25), 4, 2, true);
  const auto points = grid.points(s(25), 2);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_DOUBLE_EQ(points[0].busy, 0.25);
  EXPECT_DOUBLE_EQ(points[0].waiting_mean, 2);
  EXPECT_DOUBLE_EQ(points[0].running_mean, 1);
  EXPECT_EQ(points[0].arrivals, 1);
  EXPECT_DOUBLE_EQ(points[1].busy, 0.5);
  EXPECT_DOUBLE_EQ(points[1].waiting_mean, 4);
  EXPECT_DOUBLE_EQ(points[2].begin_s, 20);
  EXPECT_DOUBLE_EQ(points[2].busy, 0.5);
  EXPECT_EQ(points[2].completions, 1);
}

TEST(SeriesGrid, StartsAtTheFirstArrival) {
  SeriesGrid grid(s(100), s(10));
  grid.arrival(s(100));
  grid.arrival(s(111));
  const auto points = grid.points(s(112), 1);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].begin_s, 10);
  EXPECT_EQ(points[1].arrivals, 1);
}

TEST(SeriesGrid, WidensInsteadOfGrowingWithoutEnd) {
  SeriesGrid grid(s(0), s(1));
  for (int i = 0; i < 200'000; i += 100) {
    grid.arrival(s(i));
    grid.state(s(i), s(i + 100), 1, 0, true);
  }
  const auto points = grid.points(s(200'000), 1);
  EXPECT_LE(points.size(), SeriesGrid::kMostCells);
  std::int64_t arrivals = 0;
  for (const SeriesPoint& point : points) {
    arrivals += point.arrivals;
    EXPECT_DOUBLE_EQ(point.busy, 1);
  }
  EXPECT_EQ(arrivals, 2000);
  EXPECT_EQ(points[1].begin_s, 4);  // 200,000 cells of 1 s do not fit in 65,536; of 4 s they do
}

}  // namespace
}  // namespace weir::sim
