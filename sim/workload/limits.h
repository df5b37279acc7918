#pragma once

#include "sim/core/time.h"

namespace weir::sim {

/// The last arrival a demand may have: 10,000,000 s, 115 days. A run may go on until Time::never(), 2.3 times as far,
/// which leaves room for the backlog of a fleet that is too small.
inline constexpr Time kLongestDemand = Time::from_ticks(10'000'000 * Time::kTicksPerSecond);

/// The longest prompt or answer a drawn request has.
inline constexpr double kMostTokens = 1 << 24;

}  // namespace weir::sim
