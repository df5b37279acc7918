#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/money_axis.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

struct Box {
  double left, top, right, bottom;
  bool overlaps(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
};

Range latency_range(const ScatterChart& data) {
  double low = data.limit_s.value_or(1e300);
  double high = data.limit_s.value_or(0) * 1.15;
  for (const ScatterPoint& p : data.points) {
    low = std::min(low, p.latency_s);
    high = std::max(high, p.latency_s);
  }
  if (!(high > 0) || !(low > 0)) return {0.1, 1};
  return log_range(low * 0.92, high * 1.05);
}

/// Right of the marker, else left, above or below: the first place that touches no marker and no other label.
void draw_labels(Scene& scene, const std::vector<ScatterPoint>& points, const std::vector<Point>& at,
                 const Frame& frame) {
  std::vector<Box> taken;
  for (const Point& p : at) taken.push_back({p.x - 6, p.y - 6, p.x + 6, p.y + 6});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double width = text_width(points[i].label, kTextSize, points[i].chosen);
    const Point p = at[i];
    const std::vector<Point> places = {
        {p.x + 8, p.y + 4}, {p.x - 8 - width, p.y + 4}, {p.x - width / 2, p.y - 9}, {p.x - width / 2, p.y + 17},
        {p.x + 8, p.y - 8}, {p.x - 8 - width, p.y - 8}, {p.x + 8, p.y + 16},        {p.x - 8 - width, p.y + 16}};
    for (const Point& place : places) {
      const Box box{place.x - 1, place.y - 10, place.x + width + 1, place.y + 2};
      const bool outside = box.right > frame.right() + 14 || box.left < frame.left() || box.bottom > frame.bottom();
      if (outside || std::any_of(taken.begin(), taken.end(), [&](const Box& b) { return b.overlaps(box); })) continue;
      scene.add(Text{place, points[i].label, kTextSize, Anchor::start, Role::text, points[i].chosen, true});
      taken.push_back(box);
      break;
    }
  }
}

/// Dotted stairs through the options that nobody beats in both cost and latency.
void draw_front(Scene& scene, const ScatterChart& data, const Frame& frame, double divisor) {
  std::vector<Point> front;
  for (const ScatterPoint& p : data.points) {
    if (p.on_front) front.push_back({p.latency_s, p.cost / divisor});
  }
  if (front.empty()) return;
  std::sort(front.begin(), front.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  std::vector<Point> stairs = {{frame.x(front.front().x), frame.top()}};
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (i > 0) stairs.push_back({frame.x(front[i].x), frame.y(front[i - 1].y)});
    stairs.push_back(frame.at(front[i].x, front[i].y));
  }
  stairs.push_back({frame.right(), stairs.back().y});
  scene.add(Polyline{stairs, {Role::text_secondary, 1.2, Dash::dotted}});
}

}  // namespace

Scene cost_against_latency(const ScatterChart& data, const Layout& layout) {
  Scene scene{layout.width, layout.height, data.cost_name + " against " + data.latency_name, "", {}, {}};
  double largest = 0;
  for (const ScatterPoint& p : data.points) largest = std::max(largest, p.cost);
  const MoneyScale scale = money_scale(largest, data.currency);
  const Range y_range = from_zero(largest * 1.04 / scale.divisor);
  const Range x_range = latency_range(data);
  Axis y{y_range, linear_ticks(y_range.low, y_range.high), "", false};
  Axis x{x_range, log_ticks(x_range.low, x_range.high), data.latency_name + " (s)", true};
  const double margin = label_width(y.ticks) + 8;
  const Rect plot{margin, kTitleHeight, layout.width - margin - 16, layout.height - kTitleHeight - 36, {}, {}, 0};
  const Frame frame(plot, std::move(x), std::move(y));

  draw_title(scene, data.cost_name + " (" + scale.unit + ")");
  frame.draw_grid(scene);
  if (data.limit_s) {
    const double at = frame.x(*data.limit_s);
    scene.add(Rect{at, frame.top(), frame.right() - at, frame.bottom() - frame.top(), {Role::text, 0.06}, {}, 0});
    scene.add(Line{{at, frame.top()}, {at, frame.bottom()}, {Role::text, kTargetPen, Dash::solid}});
  }
  draw_front(scene, data, frame, scale.divisor);
  std::vector<Point> at;
  for (const ScatterPoint& p : data.points) at.push_back(frame.at(p.latency_s, p.cost / scale.divisor));
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    const ScatterPoint& p = data.points[i];
    draw_marker(scene, at[i], p.chosen ? 5.5 : 4, p.shape, p.hollow ? Role::text_secondary : p.role, p.hollow);
  }
  draw_labels(scene, data.points, at, frame);
  if (data.limit_s) draw_corner_label(scene, "misses SLO", frame.x(*data.limit_s), frame.right(), frame.top());
  frame.draw_x_axis(scene);

  for (const ScatterPoint& p : data.points) {
    scene.summary += "Option " + p.label + ": " + money_short(p.cost, data.currency) + " at " +
                     seconds_text(p.latency_s) + (p.hollow ? ", not eligible. " : ". ");
  }
  return scene;
}

}  // namespace weir::reports::charts
