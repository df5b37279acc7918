#pragma once

#include <string>
#include <vector>

#include "reports/charts/figures.h"
#include "reports/charts/frame.h"
#include "reports/charts/legend.h"

/// What the two pictures of one latency distribution share.
namespace weir::reports::charts {

/// The latencies worth showing: from where the first curve starts to fall to where the last has fallen to `lowest`.
Range tail_range(const TailChart& data, double lowest);
std::vector<LegendItem> tail_legend(const TailChart& data);
/// One sentence on the target and one for each curve.
std::string tail_summary(const TailChart& data, Language language);
/// Series are read out as the share of slower requests, or of those at most so slow.
Plot tail_plot(const TailChart& data, const Frame& frame, const std::string& title, const Rect& strip,
               Language language, bool cumulative);

}  // namespace weir::reports::charts
