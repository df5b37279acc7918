#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr std::size_t kMostCells = 240;

/// A stretch of the run in cells; each point is the begin of a cell and its mean, the last one the end of the run.
std::vector<Point> cells(const LoadChart& data, const std::vector<double>& values, const Range& shown) {
  std::size_t first = 0;
  while (first + 1 < data.begin_s.size() && data.begin_s[first + 1] - data.begin_s[0] <= shown.low) ++first;
  std::size_t end = first;
  while (end < data.begin_s.size() && data.begin_s[end] - data.begin_s[0] < shown.high) ++end;
  // Neighbouring cells are put together, by their mean, where more would be drawn than can be told apart.
  const std::size_t stride = std::max<std::size_t>(1, (end - first + kMostCells - 1) / kMostCells);
  std::vector<Point> points;
  for (std::size_t i = first; i < end; i += stride) {
    const std::size_t last = std::min(end, i + stride);
    double sum = 0;
    for (std::size_t j = i; j < last; ++j) sum += values[j];
    points.push_back({data.begin_s[i] - data.begin_s[0], sum / static_cast<double>(last - i)});
  }
  const double stop = end < data.begin_s.size() ? data.begin_s[end] : data.end_s;
  if (!points.empty()) points.push_back({stop - data.begin_s[0], points.back().y});
  return points;
}

void draw_panel(Scene& scene, const Frame& frame, const std::vector<Point>& points, Role role) {
  frame.draw_grid(scene);
  std::vector<Point> floor = points;
  for (Point& p : floor) p.y = frame.y_axis().range.low;
  draw_band(scene, frame, floor, points, role, true);
  draw_series(scene, frame, points, {role, 1.4, Dash::solid}, true, false);
  frame.draw_x_axis(scene);
}

Plot plot_of(const LoadChart& data, const Frame& frame, const std::string& name, std::vector<Point> points, Role role,
             Language language) {
  Plot plot = frame.plot(true, false);
  const TimeUnit unit = time_unit(data.end_s - data.begin_s.front());
  plot.x_name = say(language, unit.title);
  plot.y_name = name;
  plot.x_text = [language, unit](double at_s) {
    return say(language, unit.reading, {{"number", fixed(at_s / unit.seconds, unit.seconds > 1 ? 1 : 0)}});
  };
  plot.series.push_back({"", std::move(points), true, false, role});
  return plot;
}

}  // namespace

Scene load_over_run(const LoadChart& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, say(language, "Load over the run"), "", {}, {}};
  if (data.begin_s.empty()) return scene;
  const double span = data.end_s - data.begin_s.front();
  const Range all{0, span};
  const Range shown = visible(all, layout.x_view);
  const std::vector<Point> arrivals = cells(data, data.arrivals_per_s, shown);
  const std::vector<Point> busy = cells(data, data.busy_share, shown);
  const auto lower_y = [](const Point& a, const Point& b) { return a.y < b.y; };
  const double peak = std::max_element(arrivals.begin(), arrivals.end(), lower_y)->y;
  const double busiest = std::max_element(busy.begin(), busy.end(), lower_y)->y;

  const std::string upper_title = say(language, "Arrivals (requests/s)");
  const std::string lower_title = data.option.empty()
                                      ? say(language, "Accelerators busy (%)")
                                      : say(language, "Accelerators busy (%), {option}", {{"option", data.option}});
  const double top = draw_title(scene, upper_title, layout.width);
  const double inner = layout.height - top - kTitleHeight - kFooterHeight - 12;
  const double upper_height = std::round(inner * 0.55);

  const Range rates = from_zero(peak, 4);
  Axis upper_y = linear_axis(rates, std::nullopt, ticks_for(upper_height, 26));
  Axis lower_y_axis = share_axis({0, 1}, std::nullopt, 2);
  const double left = std::max(label_width(upper_y.ticks), label_width(lower_y_axis.ticks)) + 8;
  Axis lower_x = time_axis(all, layout.x_view, ticks_for(layout.width, 60, 8), language);
  Axis upper_x = lower_x;
  upper_x.ticks.clear();
  upper_x.title.clear();
  const double width = layout.width - left - right_margin(lower_x);
  const Frame upper({left, top, width, upper_height, {}, {}, 0}, std::move(upper_x), std::move(upper_y));
  const double lower_top = top + upper_height + 12 + kTitleHeight;
  const Frame lower({left, lower_top, width, inner - upper_height, {}, {}, 0}, std::move(lower_x),
                    std::move(lower_y_axis));

  draw_panel(scene, upper, arrivals, Role::text_secondary);
  draw_title(scene, lower_title, layout.width, lower_top - kTitleHeight);
  draw_panel(scene, lower, busy, Role::neutral);
  scene.summary =
      say(language, "Up to {rate} requests/s arrive in a cell of {cell}; accelerators are at most {busy} % busy.",
          {{"rate", significant(peak, 2)},
           {"cell", seconds_text((arrivals.back().x - arrivals.front().x) / static_cast<double>(arrivals.size() - 1))},
           {"busy", percent(busiest, 0)}});

  scene.plots.push_back(plot_of(data, upper, upper_title, arrivals, Role::text_secondary, language));
  scene.plots.back().read_out = read_out_strip(upper_title, layout.width);
  scene.plots.back().y_text = [language](double rate) {
    return say(language, "{rate} requests/s", {{"rate", significant(rate, 3, Spelling::typographic)}});
  };
  scene.plots.push_back(plot_of(data, lower, lower_title, busy, Role::neutral, language));
  scene.plots.back().read_out = read_out_strip(lower_title, layout.width, lower_top - kTitleHeight);
  scene.plots.back().y_text = [language](double share) {
    return say(language, "{share} % busy", {{"share", percent(share, 0)}});
  };
  return scene;
}

}  // namespace weir::reports::charts
