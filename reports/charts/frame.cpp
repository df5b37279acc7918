#include "reports/charts/frame.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::reports::charts {
namespace {

/// On the half pixel, so that a one-pixel line is one pixel wide.
double crisp(double value) { return std::floor(value) + 0.5; }

}  // namespace

Frame::Frame(Rect plot, Axis x, Axis y) : plot_(plot), x_(std::move(x)), y_(std::move(y)) {}

double Frame::share(const Axis& axis, double value) {
  if (axis.logarithmic) {
    return std::log(value / axis.range.low) / std::log(axis.range.high / axis.range.low);
  }
  return (value - axis.range.low) / (axis.range.high - axis.range.low);
}

double Frame::x(double value) const { return plot_.x + share(x_, value) * plot_.width; }
double Frame::y(double value) const { return plot_.y + (1 - share(y_, value)) * plot_.height; }

void Frame::draw_grid(Scene& scene) const {
  for (const Tick& tick : y_.ticks) {
    const double at = y(tick.value);
    const bool on_axis = std::fabs(at - bottom()) < 0.5;
    if (!on_axis) scene.add(Line{{left(), crisp(at)}, {right(), crisp(at)}, {Role::grid, 1, Dash::solid}});
    scene.add(Text{{left() - 6, at + 4}, tick.label, kTextSize, Anchor::end, Role::text_secondary, false, false});
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
  if (!x_.title.empty()) {
    const std::string title = x_.logarithmic ? x_.title + ", log scale" : x_.title;
    scene.add(Text{
        {(left() + right()) / 2, bottom() + 31}, title, kTextSize, Anchor::middle, Role::text_secondary, false, false});
  }
}

std::vector<Point> Frame::clip(const std::vector<Point>& points) const {
  std::vector<Point> out;
  const auto inside = [&](const Point& p) {
    return p.x >= left() - 0.01 && p.x <= right() + 0.01 && p.y >= top() - 0.01 && p.y <= bottom() + 0.01;
  };
  // Works in pixels, where the axes are straight whatever their scale. Leaving the plot ends the line at its edge.
  for (std::size_t i = 0; i < points.size(); ++i) {
    if ((x_.logarithmic && !(points[i].x > 0)) || (y_.logarithmic && !(points[i].y > 0))) {
      if (!y_.logarithmic || i == 0 || points[i].y > 0) continue;
      // A share of exactly zero is below any logarithmic axis: the line drops to the bottom here.
      const double px = x(points[i].x);
      if (!out.empty() && px <= right()) out.push_back({px, bottom()});
      break;
    }
    const Point p = at(points[i].x, points[i].y);
    if (inside(p)) {
      if (out.empty() && i > 0 && (!x_.logarithmic || points[i - 1].x > 0) &&
          (!y_.logarithmic || points[i - 1].y > 0)) {
        const Point before = at(points[i - 1].x, points[i - 1].y);
        if (before.x < left() && p.x > before.x) {
          const double t = (left() - before.x) / (p.x - before.x);
          out.push_back({left(), std::clamp(before.y + t * (p.y - before.y), top(), bottom())});
        }
      }
      out.push_back(p);
      continue;
    }
    if (out.empty()) continue;
    const Point from = out.back();
    double t = 1;
    if (p.x > right()) t = std::min(t, (right() - from.x) / (p.x - from.x));
    if (p.y > bottom()) t = std::min(t, (bottom() - from.y) / (p.y - from.y));
    if (p.y < top()) t = std::min(t, (top() - from.y) / (p.y - from.y));
    out.push_back({from.x + t * (p.x - from.x), from.y + t * (p.y - from.y)});
    break;
  }
  return out;
}

void draw_title(Scene& scene, const std::string& title, double x) {
  scene.add(Text{{x, 12}, title, kTextSize, Anchor::start, Role::text, true, false});
}

void draw_corner_label(Scene& scene, const std::string& label, double left, double right, double top) {
  double y = top + 14;
  for (const std::string& line : wrap(label, right - left - 8, kTextSize)) {
    scene.add(Text{{right - 4, y}, line, kTextSize, Anchor::end, Role::text, false, true});
    y += kLineHeight - 1;
  }
}

double label_width(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, kTextSize));
  return width;
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });
  double free_from = low;
  for (const std::size_t i : order) {
    wanted[i] = std::max(wanted[i], free_from);
    free_from = wanted[i] + gap;
  }
  double free_to = high;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    wanted[*it] = std::min(wanted[*it], free_to);
    free_to = wanted[*it] - gap;
  }
  return wanted;
}

std::vector<std::string> wrap(const std::string& text, double width, double size, bool bold) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t blank = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, blank - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, size, bold) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    at = blank + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace weir::reports::charts
