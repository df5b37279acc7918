#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/read_out.h"
#include "reports/charts/view.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

/// 100 px wide from x = 50, 200 px high from y = 20.
Plot plot_with(Scale x, Scale y) {
  Plot plot;
  plot.area = {50, 20, 100, 200, {}, {}, 0};
  plot.x = plot.x_all = x;
  plot.y = plot.y_all = y;
  plot.zooms_x = plot.zooms_y = true;
  plot.x_text = [](double v) { return "x " + trimmed(v, 6); };
  plot.y_text = [](double v) { return trimmed(v, 6) + " u"; };
  return plot;
}

TEST(ReadOut, PixelsAndDataAreInverse) {
  const Plot linear = plot_with({0, 10, false}, {0, 400, false});
  EXPECT_NEAR(data_at(linear, {75, 120}).x, 2.5, 1e-12);
  EXPECT_NEAR(data_at(linear, {75, 120}).y, 200, 1e-12);  // half way up
  EXPECT_NEAR(pixel_at(linear, {2.5, 400}).x, 75, 1e-12);
  EXPECT_NEAR(pixel_at(linear, {2.5, 400}).y, 20, 1e-12);  // the top
  const Plot log = plot_with({0.1, 1000, true}, {0.001, 1, true});
  EXPECT_NEAR(data_at(log, {75, 120}).x, 1, 1e-12);  // a quarter of four decades from 0.1
  EXPECT_NEAR(data_at(log, {75, 120}).y, std::pow(10, -1.5), 1e-12);
  EXPECT_NEAR(pixel_at(log, {100, 0.01}).x, 125, 1e-9);
  EXPECT_NEAR(pixel_at(log, {100, 0.01}).y, 20 + 200 * 2.0 / 3, 1e-9);
}

TEST(ReadOut, ValuesStandOnTheDrawnLine) {
  ReadableSeries line{"a", {{0, 10}, {4, 30}, {8, 10}}};
  const Scale linear{0, 10, false};
  EXPECT_NEAR(*value_of(line, 1, linear, linear), 15, 1e-12);
  EXPECT_NEAR(*value_of(line, 8, linear, linear), 10, 1e-12);
  EXPECT_FALSE(value_of(line, 9, linear, linear));
  EXPECT_FALSE(value_of(line, -0.1, linear, linear));
  line.steps = true;
  EXPECT_NEAR(*value_of(line, 3.9, linear, linear), 10, 1e-12);
  EXPECT_NEAR(*value_of(line, 4, linear, linear), 30, 1e-12);
  // Straight on log-log paper: half way between 1 and 100 is 10, half way between 0.01 and 1 is 0.1.
  const ReadableSeries power{"b", {{1, 1}, {100, 0.01}}};
  EXPECT_NEAR(*value_of(power, 10, {1, 100, true}, {0.01, 1, true}), 0.1, 1e-12);
  const ReadableSeries gap{"c", {{0, 1}, {1, std::nan("")}, {2, 3}}};
  EXPECT_FALSE(value_of(gap, 0.5, linear, linear));
  EXPECT_FALSE(value_of(gap, 1.5, linear, linear));
  EXPECT_NEAR(*value_of(gap, 0, linear, linear), 1, 1e-12);
}

TEST(ReadOut, OneLineNamesEverySeries) {
  Scene scene{300, 240, "t", "", {}, {}};
  scene.plots.push_back(plot_with({0, 10, false}, {0, 400, false}));
  scene.plots[0].series = {{"a", {{0, 100}, {10, 200}}}, {"b", {{0, 0}, {2, 40}}}};
  const auto read = read_out(scene, {60, 100});  // x = 1
  ASSERT_TRUE(read);
  EXPECT_EQ(read->line,
            "x 1\u2003"
            "a 110 u\u2003"
            "b 20 u");
  EXPECT_NEAR(read->rule_x, 60, 1e-9);
  ASSERT_EQ(read->values.size(), 2u);
  EXPECT_NEAR(read->values[0].at.y, 20 + 200 * (1 - 110.0 / 400), 1e-9);
  // b has ended at x = 2.
  EXPECT_EQ(read_out(scene, {100, 100})->line,
            "x 5\u2003"
            "a 150 u");
  EXPECT_FALSE(read_out(scene, {40, 100}));
  EXPECT_FALSE(read_out(scene, {60, 10}));
}

