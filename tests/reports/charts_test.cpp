#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "markup_check.h"
#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/palette.h"
#include "reports/charts/svg.h"
#include "reports/charts/ticks.h"

namespace weir::reports::charts {
namespace {

using reports::testing::MarkupCheck;
using ::testing::HasSubstr;

constexpr double kTextContrast = 4.5, kGraphicContrast = 3.0;

TEST(Palette, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21.0, 1e-9);
  // #767676 on white is the well-known grey that just passes 4.5:1.
  EXPECT_NEAR(contrast({0x76, 0x76, 0x76}, {255, 255, 255}), 4.54, 0.01);
  EXPECT_EQ(to_hex({0x00, 0x72, 0xB2}), "#0072B2");
}

TEST(Palette, TextAndGraphicsReachTheirContrastInBothThemes) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const Colour canvas = colour(Role::canvas, theme);
    for (const Role role : {Role::text, Role::text_secondary, Role::problem}) {
      EXPECT_GE(contrast(colour(role, theme), canvas), kTextContrast) << static_cast<int>(role);
    }
    for (const Role role : {Role::owned, Role::rented, Role::hybrid, Role::fourth, Role::neutral, Role::control}) {
      EXPECT_GE(contrast(colour(role, theme), canvas), kGraphicContrast) << static_cast<int>(role);
    }
  }
}

TEST(Palette, NumbersInHeatMapsCanBeReadOnEveryShade) {
  for (int i = 0; i <= 100; ++i) {
    const Colour ground = cividis(i / 100.0);
    const double best = std::max(contrast(colour(Role::ink, Theme::light), ground),
                                 contrast(colour(Role::chalk, Theme::light), ground));
    EXPECT_GE(best, kTextContrast) << i;
  }
}

TEST(Palette, HeatMapsGetLighterAllTheWay) {
  EXPECT_EQ(to_hex(cividis(0)), "#002051");
  EXPECT_EQ(to_hex(cividis(1)), "#FDEA45");
  EXPECT_EQ(cividis(-3), cividis(0));
  for (int i = 1; i <= 100; ++i) EXPECT_GT(luminance(cividis(i / 100.0)), luminance(cividis((i - 1) / 100.0))) << i;
}

/// How two lines can be told apart on a grey print.
TEST(Palette, NeighbouringColoursAreToldApartByMoreThanColour) {
  // Luminance alone does not: that is why charts also give every series a dash, a marker or a label of its own.
  EXPECT_LT(contrast(colour(Role::owned, Theme::light), colour(Role::rented, Theme::light)), 1.7);
}

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks) out.push_back(tick.label);
  return out;
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_THAT(labels(linear_ticks(0, 1)), ::testing::ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(linear_ticks(0, 1642)), ::testing::ElementsAre("0", "500", "1,000", "1,500"));
  EXPECT_THAT(labels(month_ticks(36)), ::testing::ElementsAre("0", "6", "12", "18", "24", "30", "36"));
  EXPECT_THAT(labels(log_ticks(0.1, 10)), ::testing::ElementsAre("0.1", "0.3", "1", "3", "10"));
}

RC_GTEST_PROP(Ticks, LinearTicksAreEvenInsideAndNotTooMany, ()) {
  const double low = *rc::gen::inRange(-100000, 100000) / 37.0;
  const double span = std::pow(10.0, *rc::gen::inRange(-60, 60) / 10.0);
  const double high = low + span;
  const auto ticks = linear_ticks(low, high);
  RC_ASSERT(ticks.size() >= 2u);
  RC_ASSERT(ticks.size() <= 11u);
  const double step = ticks[1].value - ticks[0].value;
  RC_ASSERT(step > 0);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    RC_ASSERT(ticks[i].value >= low - 1e-6 * span);
    RC_ASSERT(ticks[i].value <= high + 1e-6 * span);
    if (i > 0) {
      RC_ASSERT(std::fabs(ticks[i].value - ticks[i - 1].value - step) <= 1e-6 * step + 1e-9 * std::fabs(high));
      RC_ASSERT(ticks[i].label != ticks[i - 1].label);
    }
  }
}

