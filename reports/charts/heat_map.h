#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// A value for each pair of two inputs, as colour (cividis) and, where there is room, as number.
struct HeatMap {
  std::string title;  ///< quantity (unit)
  std::string unit;   ///< for the read-out
  std::string x_title, y_title;
  std::vector<std::string> columns, rows;  ///< names; rows from top to bottom
  std::vector<double> values;              ///< row by row; not a number: no result there
  bool logarithmic = false;                ///< shades by the logarithm; values > 0
  std::optional<std::pair<std::size_t, std::size_t>> chosen =
      std::nullopt;  ///< row and column of the cell that is in force
};
Scene heat_map(const HeatMap& data, const Layout& layout);

}  // namespace weir::reports::charts
