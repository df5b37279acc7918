#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// How areas of one kind are told apart without colour: by what is drawn in the canvas's colour over their fill.
enum class Hatch { none, diagonal, level, hollow };

/// A bar or a part of one.
void draw_bar(Scene& scene, double x, double y, double width, double height, Role role, Hatch hatch);

struct LegendItem {
  std::string label;
  Stroke stroke;
  bool bold = false;
  std::optional<Hatch> area = std::nullopt;  ///< a small bar instead of a line
};

/// Samples with their names in rows, outside the data. Returns the height used.
double draw_legend(Scene& scene, const std::vector<LegendItem>& items, double x, double y, double width);

}  // namespace weir::reports::charts
