#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/charts/axes.h"
#include "reports/charts/clip.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// Pen widths and sizes shared by all charts (px).
inline constexpr double kSeriesPen = 1.75, kChosenPen = 2.5, kTargetPen = 1.2;
inline constexpr double kTextSize = 11, kLineHeight = 15;
/// Space above the plot that holds a title of one line.
inline constexpr double kTitleHeight = 24;
/// Space below the plot that holds the numbers of the x axis and its title.
inline constexpr double kFooterHeight = 36;
/// Lines of more points than this are drawn with pens of 1 px, which paint many times faster.
inline constexpr std::size_t kManyPoints = 10'000;
/// Opacity of an uncertainty band, and of the region that misses a target.
inline constexpr double kBandOpacity = 0.16, kRegionOpacity = 0.06;

/// A plot area with its two axes, in data units. The chart's title stands for the y axis: "Cumulative cost (thousand
/// USD)". The area is moved to whole pixels.
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
  Box box() const { return {left(), top(), right(), bottom()}; }
  /// True when the place lies in the plot.
  bool shows(Point p) const;
  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }

  /// Horizontal grid lines and the numbers of the y axis.
  void draw_grid(Scene& scene) const;
  /// The x axis with tick marks and numbers that do not touch each other, and its title.
  void draw_x_axis(Scene& scene) const;
  /// The parts of a line that lie inside the plot, in px, with no more points than can be seen. x must not decrease.
  /// With steps the value of a point holds until the next one.
  std::vector<std::vector<Point>> lines(const std::vector<Point>& points, bool steps = false) const;
  /// As many of the points, in data units, as can be told apart in this plot: for lines and for reading values.
  std::vector<Point> kept(const std::vector<Point>& points) const;
  /// The outline, in px, of the band between two lines that share their x.
  std::vector<Point> band(const std::vector<Point>& low, const std::vector<Point>& high, bool steps = false) const;
  /// What a reader can do with this plot; names and texts are added by the chart.
  Plot plot(bool zooms_x, bool zooms_y) const;

 private:
  std::vector<Point> visible_points(const std::vector<Point>& points, bool steps) const;

  Rect plot_;
  Axis x_, y_;
};

/// The same as `stroke`, one px wide when a line has too many points for a wide pen.
Stroke pen_for(Stroke stroke, std::size_t points);
/// The line of a series, with a casing in the canvas's colour when it runs over bands.
void draw_series(Scene& scene, const Frame& frame, const std::vector<Point>& points, const Stroke& stroke, bool steps,
                 bool casing);
void draw_band(Scene& scene, const Frame& frame, const std::vector<Point>& low, const std::vector<Point>& high,
               Role role, bool steps);

/// The title in as many lines as the width needs. Returns the height from the top of the scene to the plot, or to
/// what stands between.
double draw_title(Scene& scene, const std::string& title, double width, double y = 0);
/// The strip for the read-out line: the title's row, right of the title.
Rect read_out_strip(const std::string& title, double width, double y = 0);
/// A label in the top right corner of a region that begins at `left`, in as many lines as its width needs. A region
/// too narrow for its words gets none.
void draw_corner_label(Scene& scene, const std::string& label, double left, double right, double top);
/// Width of the widest label, for the margin left of a y axis.
double label_width(const std::vector<Tick>& ticks);
/// Margin right of a plot that keeps the last number of the x axis inside the scene.
double right_margin(const Axis& x);

/// Moves positions apart to at least `gap`, in order, keeping them within [low, high] where that is possible.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

/// A name for the end of a line.
struct EndLabel {
  double value = 0;  ///< y of the line's end, data units
  std::string text;
  bool bold = false;
};
/// Names right of the plot at the height of their lines, pushed apart.
void draw_end_labels(Scene& scene, const Frame& frame, const std::vector<EndLabel>& labels);

/// Splits text into lines no wider than `width` px, at blanks and between Han characters.
std::vector<std::string> wrap(const std::string& text, double width, double size, bool bold = false);

}  // namespace weir::reports::charts