RC_GTEST_PROP(Ticks, LogTicksAscendInside, ()) {
  const double low = std::pow(10.0, *rc::gen::inRange(-50, 50) / 10.0);
  const double high = low * std::pow(10.0, *rc::gen::inRange(1, 90) / 10.0);
  const auto ticks = log_ticks(low, high);
  RC_ASSERT(ticks.size() >= 2u);
  RC_ASSERT(ticks.size() <= 12u);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    RC_ASSERT(ticks[i].value >= low * (1 - 1e-6));
    RC_ASSERT(ticks[i].value <= high * (1 + 1e-6));
    if (i > 0) RC_ASSERT(ticks[i].value > ticks[i - 1].value);
  }
}

RC_GTEST_PROP(Ticks, ZeroBasedAxisCoversItsValue, ()) {
  const double high = std::pow(10.0, *rc::gen::inRange(-80, 80) / 10.0);
  const Range range = from_zero(high);
  RC_ASSERT(range.low == 0);
  RC_ASSERT(range.high >= high * (1 - 1e-9));
  RC_ASSERT(range.high <= high * 2.5);
}

RC_GTEST_PROP(Ticks, LogRangeCoversItsEnds, ()) {
  const double low = std::pow(10.0, *rc::gen::inRange(-60, 60) / 10.0);
  const double high = low * (1 + *rc::gen::inRange(0, 1000) / 10.0);
  const Range range = log_range(low, high);
  RC_ASSERT(range.low <= low * (1 + 1e-9));
  RC_ASSERT(range.high >= high * (1 - 1e-9));
  RC_ASSERT(range.low < range.high);
}

RC_GTEST_PROP(Layout, SpreadKeepsLabelsApart, ()) {
  const auto wanted = *rc::gen::container<std::vector<double>>(
      4, rc::gen::map(rc::gen::inRange(0, 3000), [](int v) { return v / 10.0; }));
  auto placed = spread(wanted, 15, 0, 300);
  std::sort(placed.begin(), placed.end());
  for (std::size_t i = 1; i < placed.size(); ++i) RC_ASSERT(placed[i] - placed[i - 1] >= 15 - 1e-9);
  RC_ASSERT(placed.front() >= -1e-9);
  RC_ASSERT(placed.back() <= 300 + 1e-9);
}

TEST(Layout, ALineLeavingThePlotEndsAtItsEdge) {
  const Frame frame(Rect{0, 0, 100, 100, {}, {}, 0}, {{1, 10}, {}, "", true}, {{0.001, 1}, {}, "", true});
  const auto lines = frame.lines({{1, 1}, {2, 0.1}, {4, 0.0001}, {5, 0}});
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].size(), 3u);
  EXPECT_NEAR(lines[0].back().y, 100, 1e-6);
  EXPECT_GT(lines[0].back().x, frame.x(2));
  EXPECT_LT(lines[0].back().x, frame.x(4));
}

TEST(Layout, AShareOfZeroDropsToTheAxis) {
  const Frame frame(Rect{0, 0, 100, 100, {}, {}, 0}, {{1, 10}, {}, "", true}, {{0.001, 1}, {}, "", true});
  const auto lines = frame.lines({{1, 1}, {2, 0.1}, {4, 0}, {5, 0}});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(lines[0].back().y, 100, 1e-6);
  EXPECT_NEAR(lines[0].back().x, frame.x(4), 1);
}

