#include "reports/charts/legend.h"

#include "reports/charts/frame.h"

namespace weir::reports::charts {

double draw_legend(Scene& scene, const std::vector<LegendItem>& items, double x, double y, double width) {
  constexpr double kSample = 26;
  constexpr double kGap = 16;
  double at = x;
  double row = y;
  for (const LegendItem& item : items) {
    const double needed = kSample + 6 + text_width(item.label, kTextSize, item.bold);
    if (at > x && at + needed > x + width) {
      at = x;
      row += kLineHeight;
    }
    scene.add(Line{{at, row + 7.5}, {at + kSample, row + 7.5}, item.stroke});
    scene.add(Text{{at + kSample + 6, row + 11.5}, item.label, kTextSize, Anchor::start, Role::text, item.bold, false});
    at += needed + kGap;
  }
  return items.empty() ? 0 : row - y + kLineHeight;
}

}  // namespace weir::reports::charts
