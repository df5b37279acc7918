#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/metrics/run_result.h"

namespace weir::sim {

/// The tail of a latency at up to 60 log-spaced points from the least to the greatest value. `offered` >= values: the
/// requests that were never served count as slower than every point.
std::vector<TailPoint> tail_of_sorted(std::span<const double> ascending, std::int64_t offered);

}  // namespace weir::sim
