#pragma once

#include <span>

#include "data/progress.h"
#include "data/scenario.h"
#include "sim/metrics/run_result.h"
#include "sim/timing/step_timer.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Power of one accelerator; unknown values leave energy empty.
struct PowerModel {
  std::optional<double> tdp_w, idle_w;
  double a = 0.58, b = 0.28;  ///< busy power / TDP = clip(a + b x, 0.2, 1), x = share of the peak rate
};

struct FleetSpec {
  int replicas = 1;
  int accelerators_per_replica = 1;
  std::int64_t kv_tokens = 0;  ///< of one replica; ignored for one-shot work
  PowerModel power;
};

struct SimulateOptions {
  std::string scenario_name;
  std::uint64_t seed = 1;     ///< of the router's ties and anything else drawn while running
  double series_step_s = 60;  ///< grid of the time series; 0 = none
  bool tails = true;
  data::Progress progress;  ///< polled by event count
  /// Stop early once so many requests missed their limits that `required attainment` can no longer be reached; the
  /// result then only says slo.met == false. For searches.
  bool stop_when_hopeless = false;
};

/// Runs the requests through `fleet.replicas` replicas until all are done. Same arguments, same bytes.
RunResult simulate(const data::Workload& workload, const data::Serving& serving, const RequestList& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options);

}  // namespace weir::sim
