#pragma once

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

/// Zoom and pan as pure functions from one layout to the next. They look at a plot as it was laid out with the first
/// layout; views never leave what there is to see, and a view of everything is no view.
namespace weir::reports::charts {

/// Nearer by `factor` (> 1) or farther (< 1); the data under `px` stays where it is. Not nearer than a thousandth of
/// the whole axis.
Layout zoom_about(const Layout& layout, const Plot& plot, Point px, double factor);
/// The data follows a pointer that moved by (dx, dy) px.
Layout pan(const Layout& layout, const Plot& plot, double dx, double dy);
/// Everything again.
Layout reset_view(const Layout& layout);
bool has_view(const Layout& layout);

}  // namespace weir::reports::charts
