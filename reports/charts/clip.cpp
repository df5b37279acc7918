#include "reports/charts/clip.h"

#include <algorithm>
#include <cmath>

namespace weir::reports::charts {
namespace {

bool is_number(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// One edge of the box seen as "signed distance inside"; the outline keeps what has none below zero.
template <class Distance>
std::vector<Point> keep_inside(const std::vector<Point>& outline, const Distance& inside) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i];
    const Point b = outline[(i + 1) % outline.size()];
    const double da = inside(a);
    const double db = inside(b);
    if (da >= 0) kept.push_back(a);
    if ((da >= 0) == (db >= 0)) continue;
    const double t = da / (da - db);
    kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
  return kept;
}

}  // namespace

std::optional<std::pair<Point, Point>> clip_segment(Point from, Point to, const Box& box) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  double enter = 0;
  double leave = 1;
  // Each edge allows a range of the way from `from` to `to`: speed * t <= room.
  const auto allow = [&](double speed, double room) {
    if (speed == 0) return room >= 0;
    const double t = room / speed;
    if (speed > 0) {
      leave = std::min(leave, t);
    } else {
      enter = std::max(enter, t);
    }
    return enter <= leave;
  };
  if (!allow(dx, box.right - from.x) || !allow(-dx, from.x - box.left) || !allow(dy, box.bottom - from.y) ||
      !allow(-dy, from.y - box.top)) {
    return std::nullopt;
  }
  const auto at = [&](double t) {
    return Point{std::clamp(from.x + t * dx, box.left, box.right), std::clamp(from.y + t * dy, box.top, box.bottom)};
  };
  return std::pair{enter > 0 ? at(enter) : from, leave < 1 ? at(leave) : to};
}

std::vector<std::vector<Point>> clip_line(const std::vector<Point>& points, const Box& box) {
  std::vector<std::vector<Point>> lines;
  bool open = false;  ///< the last line ends in the point before
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point from = points[i];
    const Point to = points[i + 1];
    const auto part = is_number(from) && is_number(to) ? clip_segment(from, to, box) : std::nullopt;
    if (!part) {
      open = false;
      continue;
    }
    if (!open) lines.push_back({part->first});
    lines.back().push_back(part->second);
    open = part->second.x == to.x && part->second.y == to.y;
  }
  // A line that only touches a corner of the box leaves a dot, which is no line.
  std::erase_if(lines, [](const std::vector<Point>& line) {
    return std::all_of(line.begin(), line.end(),
                       [&](Point p) { return p.x == line.front().x && p.y == line.front().y; });
  });
  return lines;
}

std::vector<Point> clip_area(std::vector<Point> outline, const Box& box) {
  std::erase_if(outline, [](Point p) { return !is_number(p); });
  outline = keep_inside(outline, [&](Point p) { return p.x - box.left; });
  outline = keep_inside(outline, [&](Point p) { return box.right - p.x; });
  outline = keep_inside(outline, [&](Point p) { return p.y - box.top; });
  return keep_inside(outline, [&](Point p) { return box.bottom - p.y; });
}

}  // namespace weir::reports::charts
