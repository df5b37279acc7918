#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "reports/charts/decimate.h"
#include "reports/charts/frame.h"
#include "reports/charts/line.h"

namespace weir::reports::charts {
namespace {

std::vector<std::pair<double, double>> pairs(const std::vector<Point>& points) {
  std::vector<std::pair<double, double>> out;
  for (const Point& p : points) out.emplace_back(p.x, p.y);
  return out;
}
using Pair = std::pair<double, double>;

TEST(Decimate, KeepsFirstLowestHighestAndLastOfAColumn) {
  // Column [0, 10): first 5, then 9 (highest), 2 (lowest), 6, 7 (last); column [10, 20]: one point on the right border.
  const std::vector<Point> points = {{0, 5}, {2, 9}, {4, 2}, {6, 6}, {9, 7}, {20, 1}};
  EXPECT_THAT(pairs(decimate(points, {0, 10, 20})),
              ::testing::ElementsAre(Pair{0, 5}, Pair{2, 9}, Pair{4, 2}, Pair{9, 7}, Pair{20, 1}));
}

TEST(Decimate, KeepsTheNeighboursOutside) {
  const std::vector<Point> points = {{-5, 1}, {-1, 2}, {3, 3}, {21, 4}, {30, 5}};
  EXPECT_THAT(pairs(decimate(points, {0, 10, 20})), ::testing::ElementsAre(Pair{-1, 2}, Pair{3, 3}, Pair{21, 4}));
}

TEST(Decimate, NothingIsLostWhereNothingIsDense) {
  const std::vector<Point> points = {{0.5, 1}, {1.5, 2}, {2.5, 0}};
  EXPECT_EQ(pairs(decimate(points, {0, 1, 2, 3})), pairs(points));
}

struct Column {
  double low = 1e300, high = -1e300, first = 0, last = 0;
  bool any = false;
  void add(double y) {
    if (!any) first = y;
    last = y;
    low = std::min(low, y);
    high = std::max(high, y);
    any = true;
  }
};

std::map<int, Column> envelope(const std::vector<Point>& points) {
  std::map<int, Column> columns;
  for (const Point& p : points) columns[static_cast<int>(std::floor(p.x))].add(p.y);
  return columns;
}

RC_GTEST_PROP(Decimate, ThePaintedEnvelopeIsThatOfAllPoints, ()) {
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 300));
  std::vector<Point> points;
  double x = 0.005;  // never on a border: whose column that is does not matter here
  for (const int step : steps) {
    x += step / 100.0;
    points.push_back({x, *rc::gen::inRange(-1000, 1000) / 7.0});
  }
  std::vector<double> edges;
  for (int i = 0; i <= static_cast<int>(std::ceil(x)) + 1; ++i) edges.push_back(i);
  const auto few = decimate(points, edges);
  const auto all = envelope(points);
  const auto kept = envelope(few);
  RC_ASSERT(all.size() == kept.size());
  for (const auto& [column, full] : all) {
    const Column& part = kept.at(column);
    RC_ASSERT(part.low == full.low);
    RC_ASSERT(part.high == full.high);
    RC_ASSERT(part.first == full.first);
    RC_ASSERT(part.last == full.last);
  }
  RC_ASSERT(few.size() <= 4 * all.size());
  for (std::size_t i = 1; i < few.size(); ++i) RC_ASSERT(few[i - 1].x <= few[i].x);
  if (!points.empty()) {
    RC_ASSERT(few.front().x == points.front().x);
    RC_ASSERT(few.back().x == points.back().x);
  }
}

LineChart dense(XKind kind) {
  LineChart data;
  data.title = "Dense";
  data.x_kind = kind;
  LineSeries series;
  for (int i = 1; i <= 200'000; ++i) {
    series.points.push_back({static_cast<double>(i), 100 + 50 * std::sin(i * 0.37) + (i == 777 ? 900 : 0)});
  }
  data.series = {series};
  return data;
}

TEST(Decimate, ADenseLineKeepsItsPeakOnLinearAndLogarithmicAxes) {
  for (const XKind kind : {XKind::number, XKind::logarithmic}) {
    const Scene scene = line_chart(dense(kind), {600, 300, Language::en, {}, {}});
    std::size_t drawn = 0;
    double top = 1e9;
    for (const Primitive& item : scene.items) {
      if (const auto* line = std::get_if<Polyline>(&item)) {
        drawn += line->points.size();
        EXPECT_LE(line->stroke.width, 1);
        for (std::size_t i = 0; i < line->points.size(); ++i) {
          top = std::min(top, line->points[i].y);
          EXPECT_GE(line->points[i].x, line->points[i > 0 ? i - 1 : 0].x);
        }
      }
    }
    EXPECT_GT(drawn, 500u);
    EXPECT_LT(drawn, 4u * 600u);
    const Plot& plot = scene.plots.at(0);
    const double peak = plot.area.y + plot.area.height * (1 - 1050.0 / plot.y.high);
    // Point 777 holds 900 and what the sine gives there, at most 50 either way of 1000.
    EXPECT_NEAR(top, peak, plot.area.height * 105 / plot.y.high);
    EXPECT_LT(plot.series.at(0).points.size(), 4u * 600u);
  }
}

}  // namespace
}  // namespace weir::reports::charts
