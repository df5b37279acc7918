#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/tail_parts.h"
#include "reports/charts/words.h"

namespace weir::reports::charts {
namespace {

/// Below the required share at the limit: the curve must pass above and left of this corner.
void draw_limit(Scene& scene, const TailChart& data, const Frame& frame) {
  const double x = std::max(frame.x(*data.limit_s), frame.left());
  const double y = std::clamp(frame.y(1 - data.limit_share), frame.top(), frame.bottom());
  if (x >= frame.right() || y >= frame.bottom()) return;
  scene.add(Rect{x, y, frame.right() - x, frame.bottom() - y, {Role::text, kRegionOpacity}, {}, 0});
  const std::vector<Point> border = {frame.at(frame.x_axis().range.high, 1 - data.limit_share),
                                     frame.at(*data.limit_s, 1 - data.limit_share),
                                     frame.at(*data.limit_s, frame.y_axis().range.low)};
  for (const std::vector<Point>& line : clip_line(border, frame.box())) {
    scene.add(Polyline{line, {Role::text, kTargetPen, Dash::solid}});
  }
}

}  // namespace

Scene latency_cdf(const TailChart& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, say(language, "Share of requests at most so slow"), "", {}, {}};
  const std::string title = say(language, "Requests at most so slow (%)");
  const double legend_top = draw_title(scene, title, layout.width) - 6;
  const double top = legend_top + 6 + draw_legend(scene, tail_legend(data), 0, legend_top, layout.width);
  const double height = layout.height - top - kFooterHeight;

  Axis x = log_axis(tail_range(data, 0.005), layout.x_view, ticks_for(layout.width, 60, 8),
                    log_title(with_symbol(data.latency_name, "s"), language));
  Axis y = share_axis({0, 1}, layout.y_view, ticks_for(height, 36));
  const double left = label_width(y.ticks) + 8;
  const double right = right_margin(x);  // before x is moved
  const Frame frame({left, top, layout.width - left - right, height, {}, {}, 0}, std::move(x), std::move(y));

  frame.draw_grid(scene);
  if (data.limit_s) draw_limit(scene, data, frame);
  for (const bool chosen : {false, true}) {
    for (const TailCurve& curve : data.curves) {
      if (curve.chosen != chosen) continue;
      std::vector<Point> points = curve.points;
      for (Point& p : points) p.y = 1 - p.y;
      draw_series(scene, frame, points, {curve.role, chosen ? kChosenPen : kSeriesPen, curve.dash}, false, false);
    }
  }
  if (data.limit_s) {
    const double y_corner = std::clamp(frame.y(1 - data.limit_share), frame.top(), frame.bottom());
    draw_corner_label(scene, data.limit_label, std::max(frame.left(), frame.x(*data.limit_s)), frame.right(),
                      std::max(y_corner, frame.bottom() - 22));
  }
  frame.draw_x_axis(scene);
  scene.summary = tail_summary(data, language);
  scene.plots.push_back(tail_plot(data, frame, title, read_out_strip(title, layout.width), language, true));
  return scene;
}

}  // namespace weir::reports::charts
