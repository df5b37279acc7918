#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/scene.h"

/// What stands at a place of a finished chart: data of a pixel, values under the pointer, and their picture.
namespace weir::reports::charts {

/// From px to data units and back. Places outside the plot are continued beyond its ends.
double value_at(const Scale& scale, double share);
double share_of(const Scale& scale, double value);
Point data_at(const Plot& plot, Point px);
Point pixel_at(const Plot& plot, Point data);

/// Value of a series at x: held (steps) or along the straight line that is drawn between two points; none outside the
/// series and in its gaps.
std::optional<double> value_of(const ReadableSeries& series, double x, const Scale& x_scale, const Scale& y_scale);

struct ReadValue {
  std::string label;  ///< of the series; may be empty
  std::string text;   ///< with its unit
  double value = 0;
  Point at;  ///< px, where the value lies on the line
  Role role = Role::neutral;
};

struct ReadOut {
  std::size_t plot = 0;  ///< index in Scene::plots
  double x = 0;          ///< data units; that of the point that is read, where points are read
  double rule_x = 0;     ///< px
  std::string x_text;
  std::vector<ReadValue> values;
  std::string line;  ///< all of it in one line
};

/// What is read at a place, px; nothing outside all plots and where nothing is drawn.
std::optional<ReadOut> read_out(const Scene& scene, Point px);
/// To be painted over the chart: the upright rule, rings on the lines, and the line of text above the plot.
Scene read_out_marks(const Scene& scene, const ReadOut& read);

}  // namespace weir::reports::charts
