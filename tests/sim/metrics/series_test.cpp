#include "sim/metrics/series.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/core/random.h"

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
  grid.change(s(5), 4, 2, 1);
  grid.change(s(25), -4, -2, -1);
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

// Nothing but the two ends of a state is told, however many cells lie between.
TEST(SeriesGrid, AStateLastsUntilItChanges) {
  SeriesGrid grid(s(0), s(1));
  grid.change(s(0.25), 0, 3, 1);
  grid.change(s(7.5), 0, -3, -1);
  const auto points = grid.points(s(9), 1);
  ASSERT_EQ(points.size(), 8u);
  EXPECT_DOUBLE_EQ(points[0].busy, 0.75);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_EQ(points[i].running_mean, 3) << i;
  EXPECT_DOUBLE_EQ(points[7].running_mean, 1.5);
}

// The run is cut at 2.5 s while 2 requests still wait: the last cell is averaged over its half second.
TEST(SeriesGrid, TheLastCellIsAveragedOverWhatThereIsOfIt) {
  SeriesGrid grid(s(0), s(1));
  grid.change(s(1), 2, 0, 0);
  grid.change(s(2.25), 1, 0, 0);
  const auto points = grid.points(s(2.5), 1);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_DOUBLE_EQ(points[1].waiting_mean, 2);
  EXPECT_DOUBLE_EQ(points[2].waiting_mean, 2.5);
}

TEST(SeriesGrid, WidensInsteadOfGrowingWithoutEnd) {
  SeriesGrid grid(s(0), s(1));
  grid.change(s(0), 1, 0, 1);
  for (int i = 0; i < 25'000; i += 100) grid.arrival(s(i));
  grid.change(s(25'000), -1, 0, -1);
  const auto points = grid.points(s(25'000), 1);
  EXPECT_LE(points.size(), SeriesGrid::kMostCells);
  std::int64_t arrivals = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    arrivals += points[i].arrivals;
    EXPECT_DOUBLE_EQ(points[i].busy, 1);
    EXPECT_DOUBLE_EQ(points[i].waiting_mean, 1);
  }
  EXPECT_EQ(arrivals, 250);
  EXPECT_EQ(points[1].begin_s, 4);  // 25,000 cells of 1 s do not fit in 8,192; of 4 s they do
}

struct Call {
  Time at;
  int waiting = 0, running = 0, busy = 0;
  bool arrival = false;
};

void tell(SeriesGrid& grid, const Call& call) {
  grid.change(call.at, call.waiting, call.running, call.busy);
  if (call.arrival) {
    grid.arrival(call.at);
  } else {
    grid.completion(call.at);
  }
}

// In any order, in parts that are merged, and on a grid that widens early or late.
RC_GTEST_PROP(SeriesGrid, OrderAndPartsDoNotMatter, ()) {
  RandomStream random(*rc::gen::inRange<std::uint64_t>(0, 100'000), "series");
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const auto span_ticks = std::uint64_t{1} << *rc::gen::inRange(4, 24);
  std::vector<Call> calls;
  const Time begin = s(3);
  const auto draw = [&] { return static_cast<int>(random.bits() % 9) - 4; };
  for (std::size_t i = 0; i < n; ++i) {
    const Time at = begin + Time::from_ticks(static_cast<std::int64_t>(random.bits() % span_ticks));
    calls.push_back({at, draw(), draw(), draw(), random.bits() % 2 == 0});
  }
  const Time step = Time::from_ticks(7);
  SeriesGrid in_order(begin, step), shuffled(begin, step), left(begin, step), right(begin, step);
  for (const Call& call : calls) tell(shuffled, call);
  for (const Call& call : calls) tell(call.at.ticks() % 2 == 0 ? left : right, call);
  std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.at < b.at; });
  for (const Call& call : calls) tell(in_order, call);
  RC_ASSERT(in_order == shuffled);
  left.merge(right);
  RC_ASSERT(in_order == left);
  left.arrival(begin);
  RC_ASSERT(!(in_order == left));
}

// Against the plain integral: each change times the part of each cell after it.
RC_GTEST_PROP(SeriesGrid, MeansAreTheIntegral, ()) {
  RandomStream random(*rc::gen::inRange<std::uint64_t>(0, 100'000), "integral");
  SeriesGrid grid(Time(), Time::from_ticks(10));
  std::vector<std::pair<std::int64_t, int>> changes;
  for (int i = 0; i < 20; ++i) {
    changes.emplace_back(static_cast<std::int64_t>(random.bits() % 95), static_cast<int>(random.bits() % 5));
    grid.change(Time::from_ticks(changes.back().first), changes.back().second, 0, 0);
  }
  grid.change(Time::from_ticks(94), 0, 0, 0);
  const auto points = grid.points(Time::from_ticks(95), 1);
  RC_ASSERT(points.size() == 10u);
  for (std::int64_t cell = 0; cell < 10; ++cell) {
    const std::int64_t from = cell * 10, to = std::min<std::int64_t>(95, from + 10);
    std::int64_t area = 0;
    for (const auto& [at, by] : changes) area += by * std::max<std::int64_t>(0, to - std::max(at, from));
    RC_ASSERT(points[static_cast<std::size_t>(cell)].waiting_mean ==
              static_cast<double>(area) / static_cast<double>(to - from));
  }
}

}  // namespace
}  // namespace weir::sim
