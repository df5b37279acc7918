#pragma once

#include <string>
#include <vector>

#include "reports/charts/scene.h"

namespace weir::reports::charts {

struct LegendItem {
  std::string label;
  Stroke stroke;
  bool bold = false;
};

/// Line samples with their names in rows, outside the data. Returns the height used.
double draw_legend(Scene& scene, const std::vector<LegendItem>& items, double x, double y, double width);

}  // namespace weir::reports::charts
