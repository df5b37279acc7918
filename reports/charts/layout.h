#pragma once

#include <optional>

#include "reports/charts/scene.h"
#include "reports/charts/ticks.h"
#include "reports/language.h"

namespace weir::reports::charts {

/// What a chart is laid out for: its outside size in px, the language of its words, and the part of the data that the
/// reader has zoomed to, in data units (empty: all of it).
struct Layout {
  double width = 520, height = 300;
  Language language = Language::en;
  std::optional<Range> x_view, y_view;
};

/// One shape a card, the same on every page.
enum class Shape { circle, square, diamond, triangle_down, triangle_up, pentagon, cross };

/// A marker; hollow means "not eligible".
void draw_marker(Scene& scene, Point centre, double radius, Shape shape, Role role, bool hollow);

/// A value that a chart shows as a straight line across the plot.
struct Rule {
  double value = 0;
  std::string label;  ///< "P99 3,940"
  bool dashed = false;
};

}  // namespace weir::reports::charts
