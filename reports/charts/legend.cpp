#include "reports/charts/legend.h"

#include <cmath>

#include "reports/charts/clip.h"
#include "reports/charts/frame.h"

namespace weir::reports::charts {
namespace {

constexpr double kHatchStep = 6;

void draw_diagonals(Scene& scene, const Box& box) {
  const Stroke stroke{Role::canvas, 1.2, Dash::solid};
  // Lines x + y = const on one lattice for the whole chart, so that neighbouring bars match.
  const double first = std::ceil((box.left + box.top) / kHatchStep) * kHatchStep;
  for (double sum = first; sum < box.right + box.bottom; sum += kHatchStep) {
    const auto part = clip_segment({sum - box.top, box.top}, {sum - box.bottom, box.bottom}, box);
    if (part) scene.add(Line{part->first, part->second, stroke});
  }
}

}  // namespace

void draw_bar(Scene& scene, double x, double y, double width, double height, Role role, Hatch hatch) {
  if (!(width > 0) || !(height > 0)) return;
  const bool hollow = hatch == Hatch::hollow;
  scene.add(
      Rect{x, y, width, height, {hollow ? Role::canvas : role, 1}, {hollow ? role : Role::none, 1, Dash::solid}, 0});
  if (hatch == Hatch::diagonal) draw_diagonals(scene, {x, y, x + width, y + height});
  if (hatch == Hatch::level) {
    for (double at = std::ceil(y / 4) * 4 + 0.5; at < y + height - 0.5; at += 4) {
      scene.add(Line{{x, at}, {x + width, at}, {Role::canvas, 1, Dash::solid}});
    }
  }
}

double draw_legend(Scene& scene, const std::vector<LegendItem>& items, double x, double y, double width) {
  constexpr double kLineSample = 26, kAreaSample = 12;
  constexpr double kGap = 16;
  double at = x;
  double row = y;
  for (const LegendItem& item : items) {
    const double sample = item.area ? kAreaSample : kLineSample;
    const double needed = sample + 6 + text_width(item.label, kTextSize, item.bold);
    if (at > x && at + needed > x + width) {
      at = x;
      row += kLineHeight;
    }
    if (item.area) {
      draw_bar(scene, std::round(at), row + 2, kAreaSample, 10, item.stroke.role, *item.area);
    } else {
      scene.add(Line{{at, row + 7.5}, {at + sample, row + 7.5}, item.stroke});
    }
    scene.add(Text{{at + sample + 6, row + 11.5}, item.label, kTextSize, Anchor::start, Role::text, item.bold, false});
    at += needed + kGap;
  }
  return items.empty() ? 0 : row - y + kLineHeight;
}

}  // namespace weir::reports::charts
