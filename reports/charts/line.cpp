#include "reports/charts/line.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "reports/charts/frame.h"
#include "reports/charts/labels.h"
#include "reports/charts/legend.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

Range nothing() { return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}; }

void widen(Range& range, double value) {
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

/// Range of the values; on a logarithmic axis of the positive ones.
Range y_range(const std::vector<Point>& points, bool positive) {
  Range range = nothing();
  for (const Point& p : points) {
    if (std::isfinite(p.y) && (!positive || p.y > 0)) widen(range, p.y);
  }
  return range;
}

struct Extent {
  Range x = nothing(), y = nothing();
  std::vector<Range> series;  ///< y of each line itself, without its band

  /// x ascends, so that its ends say all.
  void add_x(const std::vector<Point>& points, bool positive) {
    const auto first = std::find_if(points.begin(), points.end(), [&](const Point& p) { return !positive || p.x > 0; });
    if (first == points.end()) return;
    widen(x, first->x);
    widen(x, points.back().x);
  }
  void add_y(const Range& range) {
    if (!(range.low <= range.high)) return;
    widen(y, range.low);
    widen(y, range.high);
  }
};

Extent extent_of(const LineChart& data) {
  const bool log_x = data.x_kind == XKind::logarithmic;
  Extent extent;
  for (const LineSeries& series : data.series) {
    extent.series.push_back(y_range(series.points, data.y_logarithmic));
    extent.add_y(extent.series.back());
    for (const auto* points : {&series.points, &series.low, &series.high}) extent.add_x(*points, log_x);
    for (const auto* points : {&series.low, &series.high}) extent.add_y(y_range(*points, data.y_logarithmic));
  }
  for (const Rule& rule : data.rules) extent.add_y({rule.value, rule.value});
  // Nothing to draw still gets axes; a single value gets some room around it.
  if (!(extent.x.low <= extent.x.high)) extent.x = {log_x ? 1.0 : 0.0, log_x ? 10.0 : 1.0};
  if (!(extent.y.low <= extent.y.high)) extent.y = {data.y_logarithmic ? 1.0 : 0.0, data.y_logarithmic ? 10.0 : 1.0};
  if (extent.x.low == extent.x.high) extent.x.high += extent.x.low == 0 ? 1 : std::fabs(extent.x.low);
  if (extent.y.low == extent.y.high) extent.y.high += extent.y.low == 0 ? 1 : std::fabs(extent.y.low);
  return extent;
}

Axis x_axis(const LineChart& data, const Range& all, const Layout& layout) {
  const int wanted = ticks_for(layout.width, 72, 8);
  switch (data.x_kind) {
    case XKind::logarithmic:
      return log_axis(all, layout.x_view, wanted, log_title(data.x_title, layout.language));
    case XKind::months:
      return month_axis(std::max(1, static_cast<int>(std::ceil(all.high))), layout.x_view, wanted, layout.language);
    case XKind::time:
      return time_axis(all, layout.x_view, wanted, layout.language);
    case XKind::clock:
      return clock_axis(all, layout.x_view, wanted, data.x_title);
    case XKind::number:
      break;
  }
  return linear_axis(all, layout.x_view, wanted, data.x_title);
}

Axis y_axis(const LineChart& data, const Range& values, const Layout& layout, double height) {
  if (data.y_logarithmic) {
    return log_axis(log_range(values.low, values.high), layout.y_view, ticks_for(height, 26));
  }
  const int wanted = ticks_for(height, 36);
  if (data.y_from_zero && values.low >= 0) return linear_axis(from_zero(values.high, wanted), layout.y_view, wanted);
  return linear_axis(round_range(values.low, values.high, wanted), layout.y_view, wanted);
}

/// How x is read out.
std::function<std::string(double)> x_reader(const LineChart& data, const Range& all, Language language) {
  switch (data.x_kind) {
    case XKind::months:
      return [language](double month) { return say(language, "Month {month}", {{"month", trimmed(month, 3)}}); };
    case XKind::clock:
      return [](double seconds) { return clock_text(seconds, false); };
    case XKind::time:
      return [language, unit = time_unit(all.high - all.low)](double at_s) {
        return say(language, unit.reading, {{"number", fixed(at_s / unit.seconds, unit.seconds > 1 ? 1 : 0)}});
      };
    case XKind::number:
    case XKind::logarithmic:
      break;
  }
  return [language, pattern = data.x_reading](double value) {
    const std::string number = trimmed(value, 3, Spelling::typographic);
    return pattern.empty() ? number : say(language, pattern, {{"value", number}});
  };
}

std::function<std::string(double)> y_reader(const std::string& unit) {
  return [unit](double value) {
    return significant(value, 3, Spelling::typographic) + (unit.empty() ? "" : "\u00a0" + unit);
  };
}

/// The value of the line where the plot ends.
std::optional<double> end_value(const LineSeries& series, double x_end) {
  std::optional<double> value;
  for (auto it = series.points.rbegin(); it != series.points.rend(); ++it) {
    if (!std::isfinite(it->y)) continue;
    value = it->y;
    if (it->x <= x_end) break;
  }
  return value;
}

void draw_rules(Scene& scene, const Frame& frame, const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    const double y = frame.y(rule.value);
    if (!frame.shows({frame.left(), y})) continue;
    scene.add(Line{
        {frame.left(), y}, {frame.right(), y}, {Role::text, kTargetPen, rule.dashed ? Dash::dotted : Dash::solid}});
  }
}

