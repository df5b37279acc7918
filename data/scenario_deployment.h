#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/json_reader.h"

namespace weir::data {

/// How a replica divides its model beside tensor parallelism.
struct ParallelChoice {
  int pipeline = 1;  ///< stages of whole layers, in [1, 64]
  /// Most parts that an iteration's batch is cut into for the stages, in [1, 32]; 0 = as many as stages. Of candidates
  /// too.
  int micro_batches = 0;
  int expert = 1;  ///< groups of tensor-parallel ranks that share the experts, in [1, 1024]
};

/// Degrees a plan compares; empty = 1.
struct ParallelLists {
  std::vector<int> pipeline, expert;
};

/// Keys `pipeline_parallel`, `micro_batches` and `expert_parallel` of the deployment. Throws InputError.
ParallelChoice read_parallel(const ObjectReader& deployment);
void write_parallel(const ParallelChoice& parallel, nlohmann::ordered_json& deployment);
/// Keys `pipeline_parallel` and `expert_parallel` of the candidates.
ParallelLists read_parallel_lists(const ObjectReader& candidates);
void write_parallel_lists(const ParallelLists& lists, nlohmann::ordered_json& candidates);

}  // namespace weir::data
