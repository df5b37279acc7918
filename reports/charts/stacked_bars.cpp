#include "reports/charts/stacked_bars.h"

#include <algorithm>
#include <cmath>

#include "reports/charts/frame.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

double value_of(const StackPart& part, std::size_t bar) { return bar < part.values.size() ? part.values[bar] : 0; }

double total_of(const StackedBars& data, std::size_t bar) {
  double sum = 0;
  for (const StackPart& part : data.parts) sum += value_of(part, bar);
  return sum;
}

void draw_stacks(Scene& scene, const Frame& frame, const StackedBars& data) {
  for (std::size_t bar = 0; bar < data.labels.size(); ++bar) {
    const double from = std::max(frame.left(), frame.x(static_cast<double>(bar)));
    const double to = std::min(frame.right(), frame.x(static_cast<double>(bar + 1)));
    const double gap = std::clamp((to - from) * 0.12, 0.5, 8.0);
    const double left = std::round(from + gap);
    const double width = std::max(1.0, std::round(to - gap) - left);
    if (from >= to) continue;
    double base = 0;
    for (const StackPart& part : data.parts) {
      const double value = value_of(part, bar);
      const double low = std::round(frame.y(base));
      base += value;
      const double high = std::round(frame.y(base));
      // One pixel of canvas keeps parts apart.
      const double seam = base - value > 0 && low - high > 2 ? 1 : 0;
      draw_bar(scene, left, high, width, low - high - seam, part.role, part.hatch);
    }
  }
}

/// Bars' names below their middle, as many as there is room for at even steps.
Axis bar_axis(const StackedBars& data, const Layout& layout, double room) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, data.labels.size()));
  const Range all{0, count};
  const Range range = visible(all, layout.x_view);
  Axis axis{range, {}, data.x_title, false};
  if (layout.x_view) axis.all = all;
  double widest = 0;
  for (const std::string& label : data.labels) widest = std::max(widest, text_width(label, kTextSize));
  const double each = room / (range.high - range.low);
  std::size_t step = 1;
  for (const std::size_t candidate : {1, 2, 3, 4, 6, 12, 24, 48, 96, 192, 384, 768}) {
    step = candidate;
    if (static_cast<double>(candidate) * each >= widest + 8) break;
  }
  for (std::size_t i = 0; i < data.labels.size(); i += step) {
    const double at = static_cast<double>(i) + 0.5;
    if (at >= range.low && at <= range.high) axis.ticks.push_back({at, data.labels[i]});
  }
  return axis;
}

void draw_rule(Scene& scene, const Frame& frame, const Rule& rule) {
  const double y = frame.y(rule.value);
  if (!frame.shows({frame.left(), y})) return;
  scene.add(
      Line{{frame.left(), y}, {frame.right(), y}, {Role::text, kTargetPen, rule.dashed ? Dash::dotted : Dash::solid}});
  // Right of the plot, where no bar can be behind it.
  draw_end_labels(scene, frame, {{rule.value, rule.label, false}});
}

Plot plot_of(const StackedBars& data, const Frame& frame, double width) {
  Plot plot = frame.plot(true, false);
  plot.x_name = data.x_title;
  plot.y_name = data.title;
  plot.read_out = read_out_strip(data.title, width);
  plot.text_at = [data](Point at) {
    const auto bar = static_cast<std::size_t>(std::max(0.0, at.x));
    if (bar >= data.labels.size()) return std::string();
    const std::string unit = data.unit.empty() ? "" : "\u00a0" + data.unit;
    std::string text = data.labels[bar];
    for (const StackPart& part : data.parts) {
      text += "\u2003" + part.label + " " + trimmed(value_of(part, bar), 3, Spelling::typographic) + unit;
    }
    return text;
  };
  return plot;
}

}  // namespace

Scene stacked_bars(const StackedBars& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, data.title, "", {}, {}};
  const double legend_top = draw_title(scene, data.title, layout.width) - 6;
  std::vector<LegendItem> legend;
  for (const StackPart& part : data.parts) {
    legend.push_back({part.label, {part.role, 1, Dash::solid}, false, part.hatch});
  }
  const double top = legend_top + 6 + draw_legend(scene, legend, 0, legend_top, layout.width);
  const double height = layout.height - top - kFooterHeight;
  double most = 0;
  std::size_t highest = 0;
  for (std::size_t bar = 0; bar < data.labels.size(); ++bar) {
    if (total_of(data, bar) > most) {
      most = total_of(data, bar);
      highest = bar;
    }
  }
  const int wanted = ticks_for(height, 30);
  const double reach = std::max(most, data.rule ? data.rule->value : 0);
  Axis y = linear_axis(from_zero(reach, wanted), std::nullopt, wanted);
  const double left = label_width(y.ticks) + 8;
  const double right = data.rule ? std::ceil(text_width(data.rule->label, kTextSize)) + 14 : 12;
  const double width = layout.width - left - right;
  const Frame frame({left, top, width, height, {}, {}, 0}, bar_axis(data, layout, width), std::move(y));
  frame.draw_grid(scene);
  draw_stacks(scene, frame, data);
  if (data.rule) draw_rule(scene, frame, *data.rule);
  frame.draw_x_axis(scene);
  scene.summary = data.labels.empty() || most == 0
                      ? say(language, "There is nothing to draw.")
                      : say(language, "Highest at {label}: {total}.",
                            {{"label", data.labels[highest]},
                             {"total", trimmed(most, 3) + (data.unit.empty() ? "" : "\u00a0" + data.unit)}});
  scene.plots.push_back(plot_of(data, frame, layout.width));
  return scene;
}

}  // namespace weir::reports::charts
