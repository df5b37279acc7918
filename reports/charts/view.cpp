#include "reports/charts/view.h"

#include <algorithm>
#include <cmath>

namespace weir::reports::charts {
namespace {

using View = std::optional<Range>;

constexpr double kNearest = 1e-3;

/// An axis where it is straight: in the logarithm of a logarithmic one.
struct Straight {
  bool logarithmic = false;
  double to(double value) const { return logarithmic ? std::log(value) : value; }
  double back(double value) const { return logarithmic ? std::exp(value) : value; }
};

/// `low` and `span` in straight units, moved and cut into what there is.
View fitted(const Straight& straight, const Scale& all, double low, double span) {
  const double all_low = straight.to(all.low);
  const double all_span = straight.to(all.high) - all_low;
  if (span >= all_span * (1 - 1e-9)) return std::nullopt;
  low = std::clamp(low, all_low, all_low + all_span - span);
  // The ends are taken from the data's own where they coincide, so that rounding shows no gap.
  const bool at_begin = low <= all_low;
  const bool at_end = low >= all_low + all_span - span;
  return Range{at_begin ? all.low : straight.back(low), at_end ? all.high : straight.back(low + span)};
}

View zoomed(const Scale& now, const Scale& all, double share, double factor) {
  const Straight straight{now.logarithmic};
  const double low = straight.to(now.low);
  const double span = straight.to(now.high) - low;
  const double all_span = straight.to(all.high) - straight.to(all.low);
  const double wanted = std::clamp(span / factor, all_span * kNearest, all_span);
  const double held = low + std::clamp(share, 0.0, 1.0) * span;
  return fitted(straight, all, held - std::clamp(share, 0.0, 1.0) * wanted, wanted);
}

View moved(const Scale& now, const Scale& all, double by_share) {
  const Straight straight{now.logarithmic};
  const double low = straight.to(now.low);
  const double span = straight.to(now.high) - low;
  return fitted(straight, all, low + by_share * span, span);
}

}  // namespace

Layout zoom_about(const Layout& layout, const Plot& plot, Point px, double factor) {
  Layout next = layout;
  if (!(factor > 0)) return next;
  if (plot.zooms_x) next.x_view = zoomed(plot.x, plot.x_all, (px.x - plot.area.x) / plot.area.width, factor);
  if (plot.zooms_y) next.y_view = zoomed(plot.y, plot.y_all, 1 - (px.y - plot.area.y) / plot.area.height, factor);
  return next;
}

Layout pan(const Layout& layout, const Plot& plot, double dx, double dy) {
  Layout next = layout;
  if (plot.zooms_x && layout.x_view) next.x_view = moved(plot.x, plot.x_all, -dx / plot.area.width);
  if (plot.zooms_y && layout.y_view) next.y_view = moved(plot.y, plot.y_all, dy / plot.area.height);
  return next;
}

Layout reset_view(const Layout& layout) {
  Layout next = layout;
  next.x_view.reset();
  next.y_view.reset();
  return next;
}

bool has_view(const Layout& layout) { return layout.x_view.has_value() || layout.y_view.has_value(); }

}  // namespace weir::reports::charts
