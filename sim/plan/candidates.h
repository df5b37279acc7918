#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "data/catalog.h"
#include "data/scenario.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim {

/// One way to run a replica, with the tenures it is priced under.
struct Variant {
  ReplicaSpec replica;
  data::Precision precision = data::Precision::fp16;  ///< as it is named in the result
  std::vector<std::string> tenures;
  const data::Calibration* calibration = nullptr;  ///< set: the machine that was measured
};

struct CandidateList {
  std::vector<Variant> variants;
  int considered = 0;                 ///< variants x tenures, those left out included
  std::map<std::string, int> pruned;  ///< reason -> count of the same
};

/// Precisions of weights and activations on this hardware for a candidate precision: the same for both; int4 = weights
/// with 16-bit activations; fp16 becomes bf16 where there is only that. Empty = not supported.
struct ReplicaPrecisions {
  data::Precision weights, activations;
};
std::optional<ReplicaPrecisions> precisions_on(const data::Accelerator& accelerator, data::Precision weights,
                                               data::Precision activations);

/// Fills what the scenario leaves open: accelerators (the deployment's, else all with a price), precisions (the
/// model's), tensor parallel (1), tenures (owned and cloud), discount rate.
void fill_defaults(data::Scenario& scenario, const data::Workload& workload, const data::Catalog& catalog);

/// Accelerators x precisions x degrees of a scenario whose defaults are filled, and the measured machine.
/// Throws InputError for names the catalogue does not have.
CandidateList list_candidates(const data::Scenario& scenario, const data::Workload& workload,
                              const data::Catalog& catalog, const data::Calibration* calibration);

/// Sets what a replica serves and how it divides it: model (compressed as chosen), KV precision, sparsity, skew of the
/// experts, degrees and micro-batches.
void set_model(ReplicaSpec& replica, const data::ModelChoice& choice, const data::Catalog& catalog);
void set_degrees(ReplicaSpec& replica, int tensor_parallel, const data::ParallelChoice& parallel);

/// The accelerator of this name: the measured machine's, else the catalogue's. Throws InputError.
data::Accelerator find_hardware(std::string_view name, const data::Catalog& catalog,
                                const data::Calibration* calibration);

}  // namespace weir::sim
