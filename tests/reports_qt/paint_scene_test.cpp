#include "reports/qt/paint_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QBuffer>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <thread>

#include "chart_samples.h"
#include "reports/charts/svg.h"

namespace weir::reports::qt {
namespace {

using charts::Anchor;
using charts::Dash;
using charts::Role;
using charts::Scene;
using charts::Theme;

class PaintScene : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ensure_application(); }
};

/// The layout counts on widths that it knows without a font library.
TEST_F(PaintScene, TextIsAsWideAsTheLayoutThinks) {
  if (QFontInfo(text_font(11, false, Medium::screen)).family() != QStringLiteral("Noto Sans") || !has_han_font()) {
    GTEST_SKIP() << "Noto Sans and a Chinese font are not installed here: other fonts have other widths";
  }
  const char* texts[] = {"Cumulative cost (thousand USD)",
                         "Share of requests slower (log scale)",
                         "Owning pays back in month 11",
                         "0.25",
                         "1,000",
                         "−92.4",
                         "$1.64M",
                         "100 %",
                         "P10–P90: months 9–13",
                         "8 × H800",
                         "CN¥1.2M",
                         "Ill will, fifty!",
                         "WWW MMM @@@",
                         "累计成本（万美元）",
                         "超过该时延的请求占比（对数刻度）",
                         "混合方案第 11 个月回本",
                         "到达速率（请求/秒；曲线为每分钟均值，色带为 P10–P90）",
                         "首 token 时延 TTFT (s)，对数刻度",
                         "目标：≤ 1.0 s"};
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    for (const bool bold : {false, true}) {
      const QFontMetricsF metrics(text_font(11, bold, medium));
      for (const char* text : texts) {
        const double real = metrics.horizontalAdvance(QString::fromUtf8(text));
        const double estimate = charts::text_width(text, 11, bold);
        EXPECT_GE(estimate, real * 0.98) << text << (bold ? " bold" : "");
        EXPECT_LE(estimate, real * 1.15) << text << (bold ? " bold" : "");
      }
    }
  }
}

TEST_F(PaintScene, AThinLineIsOnePixelOfFullColour) {
  Scene scene{20, 20, "", "", {}, {}};
  scene.add(charts::Line{{2, 10.5}, {18, 10.5}, {Role::text, 1, Dash::solid}});
  scene.add(charts::Line{{5.5, 2}, {5.5, 18}, {Role::control, 1, Dash::solid}});
  const QRgb canvas = qRgb(255, 255, 255);
  for (const double scale : {1.0, 1.25, 2.0}) {
    const QImage image = scene_image(scene, Theme::light, scale);
    int rows = 0;
    const int x = image.width() / 2;
    for (int y = 0; y < image.height(); ++y) {
      if (image.pixel(x, y) == canvas) continue;
      EXPECT_EQ(image.pixel(x, y), qRgb(0x1C, 0x20, 0x24)) << "a blurred row at " << scale;
      ++rows;
    }
    EXPECT_EQ(rows, scale == 2 ? 2 : 1) << scale;
    int columns = 0;
    for (int at = 0; at < image.width(); ++at) {
      if (image.pixel(at, image.height() / 4) == canvas) continue;
      EXPECT_EQ(image.pixel(at, image.height() / 4), qRgb(0x86, 0x8D, 0x96)) << "a blurred column at " << scale;
      ++columns;
    }
    EXPECT_EQ(columns, scale == 2 ? 2 : 1) << scale;
  }
}

TEST_F(PaintScene, ThemesAndShadesAreThoseOfThePalette) {
  Scene scene{30, 10, "", "", {}, {}};
  scene.add(charts::Rect{0, 0, 10, 10, {Role::owned, 1}, {}, 0});
  scene.add(charts::Rect{10, 0, 10, 10, {Role::none, 1, 1.0}, {}, 0});
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const QImage image = scene_image(scene, theme);
    const auto expect = [&](int x, charts::Colour c) {
      EXPECT_EQ(image.pixel(x, 5), qRgb(c.red, c.green, c.blue)) << x;
    };
    expect(5, charts::colour(Role::owned, theme));
    expect(15, charts::cividis(1));
    expect(25, charts::colour(Role::canvas, theme));
  }
}

