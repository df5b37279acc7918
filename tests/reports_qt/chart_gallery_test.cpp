#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <filesystem>
#include <fstream>

#include "chart_samples.h"
#include "reports/charts/read_out.h"
#include "reports/qt/paint_scene.h"

/// Every chart in both themes, both languages and several sizes: written as pictures to look at, and checked for what a
/// machine can see: nothing outside the sheet, no text on another.
namespace weir::reports::qt {
namespace {

using charts::Layout;
using charts::Scene;
using charts::Theme;
using charts::testing::SampleChart;

struct Size {
  double width, height;
};
constexpr Size kSizes[] = {{326, 220}, {540, 300}, {900, 420}};

std::string described(const SampleChart& chart, Language language, const Size& size) {
  return chart.name + " " + std::string(code_of(language)) + " " + std::to_string(static_cast<int>(size.width));
}

template <class Check>
void for_every_chart(const Check& check) {
  ensure_application();
  for (const Language language : {Language::en, Language::zh_CN}) {
    for (const SampleChart& chart : charts::testing::every_chart(language)) {
      for (const Size& size : kSizes) {
        const Scene scene = chart.draw({size.width, size.height, language, {}, {}});
        check(scene, described(chart, language, size));
      }
    }
  }
}

/// Both by what they are painted with: a box around the letters, not around the line.
QRectF text_box(const charts::Text& text) {
  const QFontMetricsF metrics(text_font(text.size, text.bold, Medium::screen));
  const QString words = QString::fromStdString(text.text);
  const double width = metrics.horizontalAdvance(words);
  const double left = text.anchor == charts::Anchor::start ? text.at.x
                      : text.anchor == charts::Anchor::end ? text.at.x - width
                                                           : text.at.x - width / 2;
  QRectF box = metrics.tightBoundingRect(words);
  box.translate(left, text.at.y);
  return box;
}

std::vector<charts::Text> texts(const Scene& scene) {
  std::vector<charts::Text> out;
  for (const charts::Primitive& item : scene.items) {
    if (const auto* text = std::get_if<charts::Text>(&item)) out.push_back(*text);
  }
  return out;
}

TEST(Gallery, NoTextLiesOnAnother) {
  for_every_chart([](const Scene& scene, const std::string& what) {
    const auto all = texts(scene);
    EXPECT_GT(all.size(), 3u) << what;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        EXPECT_FALSE(text_box(all[i]).intersects(text_box(all[j])))
            << what << ": \"" << all[i].text << "\" and \"" << all[j].text << "\"";
      }
    }
  });
}

TEST(Gallery, NothingIsPaintedOutsideTheSheet) {
  constexpr int kMargin = 40;
  for_every_chart([](const Scene& scene, const std::string& what) {
    QImage image(static_cast<int>(scene.width) + 2 * kMargin, static_cast<int>(scene.height) + 2 * kMargin,
                 QImage::Format_RGB32);
    image.fill(Qt::magenta);
    const QRgb untouched = image.pixel(0, 0);
    {
      QPainter painter(&image);
      painter.translate(kMargin, kMargin);
      paint_scene(painter, scene, Theme::light);
    }
    const QRect sheet(kMargin, kMargin, static_cast<int>(scene.width), static_cast<int>(std::ceil(scene.height)));
    int outside = 0;
    QRect painted;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixel(x, y) == untouched) continue;
        painted |= QRect(x, y, 1, 1);
        if (!sheet.contains(x, y)) ++outside;
      }
    }
    EXPECT_EQ(outside, 0) << what << " painted " << painted.x() - kMargin << "," << painted.y() - kMargin << " to "
                          << painted.right() - kMargin << "," << painted.bottom() - kMargin;
    // A chart that leaves most of its sheet bare has lost something.
    EXPECT_GT(painted.width(), scene.width * 0.8) << what;
    EXPECT_GT(painted.height(), scene.height * 0.8) << what;
  });
}

TEST(Gallery, EveryChartSaysWhatItShowsAndCanBeRead) {
  for_every_chart([](const Scene& scene, const std::string& what) {
    EXPECT_FALSE(scene.title.empty()) << what;
    EXPECT_FALSE(scene.summary.empty()) << what;
    ASSERT_FALSE(scene.plots.empty()) << what;
    for (const charts::Plot& plot : scene.plots) {
      const auto read =
          charts::read_out(scene, {plot.area.x + plot.area.width * 0.6, plot.area.y + plot.area.height * 0.52});
      ASSERT_TRUE(read.has_value()) << what;
      EXPECT_FALSE(read->line.empty()) << what;
    }
  });
}

TEST(Gallery, PicturesToLookAt) {
  ensure_application();
  const std::filesystem::path folder = std::filesystem::path(WEIR_BINARY_DIR) / "gallery";
  std::filesystem::create_directories(folder);
  for (const Theme theme : {Theme::light, Theme::dark}) {
    for (const Language language : {Language::en, Language::zh_CN}) {
      for (const SampleChart& chart : charts::testing::every_chart(language)) {
        for (const Size& size : kSizes) {
          const Scene scene = chart.draw({size.width, size.height, language, {}, {}});
          const std::string name = chart.name + "-" + std::to_string(static_cast<int>(size.width)) +
                                   (theme == Theme::light ? "-light-" : "-dark-") + std::string(code_of(language)) +
                                   ".png";
          const std::string bytes = scene_png(scene, theme, 2);
          EXPECT_GT(bytes.size(), 3000u) << name;
          std::ofstream(folder / name, std::ios::binary) << bytes;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::reports::qt
