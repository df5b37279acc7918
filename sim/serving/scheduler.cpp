#include "sim/serving/scheduler.h"

#include <stdexcept>

#include "data/errors.h"
#include "sim/serving/continuous_scheduler.h"
#include "sim/serving/dynamic_scheduler.h"

namespace weir::sim {

std::unique_ptr<Scheduler> make_scheduler(data::WorkloadKind kind, const data::Serving& serving,
                                          std::int64_t kv_tokens) {
  if (serving.max_batch < 1 || serving.token_budget < 1 || serving.kv_block_tokens < 1) {
    throw std::logic_error("make_scheduler: max_batch, token_budget and kv_block_tokens are at least 1");
  }
  const bool generative = kind == data::WorkloadKind::generative;
  if (generative && serving.policy == "continuous") return std::make_unique<ContinuousScheduler>(serving, kv_tokens);
  if (!generative && serving.policy == "dynamic") return std::make_unique<DynamicScheduler>(serving);
  throw data::InputError("scenario", "/serving/policy", serving.policy,
                         generative ? "generative work takes \"continuous\"" : "one-shot work takes \"dynamic\"");
}

}  // namespace weir::sim
