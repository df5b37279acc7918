#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/legend.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kLowestShare = 0.001;

/// The latencies worth showing: from where the first curve starts to fall to where the last has left the chart.
Range latency_range(const TailChart& data) {
  double low = 1e300;
  double high = 0;
  for (const TailCurve& curve : data.curves) {
    for (const Point& p : curve.points) {
      if (!(p.x > 0)) continue;
      if (p.y <= 0.98) low = std::min(low, p.x);
      if (p.y >= kLowestShare) high = std::max(high, p.x);
    }
  }
  if (data.limit_s) {
    low = std::min(low, *data.limit_s / 2);
    high = std::max(high, *data.limit_s * 2.5);
  }
  if (!(high > 0) || !(low < high)) return {0.1, 1};
  // More than four decades would squeeze the part that decides.
  return log_range(std::max(low, high / 1e4), high);
}

void draw_limit(Scene& scene, const TailChart& data, const Frame& frame) {
  const Point corner = frame.at(*data.limit_s, data.limit_share);
  scene.add(Rect{corner.x, frame.top(), frame.right() - corner.x, corner.y - frame.top(), {Role::text, 0.06}, {}, 0});
  scene.add(
      Polyline{{{corner.x, frame.top()}, corner, {frame.right(), corner.y}}, {Role::text, kTargetPen, Dash::solid}});
}

std::string share_at(const TailCurve& curve, double latency_s) {
  double share = 1;
  for (const Point& p : curve.points) {
    if (p.x > latency_s) break;
    share = p.y;
  }
  return percent(share, share < 0.01 ? 2 : 1);
}

}  // namespace

Scene latency_tail(const TailChart& data, const Layout& layout) {
  Scene scene{layout.width, layout.height, "Share of requests slower than a latency", "", {}, {}};
  std::vector<LegendItem> legend;
  for (const TailCurve& curve : data.curves) {
    legend.push_back({curve.label, {curve.role, curve.chosen ? kChosenPen : kSeriesPen, curve.dash}, curve.chosen});
  }
  draw_title(scene, "Share of requests slower (log scale)");
  const double top = kTitleHeight + draw_legend(scene, legend, 0, 18, layout.width);

  const Range x_range = latency_range(data);
  Axis x{x_range, log_ticks(x_range.low, x_range.high), data.latency_name + " (s)", true};
  Axis y{{kLowestShare, 1}, {{1, "100 %"}, {0.1, "10 %"}, {0.01, "1 %"}, {0.001, "0.1 %"}}, "", true};
  const double margin = label_width(y.ticks) + 8;
  const Rect plot{margin, top, layout.width - margin - 16, layout.height - top - 36, {}, {}, 0};
  const Frame frame(plot, std::move(x), std::move(y));

  frame.draw_grid(scene);
  if (data.limit_s) draw_limit(scene, data, frame);
  // The chosen curve is drawn last, on top.
  for (const bool chosen : {false, true}) {
    for (const TailCurve& curve : data.curves) {
      if (curve.chosen != chosen) continue;
      scene.add(Polyline{frame.clip(curve.points), {curve.role, chosen ? kChosenPen : kSeriesPen, curve.dash}});
    }
  }
  if (data.limit_s) draw_corner_label(scene, data.limit_label, frame.x(*data.limit_s), frame.right(), frame.top());
  frame.draw_x_axis(scene);

  if (data.limit_s) {
    scene.summary =
        "Target: at most " + percent(data.limit_share) + " % slower than " + seconds_text(*data.limit_s) + ". ";
    for (const TailCurve& curve : data.curves) {
      scene.summary += curve.label + ": " + share_at(curve, *data.limit_s) + " % slower. ";
    }
  }
  return scene;
}

}  // namespace weir::reports::charts
