#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/efficiency.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/kernel_times.h"
#include "sim/timing/tables.h"

namespace weir::sim {

/// What an iteration costs beside its kernels.
struct StepOverheads {
  double host_s = 0, sequence_s = 0;
  double launches_s = 0;          ///< of all kernels of an iteration
  bool launches_overlap = false;  ///< the larger of launches and kernels counts, not their sum
  double relative_error = 0;      ///< of the engine's fit
  std::vector<EvidenceNote> notes;
};

struct ReplicaPeaks {
  double flops_per_s = 0, bytes_per_s = 0;  ///< all ranks together
};

/// Useful operations and least bytes of a step, all ranks together, linear in what the step does.
class StepWork {
 public:
  StepWork(const ShardedModel& whole, const ShardedModel& rank);
  double flops(double tokens, double head_rows, double prefill_pairs, double context) const {
    return tokens * flops_per_token_ + head_rows * flops_per_head_row_ + (prefill_pairs + context) * flops_per_pair_;
  }
  double bytes(double tokens, double context) const {
    return weight_bytes_ + tokens * bytes_per_token_ + context * kv_bytes_;
  }

 private:
  double flops_per_token_ = 0, flops_per_head_row_ = 0, flops_per_pair_ = 0;
  double weight_bytes_ = 0, bytes_per_token_ = 0, kv_bytes_ = 0;
};

/// T(tokens) + H(sequences) + P(prefill pairs) + D(sequences, context sum) + host, all from tables: one iteration is
/// O(1) (O(chunks) with prefill). Also times encoders of a measured device, layer by layer.
class GenerativeTimer : public StepTimer {
 public:
  GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                  StepOverheads overheads, ReplicaPeaks peaks);

  StepCost iteration(const IterationShape& shape) const override;
  /// An LLM reads `items` prompts of `tokens`; an encoder runs them.
  StepCost batch(std::int64_t items, std::int64_t tokens) const override;
  double peak_flops_per_s() const override { return peaks_.flops_per_s; }
  double peak_bytes_per_s() const override { return peaks_.bytes_per_s; }
  double relative_error() const override { return relative_error_; }
  std::vector<EvidenceNote> evidence() const override;

 private:
  double kernels_error() const;
  StepCost cost(std::int64_t tokens, std::int64_t sequences, double prefill_s, double prefill_pairs,
                double prefill_past, std::int64_t decodes, std::int64_t context) const;

  ShardedModel rank_;
  std::unique_ptr<KernelTimes> kernels_;
  StepOverheads overheads_;
  ReplicaPeaks peaks_;
  StepWork work_;
  TokenTable layers_, head_;
  DecodeTable decode_;
  PrefillTable prefill_;
  double past_token_s_ = 0;  ///< least time to read one cached token again
  std::int64_t host_ticks_ = 0, sequence_ticks_ = 0, launch_ticks_ = 0;
  double relative_error_ = 0;
};

}  // namespace weir::sim
