#pragma once

#include <optional>

#include "sim/core/time.h"
#include "sim/metrics/run_metrics.h"
#include "sim/metrics/run_result.h"
#include "sim/metrics/totals.h"

namespace weir::sim {

/// Tokens of the replicas' work that no completed request shows: of requests that were sent on to be served again, or
/// that left half served.
struct TokensElsewhere {
  std::int64_t read = 0;  ///< prompt tokens, as SchedulerCounts counts them: once each, those found in a cache too
  std::int64_t written = 0;
};

/// What must agree at the end of a run: what the replicas counted, and what their requests add up to.
struct ConservationInput {
  const FleetTotals& totals;
  const RunMetrics& metrics;  ///< settled
  int replicas = 1;
  Time wall;                                  ///< first arrival to last departure
  std::optional<double> joules, idle_joules;  ///< what was used, and what an idle fleet would have used
  TokensElsewhere elsewhere = {};
};

/// Checks, in integers:
///  - Little's law: the integral of the number in the system, kept by changes of state, is the sum of the sojourns
///  - prompt tokens read - recomputed + found in the prefix cache = input tokens of the completed requests + elsewhere
///  - tokens written = output tokens of the completed requests + elsewhere
///  - tokens in = tokens out + dropped, with tokens out by replica and the others by request
///  - 0 <= busy time by state = by steps <= wall x replicas
/// and energy >= idle energy. Throws std::logic_error when one is broken.
Conservation check_conservation(const ConservationInput& in);

}  // namespace weir::sim
