#include "reports/charts/tail_parts.h"

#include <algorithm>

#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

/// Digits that tell 99.95 from 100 and 0.05 from 0.
std::string share_text(double share) {
  const double rest = std::min(share, 1 - share);
  return percent(share, rest > 0 && rest < 0.01 ? 2 : 1) + "\u00a0%";
}

double share_slower(const TailCurve& curve, double latency_s) {
  double share = 1;
  for (const Point& p : curve.points) {
    if (p.x > latency_s) break;
    share = p.y;
  }
  return share;
}

}  // namespace

Range tail_range(const TailChart& data, double lowest) {
  double low = 1e300;
  double high = 0;
  for (const TailCurve& curve : data.curves) {
    for (const Point& p : curve.points) {
      if (!(p.x > 0)) continue;
      if (p.y <= 0.98) low = std::min(low, p.x);
      if (p.y >= lowest) high = std::max(high, p.x);
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

std::vector<LegendItem> tail_legend(const TailChart& data) {
  std::vector<LegendItem> legend;
  for (const TailCurve& curve : data.curves) {
    legend.push_back({curve.label, {curve.role, curve.chosen ? kChosenPen : kSeriesPen, curve.dash}, curve.chosen});
  }
  return legend;
}

std::string tail_summary(const TailChart& data, Language language) {
  std::string text;
  if (data.limit_s) {
    text = say(language, "Target: at most {share} slower than {limit}. ",
               {{"share", share_text(data.limit_share)}, {"limit", seconds_text(*data.limit_s)}});
    for (const TailCurve& curve : data.curves) {
      text += list_entry(language, curve.label,
                         say(language, "{share} slower", {{"share", share_text(share_slower(curve, *data.limit_s))}}));
    }
    return text;
  }
  for (const TailCurve& curve : data.curves) {
    const auto p99 = std::find_if(curve.points.begin(), curve.points.end(), [](const Point& p) { return p.y <= 0.01; });
    if (p99 == curve.points.end()) continue;
    text += say(language, "{curve}: 1 in 100 requests is slower than {latency}. ",
                {{"curve", curve.label}, {"latency", seconds_text(p99->x)}});
  }
  return text.empty() ? say(language, "No target is set.") : text;
}

Plot tail_plot(const TailChart& data, const Frame& frame, const std::string& title, const Rect& strip,
               Language language, bool cumulative) {
  Plot plot = frame.plot(true, true);
  plot.x_name = data.latency_name;
  plot.y_name = title;
  plot.read_out = strip;
  plot.x_text = [language, cumulative](double latency_s) {
    const std::string latency = seconds_text(latency_s, Spelling::typographic);
    return cumulative ? say(language, "at most {latency}", {{"latency", latency}})
                      : say(language, "slower than {latency}", {{"latency", latency}});
  };
  plot.y_text = share_text;
  for (const TailCurve& curve : data.curves) {
    std::vector<Point> points = curve.points;
    if (cumulative) {
      for (Point& p : points) p.y = 1 - p.y;
    }
    plot.series.push_back({curve.label, std::move(points), false, false, curve.role});
  }
  return plot;
}

}  // namespace weir::reports::charts
