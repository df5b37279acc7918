#include "reports/charts/heat_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/charts/frame.h"
#include "reports/charts/palette.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kScaleWidth = 10;

struct Grid {
  double left = 0, top = 0, cell_width = 0, cell_height = 0;
  Range range;
  bool logarithmic = false;
  double shade(double value) const {
    if (!(range.high > range.low)) return 0.5;
    if (logarithmic) return std::log(value / range.low) / std::log(range.high / range.low);
    return (value - range.low) / (range.high - range.low);
  }
  double x(std::size_t column) const { return std::round(left + static_cast<double>(column) * cell_width); }
  double y(std::size_t row) const { return std::round(top + static_cast<double>(row) * cell_height); }
};

Range range_of(const std::vector<double>& values, bool positive) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value) || (positive && !(value > 0))) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (!(range.low <= range.high)) return {0, 1};
  return range;
}

std::string cell_text(double value) { return std::isfinite(value) ? trimmed(value, 3, Spelling::typographic) : "–"; }

std::vector<Tick> scale_ticks(const Grid& grid, double height) {
  if (!(grid.range.high > grid.range.low)) return {};
  const int wanted = ticks_for(height, 40);
  return grid.logarithmic ? log_ticks(grid.range.low, grid.range.high, wanted)
                          : linear_ticks(grid.range.low, grid.range.high, wanted);
}

/// The letters that read better on this shade.
Role ink_on(double shade) {
  const Colour ground = cividis(shade);
  return contrast(colour(Role::ink, Theme::light), ground) > contrast(colour(Role::chalk, Theme::light), ground)
             ? Role::ink
             : Role::chalk;
}

void draw_cells(Scene& scene, const HeatMap& data, const Grid& grid) {
  double widest = 0;
  for (const double value : data.values) widest = std::max(widest, text_width(cell_text(value), kTextSize));
  const bool numbers = grid.cell_width >= widest + 6 && grid.cell_height >= 14;
  for (std::size_t row = 0; row < data.rows.size(); ++row) {
    for (std::size_t column = 0; column < data.columns.size(); ++column) {
      const double value = data.values[row * data.columns.size() + column];
      const double x = grid.x(column);
      const double y = grid.y(row);
      const double width = grid.x(column + 1) - x;
      const double height = grid.y(row + 1) - y;
      const bool known = std::isfinite(value) && (!grid.logarithmic || value > 0);
      const double shade = known ? grid.shade(value) : -1;
      // Bright seams between cells where they are large enough to carry them.
      const double seam = numbers ? 1 : 0;
      if (known) scene.add(Rect{x, y, width - seam, height - seam, {Role::none, 1, shade}, {}, 0});
      if (!numbers) continue;
      scene.add(Text{{x + (width - seam) / 2, y + (height - seam) / 2 + 4},
                     cell_text(value),
                     kTextSize,
                     Anchor::middle,
                     known ? ink_on(shade) : Role::text_secondary,
                     false,
                     false});
    }
  }
}

/// Names of columns below and of rows left of the map, as many as find room.
void draw_names(Scene& scene, const HeatMap& data, const Grid& grid) {
  const double bottom = grid.y(data.rows.size());
  double free_from = -1e9;
  for (std::size_t column = 0; column < data.columns.size(); ++column) {
    const double middle = (grid.x(column) + grid.x(column + 1)) / 2;
    const double half = text_width(data.columns[column], kTextSize) / 2;
    if (middle - half < free_from) continue;
    scene.add(Text{
        {middle, bottom + 16}, data.columns[column], kTextSize, Anchor::middle, Role::text_secondary, false, false});
    free_from = middle + half + 6;
  }
  double free_below = -1e9;
  for (std::size_t row = 0; row < data.rows.size(); ++row) {
    const double middle = (grid.y(row) + grid.y(row + 1)) / 2;
    if (middle < free_below) continue;
    scene.add(
        Text{{grid.left - 6, middle + 4}, data.rows[row], kTextSize, Anchor::end, Role::text_secondary, false, false});
    free_below = middle + 13;
  }
  scene.add(Text{{(grid.left + grid.x(data.columns.size())) / 2, bottom + 31},
                 data.x_title,
                 kTextSize,
                 Anchor::middle,
                 Role::text_secondary,
                 false,
                 false});
}

