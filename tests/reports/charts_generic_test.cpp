#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "markup_check.h"
#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/labels.h"
#include "reports/charts/money_axis.h"
#include "reports/charts/svg.h"

namespace weir::reports::charts {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> words(const Scene& scene) {
  std::vector<std::string> out;
  for (const Primitive& item : scene.items) {
    if (const auto* text = std::get_if<Text>(&item)) out.push_back(text->text);
  }
  return out;
}

std::vector<Rect> bars(const Scene& scene) {
  std::vector<Rect> out;
  for (const Primitive& item : scene.items) {
    if (const auto* rect = std::get_if<Rect>(&item)) out.push_back(*rect);
  }
  return out;
}

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> out;
  for (const Tick& tick : axis.ticks) out.push_back(tick.label);
  return out;
}

TEST(Money, IsWrittenAsTheLanguageCounts) {
  EXPECT_EQ(money_text(835'200, "USD", Language::en), "$835k");
  EXPECT_EQ(money_text(835'200, "USD", Language::zh_CN), "83.5\u00a0万美元");
  EXPECT_EQ(money_text(-61'000, "CNY", Language::zh_CN), "\u22126.10\u00a0万元");
  EXPECT_EQ(money_text(123'400'000, "EUR", Language::zh_CN), "1.23\u00a0亿欧元");
  EXPECT_EQ(money_text(8'352, "USD", Language::zh_CN), "8,352\u00a0美元");
  EXPECT_EQ(money_text(0.417, "USD", Language::zh_CN), "0.417\u00a0美元");
  EXPECT_EQ(money_label(1'642'000, "USD", Language::zh_CN), "164.2\u00a0万");
  EXPECT_EQ(money_scale(1.6e6, "USD", Language::zh_CN).unit, "万美元");
  EXPECT_EQ(money_scale(1.6e6, "USD", Language::zh_CN).divisor, 1e4);
  EXPECT_EQ(money_scale(1.6e6, "USD", Language::en).unit, "thousand USD");
  EXPECT_EQ(money_scale(3e6, "USD", Language::en).unit, "million USD");
  EXPECT_EQ(money_scale(3e8, "CNY", Language::zh_CN).unit, "亿元");
}

TEST(Axes, MoneyTicksAreRoundInTheLanguageOfTheReader) {
  const Range all{0, 2e6};
  EXPECT_THAT(labels(money_axis(all, {}, money_scale(1.6e6, "USD", Language::en), 5)),
              ElementsAre("0", "500", "1,000", "1,500", "2,000"));
  const Axis chinese = money_axis(all, {}, money_scale(1.6e6, "USD", Language::zh_CN), 5);
  EXPECT_THAT(labels(chinese), ElementsAre("0", "50", "100", "150", "200"));
  EXPECT_NEAR(chinese.ticks[1].value, 500'000, 1e-6);
}

TEST(Axes, TimeIsDividedAsClocksAre) {
  EXPECT_THAT(labels(time_axis({0, 86'400}, {}, 5, Language::en)), ElementsAre("0", "6", "12", "18", "24"));
  EXPECT_EQ(time_axis({0, 86'400}, {}, 5, Language::en).title, "Hour of the run");
  EXPECT_THAT(labels(clock_axis({0, 86'400}, {}, 5, "")), ElementsAre("00:00", "06:00", "12:00", "18:00", "24:00"));
  EXPECT_THAT(labels(clock_axis({0, 86'400}, Range{40'000, 42'000}, 4, "")),
              ElementsAre("11:10", "11:20", "11:30", "11:40"));
  EXPECT_THAT(labels(month_axis(36, Range{6, 12}, 6, Language::en)), ElementsAre("6", "7", "8", "9", "10", "11", "12"));
  EXPECT_THAT(labels(month_axis(36, {}, 6, Language::en)), ElementsAre("0", "6", "12", "18", "24", "30", "36"));
}

TEST(Axes, AViewIsCutToTheData) {
  EXPECT_EQ(visible({0, 10}, Range{-5, 4}).low, 0);
  EXPECT_EQ(visible({0, 10}, Range{-5, 4}).high, 4);
  EXPECT_EQ(visible({0, 10}, Range{20, 30}).high, 10);  // nothing of it is there: everything is shown
  EXPECT_EQ(visible({0, 10}, Range{4, 4}).low, 0);
}

TEST(Text, WrapsBetweenWordsAndHanCharacters) {
  for (const std::string& line : wrap("Arrivals (requests per second; line: mean of each minute)", 120, 11)) {
    EXPECT_LE(text_width(line, 11), 120) << line;
  }
  const auto lines = wrap("到达速率（请求/秒；曲线为每分钟均值，色带为 P10–P90）", 110, 11);
  EXPECT_GT(lines.size(), 2u);
  std::string together;
  for (const std::string& line : lines) {
    EXPECT_LE(text_width(line, 11), 110 + 11) << line;  // closing punctuation may hang
    EXPECT_FALSE(line.starts_with("，") || line.starts_with("）") || line.starts_with("；")) << line;
    EXPECT_FALSE(line.ends_with("（")) << line;
    together += line;
  }
  EXPECT_THAT(together, HasSubstr("到达速率（请求/秒；曲线"));
}

TEST(Text, ALabelAvoidsOtherTexts) {
  Scene scene{200, 100, "", "", {}, {}};
  scene.add(Text{{60, 50}, "taken", 11, Anchor::start, Role::text, false, false});
  const Text style{{}, "", 11, Anchor::start, Role::text, false, false};
  const Box sheet{0, 0, 200, 100};
  ASSERT_TRUE(place_text(scene, style, {"new"}, {{{62, 52}, Anchor::start}, {{62, 80}, Anchor::start}}, sheet));
  EXPECT_EQ(std::get<Text>(scene.items.back()).at.y, 80);
  // Nowhere free: nothing is added.
  EXPECT_FALSE(place_text(scene, style, {"new"}, {{{62, 52}, Anchor::start}, {{190, 20}, Anchor::start}}, sheet));
  EXPECT_EQ(scene.items.size(), 2u);
}

TEST(Histogram, CountsEveryValueOnce) {
  const std::vector<double> edges = bin_edges(0, 10, 5, false);
  EXPECT_THAT(edges, ElementsAre(0, 2, 4, 6, 8, 10));
  // 2 stands in the second bin, 10 in the last one, 11 in none.
  EXPECT_THAT(bin_shares({1, 2, 3.9, 10, 11}, edges), ElementsAre(0.2, 0.4, 0, 0, 0.2));
  const auto log = bin_edges(1, 100, 2, true);
  EXPECT_NEAR(log[1], 10, 1e-12);
}

TEST(Histogram, TheLastLabelOfTheAxisStaysOnTheSheet) {
  Histogram data;
  data.title = "Requests by input tokens (%)";
  data.x_title = "Input tokens";
  data.edges = {0, 1000, 2000, 3000};
  data.shares = {0.2, 0.5, 0.3};
  const Scene scene = histogram(data, {});
  bool found = false;
  for (const Primitive& item : scene.items) {
    const auto* text = std::get_if<Text>(&item);
    if (text == nullptr || text->text != "3,000") continue;
    found = true;
    EXPECT_LE(text->at.x + text_width(text->text, text->size) / 2, scene.width);
  }
  EXPECT_TRUE(found);
}

TEST(Histogram, BarsStandOnZeroAndAreAsHighAsTheirShares) {
  Histogram data{"By tokens (%)", "Tokens", "tokens", {0, 10, 20, 30}, {0.5, 0.25, 0.25}, false, {}, Role::neutral};
  data.rules = {{5, "P50 5", false}, {29, "P99 29", true}};
  const Scene scene = histogram(data, {400, 240, Language::en, {}, {}});
  const auto drawn = bars(scene);
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_NEAR(drawn[0].height, 2 * drawn[1].height, 1);
  EXPECT_NEAR(drawn[0].y + drawn[0].height, drawn[1].y + drawn[1].height, 1e-9);
  EXPECT_THAT(words(scene), Contains("P50 5"));
  EXPECT_THAT(words(scene), Contains("P99 29"));
}

TEST(Stacks, PartsAddUp) {
  const StackedBars data{"Cards",
                         "cards",
                         "Hour",
                         {"00"},
                         {{"owned", Role::owned, {6}, Hatch::none}, {"rented", Role::rented, {2}, Hatch::none}},
                         {}};
  const Scene scene = stacked_bars(data, {400, 240, Language::en, {}, {}});
  // Two samples of the legend, then the two parts of the bar.
  const auto drawn = bars(scene);
  ASSERT_EQ(drawn.size(), 4u);
  const Rect& owned = drawn[2];
  const Rect& rented = drawn[3];
  EXPECT_NEAR(rented.y + rented.height, owned.y, 1.01);  // but for the seam
  EXPECT_NEAR((owned.height + rented.height) / owned.height, 8.0 / 6, 0.03);
}

TEST(Tornado, LowIsHollowHighIsSolidFromOneZero) {
  const Tornado data{"What moves it", "USD", {{"price", -92'000, 132'000}, {"resale", 26'000, -24'000}}};
  const Scene scene = tornado(data, {400, 0, Language::en, {}, {}});
  const auto drawn = bars(scene);
  ASSERT_GE(drawn.size(), 4u);
  EXPECT_EQ(drawn[0].fill.role, Role::canvas);
  EXPECT_NEAR(drawn[0].x + drawn[0].width, drawn[1].x, 1e-9);
  EXPECT_NEAR(drawn[1].width / drawn[0].width, 132.0 / 92, 0.02);
  EXPECT_EQ(drawn[2].fill.role, Role::canvas);  // the low input moves this one up
  EXPECT_NEAR(drawn[2].x, drawn[1].x, 1e-9);
  EXPECT_THAT(words(scene), Contains("+132"));
  EXPECT_THAT(words(scene), Contains("\u221292"));
  EXPECT_THAT(words(scene), Contains("What moves it (thousand USD)"));
  EXPECT_THAT(words(tornado(data, {400, 0, Language::zh_CN, {}, {}})), Contains("What moves it（万美元）"));
}

TEST(HeatMap, ShadesFollowTheValues) {
  HeatMap data{"P99", "ms", "x", "y", {"a", "b"}, {"c", "d"}, {1, 10, 100, std::nan("")}};
  data.logarithmic = true;
  const auto cells = bars(heat_map(data, {400, 240, Language::en, {}, {}}));
  ASSERT_GT(cells.size(), 3u);
  EXPECT_NEAR(cells[0].fill.shade, 0, 1e-12);
  EXPECT_NEAR(cells[1].fill.shade, 0.5, 1e-12);
  EXPECT_NEAR(cells[2].fill.shade, 1, 1e-12);
}

TEST(Lines, GapsAndEmptyDataAreNoTrouble) {
  LineChart data;
  data.title = "Nothing";
  for (const XKind kind : {XKind::number, XKind::logarithmic, XKind::months, XKind::time, XKind::clock}) {
    data.x_kind = kind;
    data.series.clear();
    EXPECT_EQ(line_chart(data, {}).summary, "There is nothing to draw.");
    data.series.push_back({"", Role::neutral, Dash::solid, {{5, 3}}});
    const std::string svg = to_svg(line_chart(data, {}), "a");
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Lines, ANameWithMarkupStaysText) {
  LineChart data;
  data.title = "a < b & c";
  data.x_kind = XKind::number;
  data.series = {{"<one>", Role::owned, Dash::solid, {{0, 1}, {1, 2}}},
                 {"\"two\"", Role::rented, Dash::dashed, {{0, 2}, {1, 3}}}};
  reports::testing::MarkupCheck check(to_svg(line_chart(data, {}), "a"));
  EXPECT_EQ(check.problem(), "");
}

TEST(Language, EveryWordOfAChartIsTranslated) {
  TailChart tail;
  tail.latency_name = "TTFT";
  tail.limit_s = 1;
  tail.curves = {{"1", Role::neutral, Dash::solid, {{0.1, 1}, {0.5, 0.2}, {2, 0.001}}, true}};
  LoadChart load{{0, 60, 120}, 180, {1, 3, 2}, {0.2, 0.9, 0.5}, "1"};
  CostOverTime cost;
  cost.currency = "USD";
  cost.curves = {{"1", Role::owned, Dash::solid, {100'000, 110'000, 120'000}, true}};
  for (const Scene& scene :
       {latency_tail(tail, {540, 300, Language::zh_CN, {}, {}}), latency_cdf(tail, {540, 300, Language::zh_CN, {}, {}}),
        load_over_run(load, {540, 300, Language::zh_CN, {}, {}}),
        cumulative_cost(cost, {540, 300, Language::zh_CN, {}, {}})}) {
    std::vector<std::string> texts = words(scene);
    texts.push_back(scene.title);
    texts.push_back(scene.summary);
    for (const std::string& text : texts) {
      for (const char* english : {"Share", "Request", "request", "Month", "log scale", "Cumulative", "Arrivals", "run",
                                  "busy", "Target", "slower", "USD", "curve"}) {
        EXPECT_EQ(text.find(english), std::string::npos) << text;
      }
    }
  }
}

}  // namespace
}  // namespace weir::reports::charts
