#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

struct LineSeries {
  std::string label;
  Role role = Role::neutral;
  Dash dash = Dash::solid;
  std::vector<Point> points;  ///< x does not decrease; y not a number: a gap
  /// A band around the line, with x of its own that both share; empty: none.
  std::vector<Point> low = {}, high = {};
  bool steps = false;  ///< the value holds until the next point
  bool chosen = false;
};

/// A ring on a point worth a sentence: "busiest minute 11:14, 61.8 req/s".
struct PointMark {
  Point at;
  std::string label;
};

enum class XKind {
  number,
  logarithmic,
  months,
  time,   ///< seconds since the begin; counted in the unit that suits the span
  clock,  ///< seconds since midnight
};

/// Lines over a number, a logarithm, months or time.
struct LineChart {
  std::string title;      ///< the y axis: quantity (unit); says what a band is
  std::string y_unit;     ///< for the read-out, "req/s"
  std::string x_title;    ///< quantity (unit); not needed for months and time
  std::string x_reading;  ///< how x is read out, with {value}: "{value} tokens"; not needed for months, time and clock
  XKind x_kind = XKind::number;
  std::vector<LineSeries> series;  ///< at most 4 with names; a single one needs none
  std::vector<Rule> rules;         ///< level lines: targets, means
  std::optional<PointMark> mark;
  bool y_logarithmic = false;
  bool y_from_zero = true;
};
Scene line_chart(const LineChart& data, const Layout& layout);

}  // namespace weir::reports::charts
