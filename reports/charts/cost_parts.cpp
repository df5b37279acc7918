#include <algorithm>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kRow = 24, kBar = 12, kGap = 5;

std::string amount(double value, const std::string& currency) {
  return money_short(value, currency, Spelling::typographic);
}

/// Where names end, where zero is, and how long an amount is, in px.
struct BarLayout {
  double names = 0, zero = 0, per_unit = 0;
};

BarLayout layout_of(const std::vector<BarChart>& panels, double width) {
  double names = 0, values = 0, largest = 0, lowest = 0;
  for (const BarChart& panel : panels) {
    for (const Bar& bar : panel.bars) {
      names = std::max(names, text_width(bar.label, kTextSize));
      values = std::max(values, text_width(amount(bar.value, panel.currency), kTextSize));
      largest = std::max(largest, bar.value);
      lowest = std::min(lowest, bar.value);
    }
  }
  // A credit needs its own room left of zero, with its number.
  const double left = names + 10 + (lowest < 0 ? values + kGap : 0);
  const double room = std::max(20.0, width - left - values - 8);
  const double per_unit = largest > lowest ? room / (largest - lowest) : 0;
  return {names, left - lowest * per_unit, per_unit};
}

void draw_bar(Scene& scene, const BarChart& data, const Bar& bar, const BarLayout& layout, double y) {
  const double length = bar.value * layout.per_unit;
  const bool credit = bar.value < 0;
  const double end = layout.zero + length;
  const double text_y = y + kRow / 2 + 4;
  scene.add(Text{{layout.names, text_y}, bar.label, kTextSize, Anchor::end, Role::text, false, false});
  scene.add(Rect{std::min(layout.zero, end),
                 y + (kRow - kBar) / 2,
                 credit ? -length : length,
                 kBar,
                 {credit ? Role::canvas : data.role, 1},
                 {data.role, 1, Dash::solid},
                 0});
  scene.add(Text{{credit ? end - kGap : end + kGap, text_y},
                 amount(bar.value, data.currency),
                 kTextSize,
                 credit ? Anchor::end : Anchor::start,
                 Role::text,
                 false,
                 false});
  scene.summary += bar.label + ": " + money_short(bar.value, data.currency) + ". ";
}

}  // namespace

std::vector<Scene> cost_parts(const std::vector<BarChart>& panels, const Layout& outside) {
  const double width = outside.width;
  const BarLayout layout = layout_of(panels, width);
  std::vector<Scene> scenes;
  for (const BarChart& panel : panels) {
    Scene scene{width, 0, panel.title, "", {}, {}};
    draw_title(scene, panel.title);
    double y = kTitleHeight;
    for (const Bar& bar : panel.bars) {
      draw_bar(scene, panel, bar, layout, y);
      y += kRow;
    }
    scene.add(Line{{layout.zero, kTitleHeight - 2}, {layout.zero, y + 2}, {Role::control, 1, Dash::solid}});
    scene.height = y + 8;
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

}  // namespace weir::reports::charts