CostOverTime cost_data() {
  CostOverTime data;
  data.currency = "USD";
  data.curves = {{"1 owned", Role::owned, Dash::solid, {100'000, 110'000, 120'000, 130'000}, true},
                 {"2 rented <&>", Role::rented, Dash::dashed, {0, 60'000, 120'000, 180'000}, false}};
  data.break_even = BreakEven{2, 120'000, "Owning pays back in month 2"};
  return data;
}

TEST(Svg, EveryChartIsWellFormedAndNamed) {
  LoadChart load;
  load.begin_s = {0, 60, 120};
  load.end_s = 180;
  load.arrivals_per_s = {1, 3, 2};
  load.busy_share = {0.2, 0.9, 0.5};
  TailChart tail;
  tail.latency_name = "Time to first token";
  tail.limit_s = 1;
  tail.limit_label = "misses SLO";
  tail.curves = {{"1 A100", Role::neutral, Dash::solid, {{0.1, 1}, {0.5, 0.2}, {2, 0.0}}, true}};
  ScatterChart scatter;
  scatter.currency = "USD";
  scatter.latency_name = "TTFT P99";
  scatter.cost_name = "TCO";
  scatter.limit_s = 1;
  for (const Shape shape : {Shape::circle, Shape::square, Shape::diamond, Shape::triangle_down, Shape::triangle_up,
                            Shape::pentagon, Shape::cross}) {
    scatter.points.push_back(
        {"1", 0.4 + 0.1 * static_cast<int>(shape), 1000, shape, Role::owned, shape == Shape::cross, false, true});
  }
  BarChart bars{"Option 1 (USD)", "USD", {{"Servers", 200'000}, {"Resale", -40'000}}, Role::owned};
  for (const Scene& scene : {cumulative_cost(cost_data(), {}), latency_tail(tail, {}),
                             cost_against_latency(scatter, {}), cost_parts({bars}, {})[0], load_over_run(load, {})}) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const std::string svg = to_svg(scene, "a", theme);
      MarkupCheck check(svg);
      EXPECT_EQ(check.problem(), "");
      EXPECT_THAT(svg, HasSubstr("<title id=\"a-title\">" + scene.title));
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
    EXPECT_FALSE(scene.summary.empty()) << scene.title;
  }
}

TEST(Svg, BreakEvenRingStandsWhereTheCurvesCross) {
  const Scene scene = cumulative_cost(cost_data(), {});
  int rings = 0;
  for (const Primitive& item : scene.items) {
    if (const auto* circle = std::get_if<Circle>(&item)) {
      ++rings;
      // Month 2 of 3 lies at two thirds of the plot, between the curves' ends and the axis.
      EXPECT_GT(circle->centre.x, scene.width / 3);
      EXPECT_GT(circle->centre.y, kTitleHeight);
    }
  }
  EXPECT_EQ(rings, 1);
  EXPECT_THAT(scene.summary, HasSubstr("pays back in month 2"));
}

TEST(Svg, MarksStayInsideTheSheet) {
  const Scene scene = cumulative_cost(cost_data(), Layout{400, 240, Language::en, {}, {}});
  for (const Primitive& item : scene.items) {
    if (const auto* line = std::get_if<Polyline>(&item)) {
      for (const Point& p : line->points) {
        EXPECT_GE(p.x, 0);
        EXPECT_LE(p.x, scene.width);
        EXPECT_GE(p.y, 0);
        EXPECT_LE(p.y, scene.height);
      }
    }
  }
}

TEST(Bars, PanelsShareAScale) {
  const BarChart rented{"Rented", "USD", {{"Hours", 100}}, Role::rented};
  const BarChart owned{"Owned", "USD", {{"Servers with a long name", 300}, {"Resale", -75}}, Role::owned};
  std::vector<double> widths;
  for (const Scene& scene : cost_parts({rented, owned}, {})) {
    for (const Primitive& item : scene.items) {
      if (const auto* rect = std::get_if<Rect>(&item)) widths.push_back(rect->width);
    }
  }
  ASSERT_EQ(widths.size(), 3u);
  EXPECT_NEAR(widths[1], 3 * widths[0], 1e-9);
}

TEST(Bars, StartAtZeroAndACreditIsHollow) {
  const BarChart data{"Parts", "USD", {{"Servers", 300}, {"Energy", 150}, {"Resale", -75}}, Role::owned};
  std::vector<Rect> bars;
  const std::vector<Scene> scenes = cost_parts({data}, {});
  for (const Primitive& item : scenes[0].items) {
    if (const auto* rect = std::get_if<Rect>(&item)) bars.push_back(*rect);
  }
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_NEAR(bars[0].x, bars[1].x, 1e-9);
  EXPECT_NEAR(bars[0].width, 2 * bars[1].width, 1e-9);
  EXPECT_NEAR(bars[2].x + bars[2].width, bars[0].x, 1e-9);
  EXPECT_EQ(bars[2].fill.role, Role::canvas);
}

}  // namespace
}  // namespace weir::reports::charts
