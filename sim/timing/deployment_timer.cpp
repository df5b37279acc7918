#include "sim/timing/deployment_timer.h"

#include <utility>

#include "data/nearest.h"
#include "sim/timing/calibrated_kernels.h"
#include "sim/timing/efficiency_kernels.h"
#include "sim/timing/encoder_timer.h"
#include "sim/timing/generative_timer.h"
#include "sim/timing/replica_model.h"

namespace weir::sim {
namespace {

ModelPrecisions precisions_of(const ReplicaSpec& replica) {
  return {replica.weights, replica.activations, replica.kv, wide_precision(replica.accelerator, replica.weights)};
}

/// Precision the replica's GEMMs run in; its peak is the one MFU refers to.
data::Precision compute_of(const ReplicaSpec& replica) {
  return compute_precision(replica.weights, replica.activations);
}

ReplicaPeaks peaks_of(const ReplicaSpec& replica) {
  return {peak_flops_per_s(replica.accelerator, compute_of(replica)) * replica.accelerators(),
          peak_bytes_per_s(replica.accelerator) * replica.accelerators()};
}

Sharding sharding_of(const ReplicaSpec& replica) {
  Sharding sharding;
  sharding.tensor = replica.tensor_parallel;
  sharding.pipeline = replica.pipeline_parallel;
  sharding.expert = replica.expert_parallel;
  sharding.expert_skew = replica.expert_skew;
  sharding.sparse = replica.sparse;
  return sharding;
}

bool is_of(const data::Calibration* calibration, const data::Accelerator& accelerator) {
  return calibration && !calibration->samples.empty() && calibration->device_id == accelerator.id;
}

double overhead_or(const data::Calibration& calibration, const char* name, double otherwise) {
  const auto found = calibration.overheads.find(name);
  return found == calibration.overheads.end() ? otherwise : found->second;
}

StepOverheads engine_overheads(const data::EngineOverhead& engine, const ShardedModel& model) {
  StepOverheads overheads;
  overheads.host_s = engine.host_s;
  overheads.sequence_s = engine.sequence_s;
  overheads.launches_s = (model.layers(LayerKind::dense) * engine.kernels_per_layer +
                          model.layers(LayerKind::experts) * engine.expert_kernels_per_layer) *
                         engine.kernel_s;
  overheads.pass_gap_s = engine.pass_gap_s;
  overheads.launches_overlap = engine.launches_overlap;
  overheads.relative_error = engine.relative_error;
  overheads.notes.push_back({"engine " + engine.engine, engine.evidence, engine.source});
  return overheads;
}

/// What was measured beside the kernels. Launches are inside the kernels' measured times.
StepOverheads measured_overheads(const data::Calibration& calibration) {
  StepOverheads overheads;
  overheads.host_s = overhead_or(calibration, "step_host_s", 0);
  overheads.sequence_s = overhead_or(calibration, "sequence_s", 0);
  overheads.notes.push_back({"step overhead on " + calibration.device_name, calibration.evidence,
                             calibration.overheads.empty() ? "not measured: taken as 0" : calibration.source});
  return overheads;
}

std::unique_ptr<CalibratedKernels> calibrated_kernels(const ReplicaSpec& replica,
                                                      const data::EfficiencyTable& efficiency,
                                                      const data::Calibration& calibration, const ShardedModel& rank) {
  return std::make_unique<CalibratedKernels>(
      replica.accelerator, calibration, rank,
      std::make_unique<EfficiencyKernels>(replica.accelerator, efficiency, rank,
                                          make_collectives(replica, efficiency, replica.accelerators())));
}

}  // namespace

ShardedModel rank_model(const ReplicaSpec& replica) {
  return ShardedModel(replica.model, precisions_of(replica), sharding_of(replica));
}

ShardedModel whole_model(const ReplicaSpec& replica) {
  Sharding undivided;
  undivided.expert_skew = replica.expert_skew;
  undivided.sparse = replica.sparse;
  return ShardedModel(replica.model, precisions_of(replica), undivided);
}

Collectives make_collectives(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency, int accelerators) {
  const data::Network* network = replica.network ? &*replica.network : nullptr;
  return {make_topology(replica.accelerator, accelerators, network), efficiency,
          efficiency.engine(replica.engine).collective_kernels, replica.all_reduce_overlap};
}

bool is_cpu(const data::Accelerator& accelerator) { return data::lower_case(accelerator.architecture) == "cpu"; }

std::unique_ptr<StepTimer> make_step_timer(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency,
                                           const data::Calibration* calibration) {
  const ShardedModel whole = whole_model(replica), rank = rank_model(replica);
  const ReplicaPeaks peaks = peaks_of(replica);
  const data::EngineOverhead& engine = efficiency.engine(replica.engine);
  const int micro_batches = replica.micro_batches;
  if (is_of(calibration, replica.accelerator)) {
    auto kernels = calibrated_kernels(replica, efficiency, *calibration, rank);
    StepOverheads overheads = measured_overheads(*calibration);
    overheads.relative_error = kernels->leave_one_out_error();
    return std::make_unique<GenerativeTimer>(whole, rank, std::move(kernels), std::move(overheads), peaks,
                                             micro_batches);
  }
  if (rank.is_encoder()) {
    return std::make_unique<EncoderTimer>(replica.accelerator, efficiency, engine, whole, rank,
                                          make_collectives(replica, efficiency, replica.accelerators()));
  }
  Sharding sharding = sharding_of(replica);
  sharding.fused = engine.fused_passes;
  const ShardedModel as_run(replica.model, precisions_of(replica), sharding);
  auto kernels = std::make_unique<EfficiencyKernels>(replica.accelerator, efficiency, as_run,
                                                     make_collectives(replica, efficiency, replica.accelerators()));
  return std::make_unique<GenerativeTimer>(whole, as_run, std::move(kernels), engine_overheads(engine, as_run), peaks,
                                           micro_batches);
}

double predict_layer_seconds(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency,
                             const data::Calibration& calibration, const IterationShape& shape) {
  const ShardedModel rank = rank_model(replica);
  const auto kernels = calibrated_kernels(replica, efficiency, calibration, rank);
  std::int64_t tokens = shape.decode_sequences;
  double seconds = 0;
  for (const PrefillChunk& chunk : shape.prefill) {
    tokens += chunk.new_tokens;
    seconds += kernels->seconds(rank.prefill_attention(chunk.new_tokens, chunk.past_tokens));
  }
  if (shape.decode_sequences > 0) {
    seconds += kernels->seconds(rank.decode_attention(shape.decode_sequences, shape.decode_context_tokens));
  }
  for (const Operator& op : rank.token_operators(tokens)) seconds += op.count * kernels->seconds(op);
  return seconds;
}

}  // namespace weir::sim
