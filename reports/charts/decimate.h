#pragma once

#include <vector>

#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// Fewer points that paint the same line: of all points in one pixel column only the first, the lowest, the highest
/// and the last, in their order. `edges` are the columns' borders in data units, ascending: column i holds
/// edges[i] <= x < edges[i + 1], the last one its right border too. Of the points left and right of all columns the
/// nearest one is kept, so that the line runs on to the edge. x must not decrease, whatever the scale of the axis:
/// work grows with the columns' number and one comparison a point, not with the cost of a logarithm.
std::vector<Point> decimate(const std::vector<Point>& points, const std::vector<double>& edges);

}  // namespace weir::reports::charts
