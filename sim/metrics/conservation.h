#pragma once

#include <optional>
#include <vector>

#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/metrics/totals.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// What must agree at the end of a run.
struct ConservationInput {
  const RequestList& requests;
  const std::vector<RequestRecord>& records;
  const ReplicaTotals& totals;  ///< of the fleet
  int replicas = 1;
  Time wall;                                  ///< first arrival to last departure
  std::optional<double> joules, idle_joules;  ///< what was used, and what an idle fleet would have used
};

/// Checks Little's law (the integral of the number in the system, kept by state changes, equals the sum of the
/// sojourns, kept by request: exactly, in integers), tokens in = out + dropped, busy time by state = by steps <= wall x
/// replicas, energy >= idle energy. Throws std::logic_error when one is broken.
Conservation check_conservation(const ConservationInput& in);

}  // namespace weir::sim
