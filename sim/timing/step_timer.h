#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/evidence.h"
#include "sim/core/time.h"

namespace weir::sim {

/// Part of a prompt read in one iteration.
struct PrefillChunk {
  std::int64_t new_tokens = 0;   ///< > 0
  std::int64_t past_tokens = 0;  ///< of the same prompt, already in the cache
};

/// What one iteration of a generative replica does.
struct IterationShape {
  std::span<const PrefillChunk> prefill;
  std::int64_t decode_sequences = 0;
  std::int64_t decode_context_tokens = 0;  ///< sum over those sequences, the token being read included
};

struct StepCost {
  Time duration;
  double flops = 0;  ///< useful operations, for MFU
  double bytes = 0;  ///< least bytes from device memory, for MBU
};

/// How a deployment's device memory is used, in bytes of one replica (all its ranks together unless it says "rank").
struct MemoryPlan {
  double capacity_bytes = 0;      ///< of one accelerator
  double usable_bytes = 0;        ///< capacity x kv_memory_fraction, per rank
  double weights_bytes = 0;       ///< per rank
  double activation_bytes = 0;    ///< per rank, at the token budget
  double reserve_bytes = 0;       ///< per rank: context and graphs of the runtime
  double least_kv_bytes = 0;      ///< per rank: the smallest cache that can serve anything, one block
  double kv_bytes_per_token = 0;  ///< per rank
  std::int64_t kv_tokens = 0;     ///< tokens the KV cache holds; 0 = the model does not fit
  bool fits() const { return kv_tokens > 0; }
  /// "does not fit: needs 16.1 GB of 14.4 GB usable (weights ...)", or "" when it fits.
  std::string why_not() const;
};

/// Evidence of one part of a prediction, for the reader of a result.
struct EvidenceNote {
  std::string what;  ///< "gemm fp16 on Hopper"
  data::Evidence evidence = data::Evidence::assumption;
  std::string source;  ///< with n and spread
};

/// Times one step of one replica. Implementations are immutable and may be used from several threads.
class StepTimer {
 public:
  virtual ~StepTimer() = default;
  virtual StepCost iteration(const IterationShape& shape) const = 0;
  /// One-shot: `items` inputs, all padded to `tokens` tokens each.
  virtual StepCost batch(std::int64_t items, std::int64_t tokens) const = 0;
  virtual double peak_flops_per_s() const = 0;  ///< of the replica, for MFU
  virtual double peak_bytes_per_s() const = 0;  ///< of the replica, for MBU
  virtual double relative_error() const = 0;    ///< one-sided P80 of |log(predicted/true)| of a step's duration
  virtual std::vector<EvidenceNote> evidence() const = 0;
};

}  // namespace weir::sim
