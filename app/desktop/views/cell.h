#pragma once

#include <QString>
#include <optional>

#include "data/evidence.h"
#include "reports/charts/figures.h"

namespace weir::desktop {

struct CellMarker {
  reports::charts::Shape shape = reports::charts::Shape::circle;
  reports::charts::Role role = reports::charts::Role::owned;
  bool hollow = false;
};

/// P10 to P90 and the planning value on the scale of its column.
struct CellStrip {
  double p10 = 0, value = 0, p90 = 0, low = 0, high = 1;
  reports::charts::Role role = reports::charts::Role::owned;
};

/// How one cell of a table looks.
struct Cell {
  QString text;
  QString sign;   ///< before the text, in the colour of problems: "✕ misses"
  QString muted;  ///< second part, quieter
  std::optional<data::Evidence> mark;
  bool mark_gutter = false;  ///< keeps the place of the mark in cells that have none
  std::optional<CellMarker> marker;
  std::optional<CellStrip> strip;
  std::optional<bool> checked;
  bool right = false, strong = false, quiet = false, problem = false, link = false;
  bool wrap = false;         ///< in as many lines as the column's width needs
  bool chosen_row = false;  ///< 3 px bar and rules in the accent colour
  bool disabled = false;
};

}  // namespace weir::desktop