/// The scale of colours right of the map, with its ends and round numbers between.
void draw_scale(Scene& scene, const Grid& grid, double left, double bottom) {
  const double height = bottom - grid.top;
  const int steps = std::max(2, static_cast<int>(height / 3));
  for (int i = 0; i < steps; ++i) {
    const double y = std::round(grid.top + height * i / steps);
    const double next = std::round(grid.top + height * (i + 1) / steps);
    scene.add(Rect{left, y, kScaleWidth, next - y, {Role::none, 1, 1 - (i + 0.5) / steps}, {}, 0});
  }
  for (const Tick& tick : scale_ticks(grid, height)) {
    const double y = bottom - grid.shade(tick.value) * height;
    scene.add(Text{
        {left + kScaleWidth + 5, y + 4}, tick.label, kTextSize, Anchor::start, Role::text_secondary, false, false});
  }
}

void draw_chosen(Scene& scene, const HeatMap& data, const Grid& grid) {
  if (!data.chosen || data.chosen->first >= data.rows.size() || data.chosen->second >= data.columns.size()) return;
  const double x = grid.x(data.chosen->second);
  const double y = grid.y(data.chosen->first);
  const double width = grid.x(data.chosen->second + 1) - x;
  const double height = grid.y(data.chosen->first + 1) - y;
  // Seen on every shade and in every theme: a text-coloured frame around a canvas-coloured one.
  scene.add(Rect{x - 1, y - 1, width + 1, height + 1, {}, {Role::text, 2, Dash::solid}, 0});
  scene.add(Rect{x + 1, y + 1, width - 3, height - 3, {}, {Role::canvas, 1, Dash::solid}, 0});
}

Plot plot_of(const HeatMap& data, const Grid& grid, const Rect& strip) {
  Plot plot;
  plot.area = {grid.left, grid.top, grid.x(data.columns.size()) - grid.left, grid.y(data.rows.size()) - grid.top, {},
               {},        0};
  plot.x = plot.x_all = {0, static_cast<double>(data.columns.size()), false};
  plot.y = plot.y_all = {static_cast<double>(data.rows.size()), 0, false};
  plot.x_name = data.x_title;
  plot.y_name = data.y_title;
  plot.read_out = strip;
  plot.text_at = [data](Point at) {
    const auto column = static_cast<std::size_t>(std::max(0.0, at.x));
    const auto row = static_cast<std::size_t>(std::max(0.0, at.y));
    if (column >= data.columns.size() || row >= data.rows.size()) return std::string();
    const double value = data.values[row * data.columns.size() + column];
    return data.y_title + " " + data.rows[row] + "\u2003" + data.x_title + " " + data.columns[column] + "\u2003" +
           cell_text(value) + (data.unit.empty() || !std::isfinite(value) ? "" : "\u00a0" + data.unit);
  };
  return plot;
}

}  // namespace

Scene heat_map(const HeatMap& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, data.title, say(language, "There is nothing to draw."), {}, {}};
  double top = draw_title(scene, data.title, layout.width);
  if (data.rows.empty() || data.columns.empty() || data.values.size() != data.rows.size() * data.columns.size()) {
    return scene;
  }
  Grid grid;
  grid.range = range_of(data.values, data.logarithmic);
  grid.logarithmic = data.logarithmic;
  double names = 0;
  for (const std::string& row : data.rows) names = std::max(names, text_width(row, kTextSize));
  double numbers = 0;
  for (const Tick& tick : scale_ticks(grid, layout.height))
    numbers = std::max(numbers, text_width(tick.label, kTextSize));
  if (!data.y_title.empty()) {
    scene.add(Text{{0, top + 4}, data.y_title, kTextSize, Anchor::start, Role::text_secondary, false, false});
    top += kLineHeight;
  }
  grid.left = std::ceil(names) + 10;
  grid.top = top;
  const double right = layout.width - kScaleWidth - std::ceil(numbers) - 22;
  const double bottom = layout.height - kFooterHeight;
  grid.cell_width = (right - grid.left) / static_cast<double>(data.columns.size());
  grid.cell_height = (bottom - top) / static_cast<double>(data.rows.size());
  draw_cells(scene, data, grid);
  draw_chosen(scene, data, grid);
  draw_names(scene, data, grid);
  draw_scale(scene, grid, right + 14, grid.y(data.rows.size()));
  const std::string unit = data.unit.empty() ? "" : "\u00a0" + data.unit;
  scene.summary = say(language, "From {low} to {high}. ",
                      {{"low", cell_text(grid.range.low) + unit}, {"high", cell_text(grid.range.high) + unit}});
  scene.plots.push_back(plot_of(data, grid, read_out_strip(data.title, layout.width)));
  return scene;
}

}  // namespace weir::reports::charts
