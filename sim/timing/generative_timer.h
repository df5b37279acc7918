#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/efficiency.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/iteration_tables.h"
#include "sim/timing/kernel_times.h"

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

/// The rates of a model undivided (`whole`) as its ranks run it.
WorkRates work_rates_of(const ShardedModel& whole, const ShardedModel& rank);

/// A generative deployment as tables of its kernels' times. Also times encoders of a measured device, layer by layer.
class GenerativeTimer final : public StepTimer {
 public:
  GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                  const StepOverheads& overheads, ReplicaPeaks peaks);

  Time iteration(const IterationShape& shape) const override { return Time::from_ticks(tables_.ticks(shape)); }
  /// An LLM reads `items` prompts of `tokens`; an encoder runs them.
  Time batch(std::int64_t items, std::int64_t tokens) const override;
  DecodeRun decode_run(const IterationShape& shape) const override { return tables_.decode_run(shape); }
  const IterationTables* tables() const override { return &tables_; }
  bool causal() const override { return !rank_.is_encoder(); }
  WorkRates work_rates() const override { return work_; }
  double peak_flops_per_s() const override { return peaks_.flops_per_s; }
  double peak_bytes_per_s() const override { return peaks_.bytes_per_s; }
  double relative_error() const override { return relative_error_; }
  std::vector<EvidenceNote> evidence() const override;

 private:
  double kernels_error() const;

  ShardedModel rank_;
  std::unique_ptr<KernelTimes> kernels_;
  std::vector<EvidenceNote> overhead_notes_;
  ReplicaPeaks peaks_;
  WorkRates work_;
  IterationTables tables_;
  double relative_error_ = 0;
};

}  // namespace weir::sim
