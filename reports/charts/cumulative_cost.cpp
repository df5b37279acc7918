#include <algorithm>
#include <cmath>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/money_axis.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

std::string end_label(const CostCurve& curve, const std::string& currency) {
  return curve.label + " " + money_short(curve.by_month.back(), currency, Spelling::typographic);
}

void draw_end_labels(Scene& scene, const CostOverTime& data, const Frame& frame, double divisor) {
  std::vector<double> at;
  for (const CostCurve& curve : data.curves) at.push_back(frame.y(curve.by_month.back() / divisor));
  const std::vector<double> placed = spread(at, kLineHeight, frame.top() + 4, frame.bottom() - 2);
  for (std::size_t i = 0; i < data.curves.size(); ++i) {
    const CostCurve& curve = data.curves[i];
    if (std::fabs(placed[i] - at[i]) > 3) {
      scene.add(Line{{frame.right() + 1, at[i]}, {frame.right() + 8, placed[i]}, {Role::control, 1, Dash::solid}});
    }
    scene.add(Text{{frame.right() + 10, placed[i] + 4},
                   end_label(curve, data.currency),
                   kTextSize,
                   Anchor::start,
                   Role::text,
                   curve.chosen,
                   false});
  }
}

void draw_break_even(Scene& scene, const BreakEven& event, const Frame& frame, double divisor) {
  const Point at = frame.at(event.month, event.amount / divisor);
  scene.add(Line{{at.x, at.y + 4}, {at.x, frame.bottom()}, {Role::text, 1.2, Dash::dotted}});
  scene.add(Circle{at, 4.5, {Role::canvas, 1}, {Role::text, 1.5, Dash::solid}});
  // The sentence stands in the free corner below the curves, on the side with more room.
  const double width = text_width(event.sentence, kTextSize, true);
  const bool to_the_right = frame.right() - at.x > width + 16;
  const double y = std::max(at.y + 26, frame.bottom() - 14);
  scene.add(Text{{to_the_right ? at.x + 8 : at.x - 8, y},
                 event.sentence,
                 kTextSize,
                 to_the_right ? Anchor::start : Anchor::end,
                 Role::text,
                 true,
                 true});
}

}  // namespace

Scene cumulative_cost(const CostOverTime& data, const Layout& layout) {
  Scene scene{layout.width, layout.height, "Cumulative cost by month", "", {}, {}};
  double largest = 0;
  std::size_t months = 1;
  double label = 0;
  for (const CostCurve& curve : data.curves) {
    largest = std::max(largest, *std::max_element(curve.by_month.begin(), curve.by_month.end()));
    months = std::max(months, curve.by_month.size() - 1);
    label = std::max(label, text_width(end_label(curve, data.currency), kTextSize, curve.chosen));
  }
  const MoneyScale scale = money_scale(largest, data.currency);
  const Range range = from_zero(largest / scale.divisor);
  Axis y{range, linear_ticks(range.low, range.high), "", false};
  Axis x{{0, static_cast<double>(months)}, month_ticks(static_cast<int>(months)), "Month", false};
  const double margin = label_width(y.ticks) + 8;
  const Rect plot{margin, kTitleHeight, layout.width - margin - label - 14, layout.height - kTitleHeight - 36, {}, {},
                  0};
  const Frame frame(plot, std::move(x), std::move(y));

  draw_title(scene, "Cumulative cost (" + scale.unit + ")");
  frame.draw_grid(scene);
  for (const CostCurve& curve : data.curves) {
    std::vector<Point> points;
    for (std::size_t month = 0; month < curve.by_month.size(); ++month) {
      points.push_back(frame.at(static_cast<double>(month), curve.by_month[month] / scale.divisor));
    }
    scene.add(Polyline{points, {Role::canvas, (curve.chosen ? kChosenPen : kSeriesPen) + 3, Dash::solid}});
    scene.add(Polyline{points, {curve.role, curve.chosen ? kChosenPen : kSeriesPen, curve.dash}});
  }
  frame.draw_x_axis(scene);
  if (data.break_even) draw_break_even(scene, *data.break_even, frame, scale.divisor);
  draw_end_labels(scene, data, frame, scale.divisor);

  for (const CostCurve& curve : data.curves) {
    scene.summary += curve.label + " reaches " + money_short(curve.by_month.back(), data.currency) + " in month " +
                     std::to_string(curve.by_month.size() - 1) + ". ";
  }
  scene.summary += data.break_even ? data.break_even->sentence + "." : "The curves shown do not cross for good.";
  return scene;
}

}  // namespace weir::reports::charts
