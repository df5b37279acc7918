#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/labels.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

Range latency_range(const ScatterChart& data) {
  double low = data.limit_s.value_or(1e300);
  double high = data.limit_s.value_or(0) * 1.15;
  for (const ScatterPoint& p : data.points) {
    low = std::min(low, p.latency_s);
    high = std::max(high, p.latency_s);
  }
  if (!(high > 0) || !(low > 0)) return {0.1, 1};
  return snug_log_range(low * 0.92, high * 1.05);
}

/// Dotted stairs through the options that nobody beats in both cost and latency.
void draw_front(Scene& scene, const ScatterChart& data, const Frame& frame) {
  std::vector<Point> front;
  for (const ScatterPoint& p : data.points) {
    if (p.on_front) front.push_back({p.latency_s, p.cost});
  }
  if (front.empty()) return;
  std::sort(front.begin(), front.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  std::vector<Point> stairs = {{frame.x(front.front().x), std::min(frame.top(), frame.y(front.front().y))}};
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (i > 0) stairs.push_back({frame.x(front[i].x), frame.y(front[i - 1].y)});
    stairs.push_back(frame.at(front[i].x, front[i].y));
  }
  stairs.push_back({std::max(frame.right(), stairs.back().x), stairs.back().y});
  for (const std::vector<Point>& line : clip_line(stairs, frame.box())) {
    scene.add(Polyline{line, {Role::text_secondary, kTargetPen, Dash::dotted}});
  }
}

void draw_limit(Scene& scene, const ScatterChart& data, const Frame& frame) {
  const double at = frame.x(*data.limit_s);
  const double left = std::max(at, frame.left());
  if (left >= frame.right()) return;
  scene.add(
      Rect{left, frame.top(), frame.right() - left, frame.bottom() - frame.top(), {Role::text, kRegionOpacity}, {}, 0});
  if (at >= frame.left()) {
    scene.add(Line{{at, frame.top()}, {at, frame.bottom()}, {Role::text, kTargetPen, Dash::solid}});
  }
}

void draw_points(Scene& scene, const ScatterChart& data, const Frame& frame) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    if (frame.shows(frame.at(data.points[i].latency_s, data.points[i].cost))) shown.push_back(i);
  }
  for (const std::size_t i : shown) {
    const ScatterPoint& p = data.points[i];
    draw_marker(scene, frame.at(p.latency_s, p.cost), p.chosen ? 5.5 : 4, p.shape,
                p.hollow ? Role::text_secondary : p.role, p.hollow);
  }
  // The chosen option's label gets the first choice of places.
  std::stable_sort(shown.begin(), shown.end(),
                   [&](std::size_t a, std::size_t b) { return data.points[a].chosen > data.points[b].chosen; });
  for (const std::size_t i : shown) {
    const ScatterPoint& p = data.points[i];
    place_text(scene, Text{{}, "", kTextSize, Anchor::start, Role::text, p.chosen, true}, {p.label},
               places_around(frame.at(p.latency_s, p.cost), p.chosen ? 10 : 8),
               {frame.left(), frame.top() - 6, scene.width, frame.bottom() - 1});
  }
}

Plot plot_of(const ScatterChart& data, const Frame& frame, const std::string& title, double width, Language language) {
  Plot plot = frame.plot(true, true);
  plot.x_name = data.latency_name;
  plot.y_name = title;
  plot.read_out = read_out_strip(title, width);
  plot.x_text = [name = data.latency_name](double latency_s) {
    return name + " " + seconds_text(latency_s, Spelling::typographic);
  };
  plot.y_text = [language, currency = data.currency](double amount) { return money_text(amount, currency, language); };
  for (const ScatterPoint& p : data.points) {
    plot.series.push_back({p.hollow ? say(language, "Option {label}, not eligible", {{"label", p.label}})
                                    : say(language, "Option {label}", {{"label", p.label}}),
                           {{p.latency_s, p.cost}},
                           false,
                           true,
                           p.hollow ? Role::text_secondary : p.role});
  }
  return plot;
}

}  // namespace

Scene cost_against_latency(const ScatterChart& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{
      layout.width,
      layout.height,
      say(language, "{cost} plotted against {latency}", {{"cost", data.cost_name}, {"latency", data.latency_name}}),
      "",
      {},
      {}};
  double largest = 0;
  for (const ScatterPoint& p : data.points) largest = std::max(largest, p.cost);
  const MoneyScale scale = money_scale(largest, data.currency, language);
  const std::string title = with_unit(language, data.cost_name, scale.unit);
  const double top = draw_title(scene, title, layout.width);
  const double height = layout.height - top - kFooterHeight;

  Axis y = money_axis(from_zero(largest * 1.04), layout.y_view, scale, ticks_for(height, 36));
  Axis x = log_axis(latency_range(data), layout.x_view, ticks_for(layout.width, 60, 8),
                    log_title(with_symbol(data.latency_name, "s"), language));
  const double left = label_width(y.ticks) + 8;
  const double right = std::max(16.0, right_margin(x));  // before x is moved
  const Frame frame({left, top, layout.width - left - right, height, {}, {}, 0}, std::move(x), std::move(y));

  frame.draw_grid(scene);
  if (data.limit_s) {
    draw_limit(scene, data, frame);
    draw_corner_label(scene, say(language, "misses SLO"), std::max(frame.left(), frame.x(*data.limit_s)), frame.right(),
                      frame.top());
  }
  draw_front(scene, data, frame);
  draw_points(scene, data, frame);
  frame.draw_x_axis(scene);

  for (const ScatterPoint& p : data.points) {
    scene.summary +=
        say(language,
            p.hollow ? "Option {label}: {cost} at {latency}, not eligible. " : "Option {label}: {cost} at {latency}. ",
            {{"label", p.label},
             {"cost", money_text(p.cost, data.currency, language)},
             {"latency", seconds_text(p.latency_s)}});
  }
  scene.plots.push_back(plot_of(data, frame, title, layout.width, language));
  return scene;
}

}  // namespace weir::reports::charts
