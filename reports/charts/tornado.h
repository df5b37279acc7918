#pragma once

#include <string>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// How far one input moves the result.
struct Swing {
  std::string label;                            ///< "Rented card-hour price"
  double low = 0, high = 0;                     ///< change of the result with the input at its low and at its high end
  std::string low_input = "", high_input = "";  ///< "$4.65", "$9.00", for the read-out
};

/// What moves an amount most: hollow bars for inputs at their low end, solid ones for their high end.
struct Tornado {
  std::string title;          ///< "What moves the TCO most"; the unit is added
  std::string currency;       ///< empty: a plain number
  std::vector<Swing> swings;  ///< the widest first
};
/// As high as its rows need; layout.height is ignored.
Scene tornado(const Tornado& data, const Layout& layout);

}  // namespace weir::reports::charts
