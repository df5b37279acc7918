#include <algorithm>
#include <cmath>

#include "data/errors.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/deployment_timer.h"
#include "sim/timing/replica_model.h"

namespace weir::sim {
namespace {

constexpr double kGpuReserve_bytes = 1.5e9;  // assumption: driver context, captured graphs, communication buffers

/// Buffers of the widest moment of an iteration: four rows of the hidden state a token (input, output, residual, norm),
/// the widest pair of neighbouring matrices' outputs, and 6 bytes a logit (FP32 and a 16-bit copy).
double activation_workspace_bytes(const ShardedModel& model, const data::Serving& serving) {
  double widest = 0;
  for (const Linear& linear : model.linears()) widest = std::max(widest, static_cast<double>(linear.n + linear.k));
  const double row = 4 * static_cast<double>(model.hidden()) + widest;
  const double tokens = static_cast<double>(std::max(serving.token_budget, 1));
  const double vocabulary = model.is_encoder() ? 0 : model.head_parameters() / static_cast<double>(model.hidden());
  constexpr double kBytesPerLogit = 6;
  return tokens * row * activation_bytes(model.precisions().activations) +
         static_cast<double>(std::max(serving.max_batch, 1)) * vocabulary * kBytesPerLogit;
}

}  // namespace

MemoryPlan plan_memory(const ReplicaSpec& replica, const data::Serving& serving) {
  const ShardedModel model = rank_model(replica);
  if (!replica.accelerator.memory_bytes.known()) {
    throw data::InputError("", "accelerator", replica.accelerator.id,
                           "its memory size is unknown; add it to the catalogue");
  }
  MemoryPlan plan;
  plan.capacity_bytes = *replica.accelerator.memory_bytes.value;
  plan.usable_bytes = plan.capacity_bytes * serving.kv_memory_fraction;
  plan.weights_bytes = model.weight_bytes();
  plan.activation_bytes = activation_workspace_bytes(model, serving);
  plan.reserve_bytes = is_cpu(replica.accelerator) ? 0 : kGpuReserve_bytes;
  plan.kv_bytes_per_token = model.kv_bytes_per_token();
  const double block = static_cast<double>(std::max(serving.kv_block_tokens, 1));
  plan.least_kv_bytes = block * plan.kv_bytes_per_token;
  const double left = plan.usable_bytes - plan.weights_bytes - plan.activation_bytes - plan.reserve_bytes;
  if (left < plan.least_kv_bytes) return plan;
  if (model.is_encoder()) {  // no cache: what a batch may hold is bounded by the positions, not by memory
    plan.kv_tokens =
        static_cast<std::int64_t>(std::max(serving.max_batch, 1)) * std::max(replica.model.max_positions, 1);
    return plan;
  }
  plan.kv_tokens = static_cast<std::int64_t>(std::floor(left / plan.least_kv_bytes) * block);
  return plan;
}

}  // namespace weir::sim
