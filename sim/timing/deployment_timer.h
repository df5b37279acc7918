#pragma once

#include <memory>
#include <string>

#include "data/calibration.h"
#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/scenario.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// One replica: a model at a precision on `tensor_parallel` accelerators under an engine.
struct ReplicaSpec {
  data::Accelerator accelerator;
  data::Model model;
  data::Precision weights = data::Precision::fp16, activations = data::Precision::fp16, kv = data::Precision::fp16;
  int tensor_parallel = 1;
  std::string engine = "compiled-graphs";
};

/// Memory of one rank. Throws InputError for a model this version cannot simulate (mixture of experts, MLA) and for a
/// tensor-parallel degree that does not divide the heads.
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