TEST_F(PaintScene, TextStandsWhereItsAnchorSays) {
  const auto inked = [](Anchor anchor) {
    Scene scene{200, 30, "", "", {}, {}};
    scene.add(charts::Text{{100, 20}, "mmmm 时延", 11, anchor, Role::text, false, true});
    const QImage image = scene_image(scene, Theme::light);
    std::pair<int, int> columns{image.width(), 0};
    for (int x = 0; x < image.width(); ++x) {
      for (int y = 0; y < image.height(); ++y) {
        if (qGray(image.pixel(x, y)) > 200) continue;
        columns.first = std::min(columns.first, x);
        columns.second = std::max(columns.second, x);
      }
    }
    return columns;
  };
  EXPECT_NEAR(inked(Anchor::start).first, 101, 2);
  EXPECT_NEAR(inked(Anchor::end).second, 99, 2);
  const auto middle = inked(Anchor::middle);
  EXPECT_NEAR((middle.first + middle.second) / 2.0, 100, 2);
}

TEST_F(PaintScene, TheSameSceneGivesTheSameFileInAnyThread) {
  for (const Language language : {Language::en, Language::zh_CN}) {
    const Scene scene = charts::cumulative_cost(charts::testing::sample_cost(language), {540, 300, language, {}, {}});
    const std::string here = scene_png(scene, Theme::light);
    std::string there;
    std::thread worker([&] { there = scene_png(scene, Theme::light); });
    worker.join();
    EXPECT_TRUE(here == there) << code_of(language);
    EXPECT_TRUE(here.starts_with("\x89PNG"));
    EXPECT_EQ(here.find("tIME"), std::string::npos);
    EXPECT_EQ(here.find("date:"), std::string::npos);
  }
}

TEST_F(PaintScene, ManyThreadsPaintAtOnce) {
  const auto charts = charts::testing::every_chart(Language::zh_CN);
  const charts::Layout layout{540, 300, Language::zh_CN, {}, {}};
  std::vector<std::string> one(charts.size()), many(charts.size());
  for (std::size_t i = 0; i < charts.size(); ++i) one[i] = scene_png(charts[i].draw(layout), Theme::dark, 1);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    workers.emplace_back([&, i] { many[i] = scene_png(charts[i].draw(layout), Theme::dark, 1); });
  }
  for (std::thread& worker : workers) worker.join();
  for (std::size_t i = 0; i < charts.size(); ++i) EXPECT_TRUE(one[i] == many[i]) << charts[i].name;
}

std::string pdf_of(const Scene& scene) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(1200);
    writer.setPageSize(QPageSize(QPageSize::A4));
    QPainter painter(&writer);
    painter.scale(1200 / 96.0, 1200 / 96.0);
    paint_scene(painter, scene, Theme::light);
  }
  return bytes.toStdString();
}

TEST_F(PaintScene, APdfHoldsVectorsAndItsFonts) {
  for (const auto& chart : charts::testing::every_chart(Language::zh_CN)) {
    const std::string pdf = pdf_of(chart.draw({540, 300, Language::zh_CN, {}, {}}));
    EXPECT_EQ(pdf.find("/Subtype /Image"), std::string::npos) << chart.name;
    EXPECT_NE(pdf.find("/FontFile"), std::string::npos) << chart.name;
    EXPECT_LT(pdf.size(), 400'000u) << chart.name;
  }
}

/// A million points must not make a large file.
TEST_F(PaintScene, AMillionPointsStaySmallOnPaper) {
  charts::LineChart data;
  data.title = "Many";
  charts::LineSeries series;
  for (int i = 0; i < 1'000'000; ++i) {
    series.points.push_back({static_cast<double>(i), std::sin(i * 0.001) + 0.1 * std::sin(i * 1.7)});
  }
  data.series.push_back(std::move(series));
  const Scene scene = charts::line_chart(data, {540, 300, Language::en, {}, {}});
  EXPECT_LT(pdf_of(scene).size(), 100'000u);
  EXPECT_LT(charts::to_svg(scene, "a").size(), 100'000u);
}

}  // namespace
}  // namespace weir::reports::qt