TEST(ReadOut, MonthsAreReadWhole) {
  CostOverTime data;
  data.currency = "USD";
  data.curves = {{"owned", Role::owned, Dash::solid, {100'000, 110'000, 120'000, 130'000}, true},
                 {"rented", Role::rented, Dash::dashed, {0, 60'000, 120'000, 180'000}, false}};
  const Scene scene = cumulative_cost(data, {400, 240, Language::en, {}, {}});
  const Plot& plot = scene.plots.at(0);
  const Point near_two = pixel_at(plot, {2.3, 50'000});
  const auto read = read_out(scene, near_two);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->line, "Month 2\u2003owned $120k\u2003rented $120k");
  EXPECT_NEAR(read->rule_x, pixel_at(plot, {2, 0}).x, 1e-9);
  const Scene chinese = cumulative_cost(data, {400, 240, Language::zh_CN, {}, {}});
  EXPECT_EQ(read_out(chinese, pixel_at(chinese.plots.at(0), {1, 50'000}))->line,
            "第 1 个月\u2003owned 11.0\u00a0万美元\u2003rented 6.00\u00a0万美元");
}

TEST(ReadOut, OfStandingPointsTheNearestIsRead) {
  ScatterChart data;
  data.currency = "USD";
  data.latency_name = "TTFT P99";
  data.cost_name = "TCO";
  data.points = {{"1", 0.5, 100'000, Shape::circle, Role::owned, false, true, true},
                 {"2", 0.9, 200'000, Shape::square, Role::rented, true, false, true}};
  const Scene scene = cost_against_latency(data, {400, 240, Language::en, {}, {}});
  const Plot& plot = scene.plots.at(0);
  const Point one = pixel_at(plot, {0.5, 100'000});
  EXPECT_EQ(read_out(scene, {one.x + 9, one.y - 7})->line, "TTFT P99 500\u00a0ms\u2003Option 1 $100k");
  const Point two = pixel_at(plot, {0.9, 200'000});
  EXPECT_EQ(read_out(scene, {two.x - 5, two.y + 5})->line, "TTFT P99 900\u00a0ms\u2003Option 2, not eligible $200k");
}

TEST(ReadOut, BarsAndCellsAreReadWhole) {
  StackedBars bars{"Cards", "cards", "Hour", {"00", "01"}, {{"owned", Role::owned, {3, 8}, Hatch::none}}, {}};
  bars.parts.push_back({"rented", Role::rented, {0, 2.5}, Hatch::diagonal});
  const Scene stacks = stacked_bars(bars, {400, 240, Language::en, {}, {}});
  EXPECT_EQ(read_out(stacks, pixel_at(stacks.plots.at(0), {1.5, 1}))->line,
            "01\u2003owned 8\u00a0cards\u2003rented 2.5\u00a0cards");

  HeatMap map{"P99 (ms)", "ms", "Load", "Cards", {"5", "10"}, {"4", "8"}, {1, 2, 3, std::nan("")}};
  const Scene heat = heat_map(map, {400, 240, Language::en, {}, {}});
  EXPECT_EQ(read_out(heat, pixel_at(heat.plots.at(0), {0.5, 1.5}))->line,
            "Cards 8\u2003Load 5\u2003"
            "3\u00a0ms");
  EXPECT_EQ(read_out(heat, pixel_at(heat.plots.at(0), {1.5, 1.5}))->line, "Cards 8\u2003Load 10\u2003–");

  Histogram bins{"By tokens (%)", "Tokens", "tokens", {0, 10, 20}, {0.25, 0.75}, false, {}, Role::neutral};
  const Scene histogram_scene = histogram(bins, {400, 240, Language::en, {}, {}});
  EXPECT_EQ(read_out(histogram_scene, pixel_at(histogram_scene.plots.at(0), {15, 0.1}))->line,
            "10–20\u00a0tokens\u2003"
            "75.0\u00a0%");
}

TEST(ReadOut, TheLineStandsAboveThePlotAndTheRuleInIt) {
  CostOverTime data;
  data.currency = "USD";
  data.curves = {{"owned", Role::owned, Dash::solid, {100'000, 110'000, 120'000, 130'000}, true}};
  const Scene scene = cumulative_cost(data, {540, 300, Language::en, {}, {}});
  const Plot& plot = scene.plots.at(0);
  const Scene marks = read_out_marks(scene, *read_out(scene, pixel_at(plot, {1, 50'000})));
  int lines = 0, rings = 0, texts = 0;
  for (const Primitive& item : marks.items) {
    if (const auto* line = std::get_if<Line>(&item)) {
      ++lines;
      EXPECT_EQ(line->from.x, line->to.x);
      EXPECT_GE(line->from.y, plot.area.y);
    } else if (std::holds_alternative<Circle>(item)) {
      ++rings;
    } else if (const auto* text = std::get_if<Text>(&item)) {
      ++texts;
      EXPECT_LT(text->at.y, plot.area.y);
    }
  }
  EXPECT_EQ(lines, 1);
  EXPECT_EQ(rings, 1);
  EXPECT_EQ(texts, 1);
}

TEST(ReadOut, ALineTooLongForTheSheetLosesWholeFields) {
  Scene scene{300, 240, "t", "", {}, {}};
  scene.plots.push_back(plot_with({0, 10, false}, {0, 400, false}));
  for (const char* name : {"the first of them", "the second of them", "the third of them", "the fourth of them"}) {
    scene.plots[0].series.push_back({name, {{0, 100}, {10, 200}}});
  }
  const auto read = read_out(scene, {100, 100});
  const Scene marks = read_out_marks(scene, *read);
  const auto& text = std::get<Text>(marks.items.back());
  EXPECT_LE(text_width(text.text, text.size), 300);
  EXPECT_EQ(text.text, "x 5\u2003the first of them 150 u\u2003\u2026");
  EXPECT_THAT(read->line, ::testing::HasSubstr("the fourth of them 150 u"));
}

TEST(View, ZoomKeepsWhatIsUnderThePointer) {
  const Plot plot = plot_with({0, 100, false}, {1, 10'000, true});
  // A quarter from the left, half way up: x = 25 and y = 100 stay; the spans halve.
  const Layout zoomed = zoom_about({}, plot, {75, 120}, 2);
  ASSERT_TRUE(zoomed.x_view);
  EXPECT_NEAR(zoomed.x_view->low, 12.5, 1e-9);
  EXPECT_NEAR(zoomed.x_view->high, 62.5, 1e-9);
  ASSERT_TRUE(zoomed.y_view);
  EXPECT_NEAR(zoomed.y_view->low, 10, 1e-9);
  EXPECT_NEAR(zoomed.y_view->high, 1000, 1e-6);
  EXPECT_TRUE(has_view(zoomed));
  EXPECT_FALSE(has_view(reset_view(zoomed)));
  EXPECT_EQ(zoomed.width, Layout{}.width);
}

TEST(View, NeverLeavesTheData) {
  Plot plot = plot_with({40, 60, false}, {0, 1, false});
  plot.x_all = {0, 100, false};
  plot.y_all = plot.y;
  Layout layout;
  layout.x_view = Range{40, 60};
  // Out by 2 about the left edge: [40, 80].
  const Layout out = zoom_about(layout, plot, {50, 120}, 0.5);
  EXPECT_NEAR(out.x_view->low, 40, 1e-9);
  EXPECT_NEAR(out.x_view->high, 80, 1e-9);
  // Far out is everything, which is no view.
  EXPECT_FALSE(zoom_about(layout, plot, {50, 120}, 0.01).x_view);
  // The data follow the pointer: 50 px of 100 to the left is half of 20.
  EXPECT_NEAR(pan(layout, plot, -50, 0).x_view->low, 50, 1e-9);
  EXPECT_NEAR(pan(layout, plot, -50, 0).x_view->high, 70, 1e-9);
  // At the end of the data it stops with its width kept.
  const Layout end = pan(layout, plot, -1000, 0);
  EXPECT_EQ(end.x_view->high, 100);
  EXPECT_NEAR(end.x_view->low, 80, 1e-9);
  EXPECT_FALSE(end.y_view);
  // Not nearer than a thousandth.
  const Layout near = zoom_about(layout, plot, {100, 120}, 1e9);
  EXPECT_NEAR(near.x_view->high - near.x_view->low, 0.1, 1e-9);
}

TEST(View, AxesThatDoNotZoomStay) {
  Plot plot = plot_with({0, 1, false}, {0, 1, false});
  plot.zooms_y = false;
  const Layout zoomed = zoom_about({}, plot, {100, 120}, 4);
  EXPECT_TRUE(zoomed.x_view);
  EXPECT_FALSE(zoomed.y_view);
}

TEST(View, AZoomedChartShowsItsPartOnly) {
  CostOverTime data;
  data.currency = "USD";
  std::vector<double> amounts;
  for (int month = 0; month <= 36; ++month) amounts.push_back(10'000.0 * month);
  data.curves = {{"rented", Role::rented, Dash::solid, amounts, true}};
  data.break_even = BreakEven{30, 300'000, "pays back", Range{28, 32}};
  Layout layout{540, 300, Language::en, Range{6, 12}, Range{50'000, 150'000}};
  const Scene scene = cumulative_cost(data, layout);
  const Plot& plot = scene.plots.at(0);
  EXPECT_EQ(plot.x.low, 6);
  EXPECT_EQ(plot.x.high, 12);
  EXPECT_EQ(plot.x_all.high, 36);
  for (const Primitive& item : scene.items) {
    // The ring at month 30 is not in sight.
    EXPECT_FALSE(std::holds_alternative<Circle>(item));
    if (const auto* line = std::get_if<Polyline>(&item)) {
      for (const Point& p : line->points) {
        EXPECT_GE(p.x, plot.area.x - 1e-6);
        EXPECT_LE(p.x, plot.area.x + plot.area.width + 1e-6);
        EXPECT_GE(p.y, plot.area.y - 1e-6);
        EXPECT_LE(p.y, plot.area.y + plot.area.height + 1e-6);
      }
    }
  }
  // Back to everything through the plot's own scales.
  EXPECT_FALSE(has_view(zoom_about(layout, plot, {300, 100}, 1e-6)));
}

}  // namespace
}  // namespace weir::reports::charts
