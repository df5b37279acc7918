#include "reports/charts/frame.h"

#include <algorithm>
#include <cmath>

#include "reports/charts/decimate.h"

namespace weir::reports::charts {
namespace {

/// On the half pixel, so that a one-pixel line is one pixel wide.
double crisp(double value) { return std::floor(value) + 0.5; }

double share(const Axis& axis, double value) {
  if (axis.logarithmic) return std::log(value / axis.range.low) / std::log(axis.range.high / axis.range.low);
  return (value - axis.range.low) / (axis.range.high - axis.range.low);
}

double value_of(const Axis& axis, double share) {
  if (axis.logarithmic) return axis.range.low * std::pow(axis.range.high / axis.range.low, share);
  return axis.range.low + share * (axis.range.high - axis.range.low);
}

Rect on_pixels(const Rect& plot) {
  const double left = std::round(plot.x);
  const double top = std::round(plot.y);
  return {left,
          top,
          std::max(1.0, std::round(plot.x + plot.width) - left),
          std::max(1.0, std::round(plot.y + plot.height) - top),
          {},
          {},
          0};
}

std::vector<Point> as_steps(const std::vector<Point>& points) {
  std::vector<Point> out;
  out.reserve(2 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) out.push_back({points[i].x, points[i - 1].y});
    out.push_back(points[i]);
  }
  return out;
}

Scale scale_of(const Range& range, bool logarithmic) { return {range.low, range.high, logarithmic}; }

}  // namespace

Frame::Frame(Rect plot, Axis x, Axis y) : plot_(on_pixels(plot)), x_(std::move(x)), y_(std::move(y)) {}

double Frame::x(double value) const {
  // What is not positive lies infinitely far left on a logarithmic axis; far enough is a thousand plots.
  if (x_.logarithmic && !(value > 0)) return plot_.x - 1000 * plot_.width;
  return plot_.x + share(x_, value) * plot_.width;
}

double Frame::y(double value) const {
  // A share of exactly zero is below any logarithmic axis: the line drops out of the plot there.
  if (y_.logarithmic && value <= 0) return bottom() + 1;
  return plot_.y + (1 - share(y_, value)) * plot_.height;
}

bool Frame::shows(Point p) const {
  return p.x >= left() - 0.01 && p.x <= right() + 0.01 && p.y >= top() - 0.01 && p.y <= bottom() + 0.01;
}

void Frame::draw_grid(Scene& scene) const {
  double free_below = 1e9;
  for (const Tick& tick : y_.ticks) {
    const double at = y(tick.value);
    const bool on_axis = std::fabs(at - bottom()) < 0.5;
    if (!on_axis) scene.add(Line{{left(), crisp(at)}, {right(), crisp(at)}, {Role::grid, 1, Dash::solid}});
    if (at > free_below) continue;
    scene.add(Text{{left() - 6, at + 4}, tick.label, kTextSize, Anchor::end, Role::text_secondary, false, false});
    free_below = at - 13;
  }
}

void Frame::draw_x_axis(Scene& scene) const {
  scene.add(Line{{left(), crisp(bottom())}, {right(), crisp(bottom())}, {Role::control, 1, Dash::solid}});
  double free_from = -1e9;
  for (const Tick& tick : x_.ticks) {
    const double at = x(tick.value);
    scene.add(Line{{crisp(at), bottom()}, {crisp(at), bottom() + 4}, {Role::control, 1, Dash::solid}});
    const double half = text_width(tick.label, kTextSize) / 2;
    if (at - half < free_from) continue;
    scene.add(Text{{at, bottom() + 16}, tick.label, kTextSize, Anchor::middle, Role::text_secondary, false, false});
    free_from = at + half + 6;
  }
  if (x_.title.empty()) return;
  // Centred below the plot, moved where it would run out of the sheet.
  const double half = text_width(x_.title, kTextSize) / 2;
  const double middle = std::max(half, std::min((left() + right()) / 2, scene.width - half));
  scene.add(Text{{middle, bottom() + 31}, x_.title, kTextSize, Anchor::middle, Role::text_secondary, false, false});
}

std::vector<Point> Frame::kept(const std::vector<Point>& points) const {
  const auto columns = static_cast<std::size_t>(plot_.width);
  if (points.size() <= 2 * columns) return points;
  std::vector<double> edges;
  edges.reserve(columns + 1);
  for (std::size_t i = 0; i <= columns; ++i) {
    edges.push_back(value_of(x_, static_cast<double>(i) / static_cast<double>(columns)));
  }
  edges.back() = x_.range.high;
  return decimate(points, edges);
}

std::vector<Point> Frame::visible_points(const std::vector<Point>& points, bool steps) const {
  std::vector<Point> out = kept(points);
  if (steps) out = as_steps(out);
  for (Point& p : out) p = at(p.x, p.y);
  return out;
}

std::vector<std::vector<Point>> Frame::lines(const std::vector<Point>& points, bool steps) const {
  return clip_line(visible_points(points, steps), box());
}

std::vector<Point> Frame::band(const std::vector<Point>& low, const std::vector<Point>& high, bool steps) const {
  std::vector<Point> outline = visible_points(high, steps);
  const std::vector<Point> lower = visible_points(low, steps);
  outline.insert(outline.end(), lower.rbegin(), lower.rend());
  return clip_area(std::move(outline), box());
}

Plot Frame::plot(bool zooms_x, bool zooms_y) const {
  Plot plot;
  plot.area = plot_;
  plot.x = scale_of(x_.range, x_.logarithmic);
  plot.y = scale_of(y_.range, y_.logarithmic);
  plot.x_all = scale_of(x_.all.value_or(x_.range), x_.logarithmic);
  plot.y_all = scale_of(y_.all.value_or(y_.range), y_.logarithmic);
  plot.zooms_x = zooms_x;
  plot.zooms_y = zooms_y;
  return plot;
}

Stroke pen_for(Stroke stroke, std::size_t points) {
  if (points > kManyPoints) stroke.width = 1;
  return stroke;
}

void draw_series(Scene& scene, const Frame& frame, const std::vector<Point>& points, const Stroke& stroke, bool steps,
                 bool casing) {
  const Stroke pen = pen_for(stroke, points.size());
  for (std::vector<Point>& line : frame.lines(points, steps)) {
    if (casing) scene.add(Polyline{line, {Role::canvas, pen.width + 3, Dash::solid}});
    scene.add(Polyline{std::move(line), pen});
  }
}

void draw_band(Scene& scene, const Frame& frame, const std::vector<Point>& low, const std::vector<Point>& high,
               Role role, bool steps) {
  std::vector<Point> outline = frame.band(low, high, steps);
  if (outline.size() > 2) scene.add(Polygon{std::move(outline), {role, kBandOpacity}, {}});
}

double label_width(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, kTextSize));
  return width;
}

double right_margin(const Axis& x) {
  double margin = 8;
  if (!x.ticks.empty()) margin = std::max(margin, text_width(x.ticks.back().label, kTextSize) / 2 + 2);
  return std::ceil(margin);
}

}  // namespace weir::reports::charts
