#include "sim/serving/scheduler.h"

#include "sim/serving/affine_scheduler.h"
#include "sim/serving/dynamic_scheduler.h"
#include "sim/serving/step_scheduler.h"

namespace weir::sim {

std::unique_ptr<Scheduler> make_scheduler(data::WorkloadKind kind, const Rules& rules, bool affine) {
  if (kind == data::WorkloadKind::one_shot) return std::make_unique<DynamicScheduler>(rules);
  if (affine && AffineScheduler::can_follow(rules)) return std::make_unique<AffineScheduler>(rules);
  return std::make_unique<StepScheduler>(rules);
}

}  // namespace weir::sim
