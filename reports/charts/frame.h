#pragma once

#include <string>
#include <vector>

#include "reports/charts/scene.h"
#include "reports/charts/ticks.h"

namespace weir::reports::charts {

/// Pen widths and sizes shared by all charts (px).
inline constexpr double kSeriesPen = 1.75, kChosenPen = 2.5, kTargetPen = 1.2;
inline constexpr double kTextSize = 11, kLineHeight = 15;
/// Space above the plot that holds the title.
inline constexpr double kTitleHeight = 24;

struct Axis {
  Range range;
  std::vector<Tick> ticks;
  std::string title;  ///< quantity (unit)
  bool logarithmic = false;
};

/// A plot area with its two axes. The chart's title stands for the y axis: "Cumulative cost (thousand USD)".
class Frame {
 public:
  Frame(Rect plot, Axis x, Axis y);

  double x(double value) const;
  double y(double value) const;
  Point at(double vx, double vy) const { return {x(vx), y(vy)}; }
  double left() const { return plot_.x; }
  double right() const { return plot_.x + plot_.width; }
  double top() const { return plot_.y; }
  double bottom() const { return plot_.y + plot_.height; }
  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }

  /// Horizontal grid lines and the numbers of the y axis.
  void draw_grid(Scene& scene) const;
  /// The x axis with tick marks and numbers that do not touch each other, and its title.
  void draw_x_axis(Scene& scene) const;
  /// Part of a line that lies inside the plot, in pixels; points are in data coordinates and x must not decrease.
  std::vector<Point> clip(const std::vector<Point>& points) const;

 private:
  static double share(const Axis& axis, double value);

  Rect plot_;
  Axis x_, y_;
};

void draw_title(Scene& scene, const std::string& title, double x = 0);
/// A label in the top right corner of a region that begins at `left`, in as many lines as its width needs.
void draw_corner_label(Scene& scene, const std::string& label, double left, double right, double top);
/// Width of the widest label, for the margin left of a y axis.
double label_width(const std::vector<Tick>& ticks);

/// Moves positions apart to at least `gap`, in order, keeping them within [low, high] where that is possible.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

/// Splits text into lines no wider than `width` px, at blanks.
std::vector<std::string> wrap(const std::string& text, double width, double size, bool bold = false);

}  // namespace weir::reports::charts
