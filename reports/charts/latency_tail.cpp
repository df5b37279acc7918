#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/legend.h"
#include "reports/charts/tail_parts.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kLowestShare = 0.001;

/// The corner to stay out of: slower than the limit for more than the allowed share.
void draw_limit(Scene& scene, const TailChart& data, const Frame& frame) {
  const double x = std::max(frame.x(*data.limit_s), frame.left());
  const double y = std::clamp(frame.y(data.limit_share), frame.top(), frame.bottom());
  if (x >= frame.right() || y <= frame.top()) return;
  scene.add(Rect{x, frame.top(), frame.right() - x, y - frame.top(), {Role::text, kRegionOpacity}, {}, 0});
  const std::vector<Point> border = {frame.at(*data.limit_s, frame.y_axis().range.high),
                                     frame.at(*data.limit_s, data.limit_share),
                                     frame.at(frame.x_axis().range.high, data.limit_share)};
  for (const std::vector<Point>& line : clip_line(border, frame.box())) {
    scene.add(Polyline{line, {Role::text, kTargetPen, Dash::solid}});
  }
}

}  // namespace

Scene latency_tail(const TailChart& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, say(language, "Share of requests slower than a latency"), "", {}, {}};
  const std::string title = say(language, "Share of requests slower (log scale)");
  const double legend_top = draw_title(scene, title, layout.width) - 6;
  const double top = legend_top + 6 + draw_legend(scene, tail_legend(data), 0, legend_top, layout.width);
  const double height = layout.height - top - kFooterHeight;

  Axis x = log_axis(tail_range(data, kLowestShare), layout.x_view, ticks_for(layout.width, 60, 8),
                    log_title(with_symbol(data.latency_name, "s"), language));
  Axis y = log_share_axis({kLowestShare, 1}, layout.y_view, ticks_for(height, 22));
  const double left = label_width(y.ticks) + 8;
  const double right = right_margin(x);  // before x is moved
  const Frame frame({left, top, layout.width - left - right, height, {}, {}, 0}, std::move(x), std::move(y));

  frame.draw_grid(scene);
  if (data.limit_s) draw_limit(scene, data, frame);
  // The chosen curve is drawn last, on top.
  for (const bool chosen : {false, true}) {
    for (const TailCurve& curve : data.curves) {
      if (curve.chosen != chosen) continue;
      draw_series(scene, frame, curve.points, {curve.role, chosen ? kChosenPen : kSeriesPen, curve.dash}, false, false);
    }
  }
  if (data.limit_s) {
    draw_corner_label(scene, data.limit_label, std::max(frame.left(), frame.x(*data.limit_s)), frame.right(),
                      frame.top());
  }
  frame.draw_x_axis(scene);
  scene.summary = tail_summary(data, language);
  scene.plots.push_back(tail_plot(data, frame, title, read_out_strip(title, layout.width), language, false));
  return scene;
}

}  // namespace weir::reports::charts
