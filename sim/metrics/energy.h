#pragma once

#include "sim/metrics/totals.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Integral over the busy time of power / TDP, in seconds, where power / TDP = clip(a + b x, 0.2, 1) and x is the
/// larger of the shares of the peak rates (operations, bytes) that the steps reach, octave by octave of their tokens.
/// All replicas together, one accelerator a replica. A peak that is not known does not count.
double busy_power_share_seconds(const FleetTotals& totals, const StepTimer& timer, double a, double b);

}  // namespace weir::sim
