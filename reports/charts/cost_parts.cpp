#include <algorithm>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/legend.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kRow = 24, kBar = 12, kGap = 5;

/// Where names end, where zero is, and how long an amount is, in px.
struct BarLayout {
  double names = 0, zero = 0, per_unit = 0;
  Language language = Language::en;
};

BarLayout layout_of(const std::vector<BarChart>& panels, const Layout& layout) {
  double names = 0, values = 0, largest = 0, lowest = 0;
  for (const BarChart& panel : panels) {
    for (const Bar& bar : panel.bars) {
      names = std::max(names, text_width(bar.label, kTextSize));
      values = std::max(values, text_width(money_text(bar.value, panel.currency, layout.language), kTextSize));
      largest = std::max(largest, bar.value);
      lowest = std::min(lowest, bar.value);
    }
  }
  // A credit needs its own room left of zero, with its number.
  const double left = names + 10 + (lowest < 0 ? values + kGap : 0);
  const double room = std::max(20.0, layout.width - left - values - 8);
  const double per_unit = largest > lowest ? room / (largest - lowest) : 0;
  return {names, left - lowest * per_unit, per_unit, layout.language};
}

void draw_row(Scene& scene, const BarChart& data, const Bar& bar, const BarLayout& layout, double y) {
  const double length = bar.value * layout.per_unit;
  const bool credit = bar.value < 0;
  const double end = layout.zero + length;
  const double text_y = y + kRow / 2 + 4;
  const std::string amount = money_text(bar.value, data.currency, layout.language);
  scene.add(Text{{layout.names, text_y}, bar.label, kTextSize, Anchor::end, Role::text, false, false});
  draw_bar(scene, std::min(layout.zero, end), y + (kRow - kBar) / 2, credit ? -length : length, kBar, data.role,
           credit ? Hatch::hollow : Hatch::none);
  scene.add(Text{{credit ? end - kGap : end + kGap, text_y},
                 amount,
                 kTextSize,
                 credit ? Anchor::end : Anchor::start,
                 Role::text,
                 false,
                 false});
  scene.summary += list_entry(layout.language, bar.label, amount);
}

/// Rows are read out whole, wherever in them the reader points.
Plot plot_of(const BarChart& data, const BarLayout& layout, const Scene& scene, double top, double bottom) {
  Plot plot;
  plot.area = {0, top, scene.width, bottom - top, {}, {}, 0};
  plot.x = plot.x_all = {0, scene.width, false};
  plot.y = plot.y_all = {static_cast<double>(data.bars.size()), 0, false};
  plot.y_name = data.title;
  plot.read_out = read_out_strip(data.title, scene.width);
  plot.text_at = [bars = data.bars, currency = data.currency, language = layout.language](Point at) {
    const auto row = static_cast<std::size_t>(std::max(0.0, at.y));
    if (row >= bars.size()) return std::string();
    return bars[row].label + "\u2003" + money_text(bars[row].value, currency, language);
  };
  return plot;
}

}  // namespace

std::vector<Scene> cost_parts(const std::vector<BarChart>& panels, const Layout& outside) {
  const BarLayout layout = layout_of(panels, outside);
  // Titles of the same number of lines, so that rows of panels side by side are level.
  double top = 0;
  for (const BarChart& panel : panels) {
    Scene scratch;
    top = std::max(top, draw_title(scratch, panel.title, outside.width));
  }
  std::vector<Scene> scenes;
  for (const BarChart& panel : panels) {
    Scene scene{outside.width, 0, panel.title, "", {}, {}};
    draw_title(scene, panel.title, outside.width);
    double y = top;
    for (const Bar& bar : panel.bars) {
      draw_row(scene, panel, bar, layout, y);
      y += kRow;
    }
    scene.add(Line{{layout.zero, top - 2}, {layout.zero, y + 2}, {Role::control, 1, Dash::solid}});
    scene.height = y + 8;
    scene.plots.push_back(plot_of(panel, layout, scene, top, y));
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

}  // namespace weir::reports::charts
