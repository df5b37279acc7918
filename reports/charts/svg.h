#pragma once

#include <string>

#include "reports/charts/palette.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// The scene as one <svg> element that stands alone: presentation attributes only, no style sheet, no script. `id`
/// makes its title and description unique in a page.
std::string to_svg(const Scene& scene, const std::string& id, Theme theme = Theme::light);

}  // namespace weir::reports::charts
