#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

struct TimeUnit {
  double seconds;
  const char* title;
};

TimeUnit time_unit(double span_s) {
  if (span_s > 3 * 86400.0) return {86400, "Day of the run"};
  if (span_s > 3 * 3600.0) return {3600, "Hour of the run"};
  if (span_s > 180) return {60, "Minute of the run"};
  return {1, "Second of the run"};
}

/// Mean of neighbouring cells, so that no more than `most` are drawn.
std::vector<double> thin(const std::vector<double>& values, std::size_t stride) {
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); i += stride) {
    const std::size_t end = std::min(values.size(), i + stride);
    double sum = 0;
    for (std::size_t j = i; j < end; ++j) sum += values[j];
    out.push_back(sum / static_cast<double>(end - i));
  }
  return out;
}

void draw_steps(Scene& scene, const Frame& frame, const std::vector<double>& begins, double end,
                const std::vector<double>& values, Role role) {
  std::vector<Point> line;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double next = i + 1 < begins.size() ? begins[i + 1] : end;
    line.push_back(frame.at(begins[i], values[i]));
    line.push_back(frame.at(next, values[i]));
  }
  if (line.empty()) return;
  std::vector<Point> area = line;
  area.push_back({line.back().x, frame.bottom()});
  area.push_back({line.front().x, frame.bottom()});
  scene.add(Polygon{area, {role, 0.13}, {}});
  scene.add(Polyline{line, {role, 1.4, Dash::solid}});
}

}  // namespace

Scene load_over_run(const LoadChart& data, const Layout& layout) {
  constexpr std::size_t kMostCells = 240;
  Scene scene{layout.width, layout.height, "Load over the run", "", {}, {}};
  if (data.begin_s.empty()) return scene;
  const double span = data.end_s - data.begin_s.front();
  const TimeUnit unit = time_unit(span);
  const std::size_t stride = (data.begin_s.size() + kMostCells - 1) / kMostCells;
  std::vector<double> begins;
  for (std::size_t i = 0; i < data.begin_s.size(); i += stride) {
    begins.push_back((data.begin_s[i] - data.begin_s.front()) / unit.seconds);
  }
  const double end = span / unit.seconds;
  const std::vector<double> arrivals = thin(data.arrivals_per_s, stride);
  const std::vector<double> busy = thin(data.busy_share, stride);
  const double peak = *std::max_element(arrivals.begin(), arrivals.end());
  const double busiest = *std::max_element(busy.begin(), busy.end());

  const Range y_range = from_zero(peak, 4);
  Axis upper_y{y_range, linear_ticks(y_range.low, y_range.high, 4), "", false};
  Axis lower_y{{0, 1}, {{0, "0"}, {0.5, "50"}, {1, "100"}}, "", false};
  const double margin = std::max(label_width(upper_y.ticks), label_width(lower_y.ticks)) + 8;
  const double inner = layout.height - 2 * kTitleHeight - 36 - 10;
  const double width = layout.width - margin - 12;
  const double upper_height = inner * 0.55;
  const Frame upper(Rect{margin, kTitleHeight, width, upper_height, {}, {}, 0}, {{0, end}, {}, "", false}, upper_y);
  const double lower_top = 2 * kTitleHeight + upper_height + 10;
  const Frame lower(Rect{margin, lower_top, width, inner - upper_height, {}, {}, 0},
                    {{0, end}, linear_ticks(0, end), unit.title, false}, lower_y);

  draw_title(scene, "Arrivals (requests/s)");
  upper.draw_grid(scene);
  draw_steps(scene, upper, begins, end, arrivals, Role::text_secondary);
  scene.add(Line{{upper.left(), upper.bottom()}, {upper.right(), upper.bottom()}, {Role::control, 1, Dash::solid}});
  scene.add(Text{{0, lower_top - 10},
                 "Accelerators busy (%)" + (data.option.empty() ? "" : ", " + data.option),
                 kTextSize,
                 Anchor::start,
                 Role::text,
                 true,
                 false});
  lower.draw_grid(scene);
  draw_steps(scene, lower, begins, end, busy, Role::neutral);
  lower.draw_x_axis(scene);
  scene.summary = "Up to " + significant(peak, 2) + " requests/s arrive in a cell of " +
                  seconds_text(span / static_cast<double>(begins.size())) + "; accelerators are at most " +
                  percent(busiest, 0) + " % busy.";
  return scene;
}

}  // namespace weir::reports::charts
