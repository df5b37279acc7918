#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weir::reports::charts {

/// What a mark means; a palette turns it into a colour. Charts never name a colour.
enum class Role {
  none,
  canvas,
  text,
  text_secondary,
  control,  ///< axes, table rules
  grid,     ///< decoration only
  problem,
  owned,
  rented,
  hybrid,
  fourth,
  neutral,  ///< a single series without tenure
  ink,      ///< dark letters on a bright cell of a heat map, the same in every theme
  chalk,    ///< bright letters on a dark cell
};

enum class Dash { solid, dashed, dash_dot, dotted };
enum class Anchor { start, middle, end };

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  Role role = Role::none;
  double width = 1;
  Dash dash = Dash::solid;
};

struct Fill {
  Role role = Role::none;
  double opacity = 1;
  double shade = -1;  ///< in [0, 1]: a step of the scale of heat maps (cividis) instead of the role's colour
};

struct Line {
  Point from, to;
  Stroke stroke;
};

struct Polyline {
  std::vector<Point> points;
  Stroke stroke;
};

/// Closed outline; markers and bands are polygons too.
struct Polygon {
  std::vector<Point> points;
  Fill fill;
  Stroke stroke;
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  Fill fill;
  Stroke stroke;
  double radius = 0;
};

struct Circle {
  Point centre;
  double radius = 0;
  Fill fill;
  Stroke stroke;
};

struct Text {
  Point at;  ///< baseline
  std::string text;
  double size = 11;
  Anchor anchor = Anchor::start;
  Role role = Role::text;
  bool bold = false;
  bool halo = false;  ///< a canvas-coloured casing, for labels that may touch a line
};

using Primitive = std::variant<Line, Polyline, Polygon, Rect, Circle, Text>;

/// One scale of a plot, so that a place in px can be turned back into a value.
struct Scale {
  double low = 0, high = 1;  ///< values at the left (bottom) and right (top) end
  bool logarithmic = false;
};

/// What a reader can ask of one drawn series: its values in data units, x not decreasing.
struct ReadableSeries {
  std::string label;
  std::vector<Point> points;
  bool steps = false;      ///< the value holds until the next point; else straight lines between points
  bool scattered = false;  ///< points that stand alone: only the nearest of all of them is read out
  Role role = Role::neutral;
};

/// One plot area of a scene, for hover read-out, zoom and pan on screen.
struct Plot {
  Rect area;
  Scale x, y;
  std::string x_name, y_name;                         ///< quantity, with its unit
  std::function<std::string(double)> x_text, y_text;  ///< a value as it is read out, with its unit and, for x, name
  std::vector<ReadableSeries> series;
  Scale x_all, y_all;  ///< all that there is to see, as without a view
  bool zooms_x = false, zooms_y = false;
  bool snaps_x = false;  ///< x is read at the nearest point of the first series, not between points
  Rect read_out;         ///< the strip above the plot, right of the title, where the read-out line goes
  /// For charts of cells and bars: the whole read-out of a place in data units; empty text: nothing is there.
  std::function<std::string(Point)> text_at;
};

/// A finished chart: primitives in drawing order, in px with the origin at the top left.
struct Scene {
  double width = 0, height = 0;
  std::string title;    ///< accessible name
  std::string summary;  ///< one sentence that says what the chart shows
  std::vector<Primitive> items;
  std::vector<Plot> plots;

  template <class T>
  void add(T primitive) {
    items.emplace_back(std::move(primitive));
  }
};

/// Width in px of `text` in the charts' font (Noto Sans, Han characters one em each) at `size`, without kerning and
/// without a font library.
double text_width(const std::string& text, double size, bool bold = false);

}  // namespace weir::reports::charts