void draw_mark(Scene& scene, const Frame& frame, const PointMark& mark) {
  const Point at = frame.at(mark.at.x, mark.at.y);
  if (!frame.shows(at)) return;
  scene.add(Circle{at, 4, {Role::canvas, 1}, {Role::text, 1.5, Dash::solid}});
  std::vector<Place> places = {{{at.x + 10, at.y - 4}, Anchor::start}, {{at.x - 10, at.y - 4}, Anchor::end}};
  for (double away = 8; away < frame.bottom() - frame.top(); away += 4) {
    for (const double y : {at.y - away, at.y + away + 6}) {
      places.push_back({{at.x + 10, y}, Anchor::start});
      places.push_back({{at.x - 10, y}, Anchor::end});
      places.push_back({{at.x, y}, Anchor::middle});
      // At the sides of the plot the mark is harder to find.
      places.push_back({{frame.right() - 2, y}, Anchor::end, 5});
      places.push_back({{frame.left() + 6, y}, Anchor::start, 5});
    }
  }
  place_text(scene, Text{{}, "", kTextSize, Anchor::start, Role::text, true, true}, {mark.label}, places,
             {frame.left() + 2, frame.top() - 4, frame.right(), frame.bottom() - 2});
}

/// A line of more points than columns is a texture rather than a line: a fine pen shows its range better.
double pen_width(const LineSeries& series, const Frame& frame) {
  if (static_cast<double>(series.points.size()) > frame.right() - frame.left()) return 1;
  return series.chosen ? kChosenPen : kSeriesPen;
}

/// `kept`: of each series the points that can be told apart.
void draw_lines(Scene& scene, const Frame& frame, const LineChart& data, const std::vector<std::vector<Point>>& kept) {
  bool bands = false;
  for (const LineSeries& series : data.series) {
    if (series.low.empty() || series.high.empty()) continue;
    draw_band(scene, frame, series.low, series.high, series.role, series.steps);
    bands = true;
  }
  draw_rules(scene, frame, data.rules);
  for (const bool chosen : {false, true}) {
    for (std::size_t i = 0; i < data.series.size(); ++i) {
      const LineSeries& series = data.series[i];
      if (series.chosen != chosen) continue;
      const bool casing = bands && data.series.size() > 1 && series.points.size() <= kManyPoints;
      draw_series(scene, frame, kept[i], {series.role, pen_width(series, frame), series.dash}, series.steps, casing);
    }
  }
}

