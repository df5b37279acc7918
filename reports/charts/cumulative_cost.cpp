#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/labels.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

std::vector<Point> by_month(const std::vector<double>& amounts) {
  std::vector<Point> points;
  for (std::size_t month = 0; month < amounts.size(); ++month) {
    points.push_back({static_cast<double>(month), amounts[month]});
  }
  return points;
}

bool has_band(const CostCurve& curve) {
  return !curve.low.empty() && curve.low.size() == curve.by_month.size() && curve.high.size() == curve.by_month.size();
}

/// What the axes must cover.
struct Extent {
  std::size_t months = 1;
  double lowest = 0, highest = 0;
};

Extent extent_of(const CostOverTime& data) {
  Extent extent;
  for (const CostCurve& curve : data.curves) {
    if (!curve.by_month.empty()) extent.months = std::max(extent.months, curve.by_month.size() - 1);
    for (const auto* amounts : {&curve.by_month, &curve.low, &curve.high}) {
      for (const double amount : *amounts) {
        extent.lowest = std::min(extent.lowest, amount);
        extent.highest = std::max(extent.highest, amount);
      }
    }
  }
  return extent;
}

/// Amount at a month, between the months too.
double amount_at(const CostCurve& curve, double month) {
  const auto last = static_cast<double>(curve.by_month.size() - 1);
  const double at = std::clamp(month, 0.0, last);
  const auto i = static_cast<std::size_t>(at);
  if (static_cast<double>(i) >= last) return curve.by_month.back();
  return curve.by_month[i] + (at - static_cast<double>(i)) * (curve.by_month[i + 1] - curve.by_month[i]);
}

/// Name and total; zoomed in, where the line leaves the plot before its end, the name alone.
std::vector<EndLabel> end_labels(const CostOverTime& data, double last_shown, Language language) {
  std::vector<EndLabel> labels;
  for (const CostCurve& curve : data.curves) {
    if (curve.by_month.empty()) continue;
    const bool whole = static_cast<double>(curve.by_month.size() - 1) <= last_shown + 1e-9;
    labels.push_back(
        {amount_at(curve, last_shown),
         whole ? curve.label + " " + money_label(curve.by_month.back(), data.currency, language) : curve.label,
         curve.chosen});
  }
  return labels;
}

void draw_break_even(Scene& scene, const BreakEven& event, const Frame& frame, Language language) {
  const Point at = frame.at(event.month, event.amount);
  std::vector<std::string> lines = wrap(event.sentence, (frame.right() - frame.left()) * 0.92, kTextSize, true);
  const std::size_t main_lines = lines.size();
  if (event.months) {
    const double from = std::max(frame.left(), frame.x(event.months->low));
    const double to = std::min(frame.right(), frame.x(event.months->high));
    if (from < to) scene.add(Rect{from, frame.bottom() - 2.5, to - from, 5, {Role::text, 1}, {}, 2});
    const std::string range = say(language, "P10–P90: months {low}–{high}",
                                  {{"low", trimmed(event.months->low, 3)}, {"high", trimmed(event.months->high, 3)}});
    lines.push_back(range);
  }
  if (!frame.shows(at)) return;
  scene.add(Line{{at.x, at.y + 4.5}, {at.x, frame.bottom()}, {Role::text, kTargetPen, Dash::dotted}});
  scene.add(Circle{at, 4.5, {Role::canvas, 1}, {Role::text, 1.5, Dash::solid}});
  const double height = kLineHeight * static_cast<double>(lines.size() - 1);
  std::vector<Place> places;
  for (double y = frame.bottom() - 14 - height; y > frame.top() + 10; y -= 10) {
    places.push_back({{at.x + 10, y}, Anchor::start});
    places.push_back({{at.x - 10, y}, Anchor::end});
    places.push_back({{frame.right() - 4, y}, Anchor::end});
    places.push_back({{frame.left() + 8, y}, Anchor::start});
  }
  place_text(scene, Text{{}, "", kTextSize, Anchor::start, Role::text, true, true}, lines, places,
             {frame.left() + 2, frame.top(), frame.right(), frame.bottom() - 6}, main_lines);
}

std::string summary_of(const CostOverTime& data, Language language) {
  std::string text;
  for (const CostCurve& curve : data.curves) {
    if (curve.by_month.empty()) continue;
    text += say(language, "{curve} reaches {amount} in month {month}. ",
                {{"curve", curve.label},
                 {"amount", money_text(curve.by_month.back(), data.currency, language)},
                 {"month", std::to_string(curve.by_month.size() - 1)}});
  }
  return text + (data.break_even ? data.break_even->sentence + full_stop(language)
                                 : say(language, "The curves shown do not cross for good."));
}

Plot plot_of(const CostOverTime& data, const Frame& frame, const Rect& strip, const std::string& title,
             Language language) {
  Plot plot = frame.plot(true, true);
  plot.x_name = say(language, "Month");
  plot.y_name = title;
  plot.read_out = strip;
  plot.snaps_x = true;
  plot.x_text = [language](double month) {
    return say(language, "Month {month}", {{"month", std::to_string(std::llround(month))}});
  };
  plot.y_text = [language, currency = data.currency](double amount) { return money_text(amount, currency, language); };
  for (const CostCurve& curve : data.curves) {
    plot.series.push_back({curve.label, by_month(curve.by_month), false, false, curve.role});
  }
  return plot;
}

}  // namespace

Scene cumulative_cost(const CostOverTime& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, say(language, "Cumulative cost by month"), "", {}, {}};
  const Extent extent = extent_of(data);
  const MoneyScale scale = money_scale(extent.highest, data.currency, language);
  const std::string title = say(language, "Cumulative cost ({unit})", {{"unit", scale.unit}});
  const double top = draw_title(scene, title, layout.width);
  const double height = layout.height - top - kFooterHeight;

  Range amounts = from_zero(extent.highest);
  if (extent.lowest < 0) amounts.low = -from_zero(-extent.lowest).high;
  Axis y = money_axis(amounts, layout.y_view, scale, ticks_for(height, 36));
  Axis x = month_axis(static_cast<int>(extent.months), layout.x_view, ticks_for(layout.width, 60, 8), language);
  const double left = label_width(y.ticks) + 8;
  const std::vector<EndLabel> labels = end_labels(data, x.range.high, language);
  double names = 0;
  for (const EndLabel& label : labels) names = std::max(names, text_width(label.text, kTextSize, label.bold));
  const Frame frame({left, top, layout.width - left - std::ceil(names) - 14, height, {}, {}, 0}, std::move(x),
                    std::move(y));

  frame.draw_grid(scene);
  bool bands = false;
  for (const CostCurve& curve : data.curves) {
    if (!has_band(curve)) continue;
    draw_band(scene, frame, by_month(curve.low), by_month(curve.high), curve.role, false);
    bands = true;
  }
  for (const bool chosen : {false, true}) {
    for (const CostCurve& curve : data.curves) {
      if (curve.chosen != chosen) continue;
      draw_series(scene, frame, by_month(curve.by_month), {curve.role, chosen ? kChosenPen : kSeriesPen, curve.dash},
                  false, true);
    }
  }
  frame.draw_x_axis(scene);
  draw_end_labels(scene, frame, labels);
  if (data.break_even) draw_break_even(scene, *data.break_even, frame, language);
  if (bands) {
    scene.summary = say(language, "Bands: P10–P90. ");
  }
  scene.summary += summary_of(data, language);
  scene.plots.push_back(plot_of(data, frame, read_out_strip(title, layout.width), title, language));
  return scene;
}

}  // namespace weir::reports::charts
