#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// A rectangle by its edges, px.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool overlaps(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  bool contains(Point p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
};

/// The part of a segment inside the box; none when they do not meet.
std::optional<std::pair<Point, Point>> clip_segment(Point from, Point to, const Box& box);
/// The parts of a line inside the box, in order: one polyline for each time the line enters. A point that is not a
/// number breaks the line.
std::vector<std::vector<Point>> clip_line(const std::vector<Point>& points, const Box& box);
/// The part of a closed outline inside the box; empty when there is none.
std::vector<Point> clip_area(std::vector<Point> outline, const Box& box);

}  // namespace weir::reports::charts
