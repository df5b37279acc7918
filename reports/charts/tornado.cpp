#include "reports/charts/tornado.h"

#include <algorithm>
#include <cmath>

#include "reports/charts/frame.h"
#include "reports/charts/legend.h"
#include "reports/charts/money_axis.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kRow = 34, kBar = 10, kGap = 5;

struct Parts {
  MoneyScale scale;
  int decimals = 0;
  double zero = 0, per_unit = 0;  ///< px
};

std::string change_text(double change, const Parts& parts) {
  const std::string digits = grouped_fixed(change / parts.scale.divisor, parts.decimals, Spelling::typographic);
  return (change > 0 ? "+" : "") + digits;
}

Parts parts_of(const Tornado& data, const Layout& layout) {
  double largest = 0, low = 0, high = 0;
  for (const Swing& swing : data.swings) {
    for (const double change : {swing.low, swing.high}) {
      largest = std::max(largest, std::fabs(change));
      low = std::min(low, change);
      high = std::max(high, change);
    }
  }
  Parts parts;
  if (!data.currency.empty()) parts.scale = money_scale(largest, data.currency, layout.language);
  // The largest swing is written with three digits at most, the others with the same decimals.
  const double shown = largest / parts.scale.divisor;
  parts.decimals = shown >= 100 || shown == 0 ? 0 : shown >= 10 ? 1 : 2;
  double numbers = 0;
  for (const Swing& swing : data.swings) {
    for (const double change : {swing.low, swing.high}) {
      numbers = std::max(numbers, text_width(change_text(change, parts), kTextSize));
    }
  }
  const double room = std::max(20.0, layout.width - 2 * (numbers + kGap) - 4);
  parts.per_unit = high > low ? room / (high - low) : 0;
  parts.zero = std::round(numbers + kGap - low * parts.per_unit);
  return parts;
}

/// One bar from zero with its number beyond its end.
void draw_change(Scene& scene, const Parts& parts, double change, double y, double height, Hatch hatch) {
  const double end = std::round(parts.zero + change * parts.per_unit);
  const bool left = change < 0;
  draw_bar(scene, std::min(parts.zero, end), y, std::fabs(end - parts.zero), height, Role::text_secondary, hatch);
  if (change == 0) return;
  scene.add(Text{{left ? end - kGap : end + kGap, y + height / 2 + 4},
                 change_text(change, parts),
                 kTextSize,
                 left ? Anchor::end : Anchor::start,
                 Role::text_secondary,
                 false,
                 false});
}

/// Where both ends of an input move the result the same way, the longer bar lies behind the shorter one.
void draw_swing(Scene& scene, const Parts& parts, const Swing& swing, double y) {
  scene.add(Text{{0, y + 11}, swing.label, kTextSize, Anchor::start, Role::text, false, false});
  const double bar = y + 17;
  const bool same_side = swing.low * swing.high > 0;
  if (!same_side) {
    draw_change(scene, parts, swing.low, bar, kBar, Hatch::hollow);
    draw_change(scene, parts, swing.high, bar, kBar, Hatch::none);
    return;
  }
  const bool low_is_longer = std::fabs(swing.low) > std::fabs(swing.high);
  draw_change(scene, parts, low_is_longer ? swing.low : swing.high, bar, kBar,
              low_is_longer ? Hatch::hollow : Hatch::none);
  const double shorter = low_is_longer ? swing.high : swing.low;
  const double end = std::round(parts.zero + shorter * parts.per_unit);
  draw_bar(scene, std::min(parts.zero, end), bar + 3, std::fabs(end - parts.zero), kBar - 6,
           low_is_longer ? Role::text_secondary : Role::canvas, Hatch::none);
}

Plot plot_of(const Tornado& data, const Layout& layout, const Parts& parts, const Rect& area, const Rect& strip) {
  Plot plot;
  plot.area = area;
  plot.x = plot.x_all = {(area.x - parts.zero) / std::max(1e-300, parts.per_unit),
                         (area.x + area.width - parts.zero) / std::max(1e-300, parts.per_unit), false};
  plot.y = plot.y_all = {static_cast<double>(data.swings.size()), 0, false};
  plot.y_name = data.title;
  plot.read_out = strip;
  plot.text_at = [data, language = layout.language, parts](Point at) {
    const auto row = static_cast<std::size_t>(std::max(0.0, at.y));
    if (row >= data.swings.size()) return std::string();
    const Swing& swing = data.swings[row];
    const auto end = [&](const std::string& input, double change) {
      return (input.empty() ? "" : input + ": ") + change_text(change, parts);
    };
    return swing.label + "\u2003" + say(language, "input low") + " " + end(swing.low_input, swing.low) + "\u2003" +
           say(language, "input high") + " " + end(swing.high_input, swing.high);
  };
  return plot;
}

}  // namespace

Scene tornado(const Tornado& data, const Layout& layout) {
  const Language language = layout.language;
  const Parts parts = parts_of(data, layout);
  const std::string title = parts.scale.unit.empty() ? data.title : with_unit(language, data.title, parts.scale.unit);
  Scene scene{layout.width, 0, title, "", {}, {}};
  const double top = draw_title(scene, title, layout.width) - 6;
  double y = top;
  for (const Swing& swing : data.swings) {
    draw_swing(scene, parts, swing, y);
    scene.summary +=
        list_entry(language, swing.label, change_text(swing.low, parts) + " / " + change_text(swing.high, parts));
    y += kRow;
  }
  if (data.swings.empty()) {
    scene.summary = say(language, "There is nothing to draw.");
  } else {
    // In pieces between the names, so that the zero line crosses none of them.
    for (std::size_t i = 0; i < data.swings.size(); ++i) {
      const double row = top + static_cast<double>(i) * kRow;
      const bool crosses = text_width(data.swings[i].label, kTextSize) + 3 > parts.zero;
      scene.add(Line{
          {parts.zero + 0.5, crosses ? row + 15 : row}, {parts.zero + 0.5, row + kRow}, {Role::text, 1, Dash::solid}});
    }
  }
  const double legend_top = y + 6;
  const double legend = draw_legend(
      scene,
      {{say(language, "input at its low end"), {Role::text_secondary, 1, Dash::solid}, false, Hatch::hollow},
       {say(language, "input at its high end"), {Role::text_secondary, 1, Dash::solid}, false, Hatch::none}},
      0, legend_top, layout.width);
  scene.height = legend_top + legend + 6;
  scene.plots.push_back(
      plot_of(data, layout, parts, {0, top, layout.width, y - top, {}, {}, 0}, read_out_strip(title, layout.width)));
  return scene;
}

}  // namespace weir::reports::charts