std::vector<EndLabel> right_labels(const LineChart& data, const Range& x, bool names) {
  std::vector<EndLabel> labels;
  for (const LineSeries& series : data.series) {
    const auto value = end_value(series, x.high);
    if (names && value && !series.label.empty()) labels.push_back({*value, series.label, series.chosen});
  }
  for (const Rule& rule : data.rules) {
    if (!rule.label.empty()) labels.push_back({rule.value, rule.label, false});
  }
  return labels;
}

std::string summary_of(const LineChart& data, const Extent& extent, Language language) {
  const auto text = y_reader(data.y_unit);
  std::string summary;
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    const auto [low, high] = extent.series[i];
    if (!(low <= high)) continue;
    const std::string& label = data.series[i].label;
    summary += label.empty() ? say(language, "From {low} to {high}. ", {{"low", text(low)}, {"high", text(high)}})
                             : list_entry(language, label, text(low) + " – " + text(high));
  }
  if (data.mark) summary += say(language, "Marked: {mark}.", {{"mark", data.mark->label}});
  return summary.empty() ? say(language, "There is nothing to draw.") : summary;
}

/// What a reader can ask of the chart.
Plot plot_of(const LineChart& data, const Frame& frame, std::vector<std::vector<Point>> kept, const Range& all,
             const Layout& layout) {
  Plot plot = frame.plot(true, data.x_kind == XKind::number || data.x_kind == XKind::logarithmic);
  plot.x_name = data.x_title.empty() ? frame.x_axis().title : data.x_title;
  plot.y_name = data.title;
  plot.read_out = read_out_strip(data.title, layout.width);
  plot.snaps_x = data.x_kind == XKind::months;
  plot.x_text = x_reader(data, all, layout.language);
  plot.y_text = y_reader(data.y_unit);
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    const LineSeries& series = data.series[i];
    plot.series.push_back({series.label, std::move(kept[i]), series.steps, false, series.role});
  }
  return plot;
}

}  // namespace

Scene line_chart(const LineChart& data, const Layout& layout) {
  const Extent extent = extent_of(data);
  Scene scene{layout.width, layout.height, data.title, summary_of(data, extent, layout.language), {}, {}};
  double top = draw_title(scene, data.title, layout.width);
  // Names stand at the ends of their lines; where they would take more than a third of the width, in a legend.
  double names_width = 0;
  std::vector<LegendItem> legend;
  for (const LineSeries& series : data.series) {
    if (series.label.empty()) continue;
    names_width = std::max(names_width, text_width(series.label, kTextSize, series.chosen));
    legend.push_back({series.label, {series.role, kSeriesPen, series.dash}, series.chosen});
  }
  const bool at_ends = names_width < layout.width / 3 && legend.size() > 1;
  if (!at_ends && legend.size() > 1) top += draw_legend(scene, legend, 0, top - 6, layout.width);
  const double height = layout.height - top - kFooterHeight;
  Axis x = x_axis(data, extent.x, layout);
  Axis y = y_axis(data, extent.y, layout, height);
  const std::vector<EndLabel> labels = right_labels(data, x.range, at_ends);
  double right = right_margin(x);
  for (const EndLabel& label : labels) {
    right = std::max(right, std::ceil(text_width(label.text, kTextSize, label.bold)) + 12);
  }
  const double left = label_width(y.ticks) + 8;
  const Frame frame({left, top, layout.width - left - right, height, {}, {}, 0}, std::move(x), std::move(y));

  std::vector<std::vector<Point>> kept;
  for (const LineSeries& series : data.series) kept.push_back(frame.kept(series.points));
  frame.draw_grid(scene);
  draw_lines(scene, frame, data, kept);
  frame.draw_x_axis(scene);
  draw_end_labels(scene, frame, labels);
  if (data.mark) draw_mark(scene, frame, *data.mark);
  scene.plots.push_back(plot_of(data, frame, std::move(kept), extent.x, layout));
  return scene;
}

}  // namespace weir::reports::charts
