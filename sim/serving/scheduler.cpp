#include "sim/serving/scheduler.h"

#include <algorithm>

#include "sim/serving/affine_scheduler.h"
#include "sim/serving/dynamic_scheduler.h"
#include "sim/serving/step_scheduler.h"

namespace weir::sim {

void SchedulerCounts::add(const SchedulerCounts& other) {
  preemptions += other.preemptions;
  tokens_read += other.tokens_read;
  recomputed_tokens += other.recomputed_tokens;
  cache_queried_tokens += other.cache_queried_tokens;
  cache_hit_tokens += other.cache_hit_tokens;
  kv_blocks_peak = std::max(kv_blocks_peak, other.kv_blocks_peak);
}

std::unique_ptr<Scheduler> make_scheduler(data::WorkloadKind kind, const Rules& rules, bool affine) {
  if (kind == data::WorkloadKind::one_shot) return std::make_unique<DynamicScheduler>(rules);
  if (affine && AffineScheduler::can_follow(rules)) return std::make_unique<AffineScheduler>(rules);
  return std::make_unique<StepScheduler>(rules);
}

}  // namespace weir::sim
