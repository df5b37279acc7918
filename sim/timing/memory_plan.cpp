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
  for (const LayerKind kind : {LayerKind::dense, LayerKind::experts}) {
    if (model.layers(kind) == 0) continue;
    for (const Linear& linear : model.linears(kind)) {
      widest = std::max(widest, static_cast<double>(linear.n + linear.k));
    }
  }
  const double row = 4 * static_cast<double>(model.hidden()) + widest;
  const double tokens = static_cast<double>(std::max(serving.token_budget, 1));
  const double vocabulary = model.is_encoder() ? 0 : model.head_parameters() / static_cast<double>(model.hidden());
  constexpr double kBytesPerLogit = 6;
  double rows = tokens * row;
  if (model.has_experts()) {  // copies of the rows of each expert, and the widest of its matrices
    double expert_row = 0;
    for (const Linear& linear : model.expert_linears()) {
      expert_row = std::max(expert_row, static_cast<double>(linear.n + linear.k));
    }
    rows += model.experts()->pairs(tokens) * expert_row;
  }
  return rows * activation_bytes(model.precisions().activations) +
         static_cast<double>(std::max(serving.max_batch, 1)) * vocabulary * kBytesPerLogit;
}

/// Tokens that `left` bytes of one rank hold, whatever the lengths of their sequences (see plan_memory).
std::int64_t tokens_in(double left, const ShardedModel& model, const data::Serving& serving) {
  const double block = static_cast<double>(std::max(serving.kv_block_tokens, 1));
  const double of_token = model.kv_bytes_per_token(), of_window = model.window_kv_bytes_per_token();
  const double in_all_layers = std::floor(left / (block * of_token)) * block;
  if (of_window == 0 || of_window == of_token || serving.prefix_cache) return static_cast<std::int64_t>(in_all_layers);
  // The window may begin and end within a block.
  const double window = (std::ceil(static_cast<double>(model.window()) / block) + 1) * block;
  const double rest = left - static_cast<double>(std::max(serving.max_batch, 1)) * window * of_window;
  const double beyond_windows = std::floor(std::max(0.0, rest) / (block * (of_token - of_window))) * block;
  return static_cast<std::int64_t>(std::max(in_all_layers, beyond_windows));
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
  plan.kv_tokens = tokens_in(left, model, serving) * replica.expert_parallel;
  return plan;
}

}  // namespace weir::sim
