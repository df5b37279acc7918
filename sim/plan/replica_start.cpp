#include "sim/plan/replica_start.h"

#include <algorithm>

#include "sim/timing/copies.h"

namespace weir::sim {

StartUp start_up(const data::Autoscaling& scaling, double weights_bytes, const ReplicaSpec& replica,
                 const data::Catalog& catalog) {
  if (scaling.start_up_s) return {*scaling.start_up_s, {}};
  const data::Storage& storage = catalog.storage(scaling.weights_from);
  // Servers load at the same time, each its own part.
  const double of_server = replica.accelerator.max_per_server.value.value_or(replica.accelerators());
  const int ranks = std::min(replica.accelerators(), std::max(1, static_cast<int>(of_server)));
  StartUp start;
  start.seconds = scaling.boot_s + load_s(weights_bytes * ranks, ranks, replica.accelerator, storage);
  start.notes = load_evidence(storage);
  start.notes.push_back({"start of a replica", data::Evidence::assumption,
                         "boot_s of the scenario for machine, container and engine, then the weights are read"});
  return start;
}

double replica_speed(const StepTimer& timer, data::WorkloadKind kind, const data::Serving& serving,
                     std::int64_t kv_tokens) {
  constexpr std::int64_t kInput = 1024, kOutput = 256, kItemTokens = 128;
  if (kind == data::WorkloadKind::one_shot) {
    return serving.max_batch / timer.batch(serving.max_batch, kItemTokens).seconds();
  }
  const PrefillChunk chunk{kInput, 0};
  const double prefill_s = timer.iteration({{&chunk, 1}, 0, 0}).seconds();
  const std::int64_t context = kInput + kOutput / 2;
  const std::int64_t batch = std::clamp<std::int64_t>(kv_tokens / context, 1, serving.max_batch);
  const double decode_s = timer.iteration({{}, batch, batch * context}).seconds() / static_cast<double>(batch);
  return 1 / (prefill_s + decode_s * kOutput);
}

}  // namespace weir::sim
