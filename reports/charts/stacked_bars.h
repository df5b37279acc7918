#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/legend.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

struct StackPart {
  std::string label;
  Role role = Role::owned;
  std::vector<double> values;  ///< one a bar, not negative
  Hatch hatch = Hatch::none;
};

/// Upright bars, each a stack of parts; the first part stands on the axis.
struct StackedBars {
  std::string title;                ///< the y axis: quantity (unit)
  std::string unit;                 ///< for the read-out: "cards"
  std::string x_title;              ///< "Hour of day"
  std::vector<std::string> labels;  ///< one a bar; those that find room are shown
  std::vector<StackPart> parts;     ///< at most 4
  std::optional<Rule> rule;         ///< a level line: "8 owned"
};
Scene stacked_bars(const StackedBars& data, const Layout& layout);

}  // namespace weir::reports::charts
