#pragma once

#include <memory>
#include <optional>
#include <string>

#include "data/calibration.h"
#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/scenario.h"
#include "sim/timing/collectives.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// One replica: a model at a precision on tensor x pipeline x expert parallel accelerators under an engine. What was
/// pruned or distilled away is not in `model` any more (see data::compressed).
struct ReplicaSpec {
  data::Accelerator accelerator;
  data::Model model;
  data::Precision weights = data::Precision::fp16, activations = data::Precision::fp16, kv = data::Precision::fp16;
  int tensor_parallel = 1;
  std::string engine = "compiled-graphs";
  std::optional<data::Network> network = {};  ///< between its servers, where it needs more than one
  double all_reduce_overlap = 0;              ///< share of an all-reduce hidden behind other kernels, in [0, 1)
  int pipeline_parallel = 1;                  ///< stages
  int micro_batches = 0;                      ///< of an iteration in a pipeline; 0 = as many as stages
  int expert_parallel = 1;                    ///< groups of tensor-parallel ranks that share the experts
  double expert_skew = 0;                     ///< how unevenly experts are asked for, see ExpertLoad
  bool sparse = false;                        ///< 2:4 sparse matrices
  int accelerators() const { return tensor_parallel * pipeline_parallel * expert_parallel; }
};

/// Times of the collectives among a replica's `accelerators` (all its tensor, pipeline and expert parallel ranks), with
/// the kernels of its engine. Throws InputError (see make_topology).
Collectives make_collectives(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency, int accelerators);

/// Memory of one rank, of the widest stage. Throws InputError for a model this version cannot simulate and for degrees
/// that do not divide heads, layers or experts (see ShardedModel).
///
/// Layers with a sliding window keep at most the window of a sequence, so that a cache holds more tokens the longer the
/// sequences are. kv_tokens is what holds for every mix: the larger of
///   left / bytes of all layers                                   (sequences shorter than the window)
///   (left - max_batch x window x bytes of windowed layers) / bytes of the other layers     (without a prefix cache)
/// Expert-parallel groups hold a cache each; kv_tokens is their sum, true while sequences are dealt out evenly.
MemoryPlan plan_memory(const ReplicaSpec& replica, const data::Serving& serving);

/// The timer of a replica: from `calibration` when it is of this accelerator, else from the efficiency table (each
/// part marked in evidence()). Throws InputError when the accelerator does not support the precision.
std::unique_ptr<StepTimer> make_step_timer(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency,
                                           const data::Calibration* calibration);

/// Seconds of one decoder layer, as weir-probe runs it: all tokens of `prefill` chunks and decodes, no head, no host
/// overhead. The prediction that stands beside the measured layer.
double predict_layer_seconds(const ReplicaSpec& replica, const data::EfficiencyTable& efficiency,
                             const data::Calibration& calibration, const IterationShape& shape);

}  // namespace weir::sim
