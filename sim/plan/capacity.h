#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/efficiency.h"
#include "data/progress.h"
#include "data/scenario.h"
#include "sim/fleet/simulate.h"
#include "sim/metrics/run_result.h"
#include "sim/plan/candidates.h"
#include "sim/timing/step_timer.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// What a search needs beside the variant; shared by all of them.
struct CapacityTask {
  const data::Scenario& scenario;
  const data::Workload& workload;
  const RequestList& requests;
  const data::EfficiencyTable& efficiency;
  double power_a = 0.58, power_b = 0.28, idle_share_of_tdp = 0.11;
  std::uint64_t seed = 1;
};

class CapacityMemo;

struct Capacity {
  std::optional<int> replicas;   ///< the fewest that meet the targets
  std::string why_not;           ///< "does not fit: ...", "cannot meet: ..."; empty when replicas is set
  std::optional<RunResult> run;  ///< at `replicas`, or the one that shows that the targets are out of reach
  /// Traffic those replicas carry within the targets, as a multiple of today's, up to the growth within the horizon;
  /// empty when the traffic doesn't grow.
  std::optional<double> load_factor;
  MemoryPlan memory;
  double relative_error = 0;  ///< of the timing
};

/// The smallest fleet of this variant that meets every target, found by simulation: n meets them and n - 1, when there
/// is one, was simulated and does not. More replicas are taken never to be worse.
/// With a memo, what it holds is not simulated again; the answer is the same.
Capacity find_capacity(const CapacityTask& task, const Variant& variant, const data::Progress& progress,
                       CapacityMemo* memo = nullptr);

/// Power of the accelerator under the economics' curve, for the fleet's energy.
PowerModel power_model(const data::Accelerator& accelerator, double a, double b, double idle_share_of_tdp);

/// The target that is missed by the largest factor, in words: "TTFT p99 of 2.31 s SITUATION; target 1.00 s"; "" when
/// all are met.
std::string worst_miss(const RunResult& run, const std::string& situation);

/// "TTFT".
std::string upper_case(std::string text);
/// "2.31 s", "45.2 ms".
std::string seconds_text(double seconds);

/// Replicas the work would keep busy at the best batching, as a start for the search; at least 1.
int replicas_by_work(const CapacityTask& task, const StepTimer& timer, const MemoryPlan& memory);

}  // namespace weir::sim
