#include "reports/charts/decimate.h"

#include <algorithm>
#include <array>

namespace weir::reports::charts {
namespace {

using Iterator = std::vector<Point>::const_iterator;

void keep_column(Iterator first, Iterator end, std::vector<Point>& out) {
  if (first == end) return;
  Iterator lowest = first;
  Iterator highest = first;
  for (Iterator at = first; at != end; ++at) {
    if (at->y < lowest->y) lowest = at;
    if (at->y > highest->y) highest = at;
  }
  const Iterator last = end - 1;
  const Iterator middle_one = std::min(lowest, highest);
  const Iterator middle_two = std::max(lowest, highest);
  Iterator kept = first;
  out.push_back(*first);
  for (const Iterator at : std::array{middle_one, middle_two, last}) {
    if (at <= kept) continue;
    out.push_back(*at);
    kept = at;
  }
}

}  // namespace

std::vector<Point> decimate(const std::vector<Point>& points, const std::vector<double>& edges) {
  if (edges.size() < 2) return points;
  const auto before = [](const Point& p, double x) { return p.x < x; };
  std::vector<Point> out;
  out.reserve(std::min(points.size(), 4 * edges.size() + 2));
  Iterator at = std::lower_bound(points.begin(), points.end(), edges.front(), before);
  if (at != points.begin()) out.push_back(*(at - 1));
  for (std::size_t column = 1; column < edges.size(); ++column) {
    const bool last = column + 1 == edges.size();
    const Iterator end =
        last ? std::upper_bound(at, points.end(), edges[column], [](double x, const Point& p) { return x < p.x; })
             : std::lower_bound(at, points.end(), edges[column], before);
    keep_column(at, end, out);
    at = end;
  }
  if (at != points.end()) out.push_back(*at);
  return out;
}

}  // namespace weir::reports::charts
