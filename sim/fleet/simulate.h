#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/progress.h"
#include "data/scenario.h"
#include "sim/fleet/copy_times.h"
#include "sim/fleet/fleet_process.h"
#include "sim/fleet/router.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/serving/rules.h"
#include "sim/timing/step_timer.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// Power of one accelerator; unknown values leave energy empty.
struct PowerModel {
  std::optional<double> tdp_w, idle_w;
  double a = 0.58, b = 0.28;  ///< busy power / TDP = clip(a + b x, 0.2, 1), x = share of the peak rate
};

/// Replicas that are alike.
struct PoolSpec {
  std::string accelerator = {};
  bool cloud = false;
  int replicas = 1;
  int accelerators_per_replica = 1;
  std::int64_t kv_tokens = 0;  ///< of one replica; ignored for one-shot work
  PowerModel power = {};
  CopyTimes copies = {};  ///< of one-shot work between host and accelerator
  const StepTimer* timer = nullptr;
  double speed = 1;  ///< relative to the other pools, for routers that compare loads
};

struct FleetSpec {
  int replicas = 1;
  int accelerators_per_replica = 1;
  std::int64_t kv_tokens = 0;  ///< of one replica; ignored for one-shot work
  PowerModel power;
  CopyTimes copies;  ///< of one-shot work between host and accelerator
  /// In place of all of the above, and of the timer of the run. Empty = one pool.
  std::vector<PoolSpec> pools = {};
  RouterRules router = {};          ///< seed and first replica are the run's
  data::FleetConduct conduct = {};  ///< what happens to the replicas; autoscaling: of one pool
  double start_up_s = 0;            ///< autoscaling: of one more replica
};

/// How a run gets through its steps. All give the same bytes; they differ in speed and in how much is trusted.
enum class Stepping {
  fast_forward,  ///< jumps over steps that repeat, on the affine scheduler where it can follow the rules
  jumps,         ///< jumps, on the scheduler that keeps every request's state by itself
  step_by_step,  ///< the reference: every step, every request
};

struct SimulateOptions {
  std::string scenario_name;
  std::uint64_t seed = 1;     ///< of the router's ties and anything else drawn while running
  double series_step_s = 60;  ///< grid of the time series; 0 = none
  bool tails = true;
  data::Progress progress;  ///< polled by event count
  /// Stop early once so many requests missed their limits that `required attainment` can no longer be reached; the
  /// result then only says slo.met == false. For searches. Needs a source that knows how many requests it offers.
  bool stop_when_hopeless = false;
  Stepping stepping = Stepping::fast_forward;
  RequestSink* sink = nullptr;                    ///< told of every request that leaves
  std::span<FleetProcess* const> processes = {};  ///< run beside the replicas
};

/// Runs the requests through `fleet.replicas` replicas until all are done. Same arguments, same bytes. Memory grows
/// with the requests in the system, not with those that were.
RunResult simulate(const data::Workload& workload, const data::Serving& serving, RequestSource& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options);
RunResult simulate(const data::Workload& workload, const data::Serving& serving, const RequestList& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options);
/// The same under rules that no scenario can name.
RunResult simulate(const data::Workload& workload, const Rules& rules, RequestSource& requests, const FleetSpec& fleet,
                   const StepTimer& timer, const SimulateOptions& options);

}  // namespace weir::sim
