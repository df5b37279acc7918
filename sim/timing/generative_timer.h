#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/efficiency.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/divided_tables.h"
#include "sim/timing/iteration_tables.h"
#include "sim/timing/kernel_times.h"

namespace weir::sim {

/// What an iteration costs beside its kernels.
struct StepOverheads {
  double host_s = 0, sequence_s = 0;
  double launches_s = 0;          ///< of all kernels of an iteration
  bool launches_overlap = false;  ///< the larger of launches and kernels counts, not their sum
  double pass_gap_s = 0;          ///< from one kernel to the next, where each is launched ahead by itself
  double relative_error = 0;      ///< of the engine's fit
  std::vector<EvidenceNote> notes;
};

struct ReplicaPeaks {
  double flops_per_s = 0, bytes_per_s = 0;  ///< all ranks together
};

/// The rates of a model undivided (`whole`) as its ranks run it. Attention in layers with a window is not linear in
/// what steps report and does not count; micro-batches count the weights they share once. MFU and MBU are then lower
/// bounds.
WorkRates work_rates_of(const ShardedModel& whole, const ShardedModel& rank);

/// A generative deployment as tables of its kernels' times. Also times encoders of a measured device, layer by layer.
///
/// Pipeline stages (p > 1) take an iteration's batch in m micro-batches, all of them through one stage after the other:
/// (m + p - 1) x (layers of the widest stage + vocabulary projection + sending the hidden states on). m is at most the
/// number of sequences (of one expert-parallel group), so that one sequence goes through p stages in turn; every
/// iteration starts empty and ends when its last micro-batch leaves. NOTE: engines that keep several batches in flight
/// come near max(m, p) slots instead of m + p - 1: this is the slower bound.
class GenerativeTimer final : public StepTimer {
 public:
  /// micro_batches: at most this many; 0 = as many as stages.
  GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                  const StepOverheads& overheads, ReplicaPeaks peaks, int micro_batches = 0);

  Time iteration(const IterationShape& shape) const override {
    return Time::from_ticks(divided_.empty() ? tables_.ticks(shape) : divided(shape).ticks(shape));
  }
  /// An LLM reads `items` prompts of `tokens`; an encoder runs them.
  Time batch(std::int64_t items, std::int64_t tokens) const override;
  Time verification(std::int64_t sequences, std::int64_t rows_per_sequence, std::int64_t context_tokens) const override;
  DecodeRun decode_run(const IterationShape& shape) const override {
    return divided_.empty() ? tables_.decode_run(shape) : divided(shape).decode_run(shape);
  }
  const IterationTables* tables() const override { return divided_.empty() ? &tables_ : nullptr; }
  bool causal() const override { return !rank_.is_encoder(); }
  WorkRates work_rates() const override { return work_; }
  double peak_flops_per_s() const override { return peaks_.flops_per_s; }
  double peak_bytes_per_s() const override { return peaks_.bytes_per_s; }
  double relative_error() const override { return relative_error_; }
  std::vector<EvidenceNote> evidence() const override;

 private:
  double kernels_error() const;
  double sum_seconds(const std::vector<Operator>& operators) const;
  double tokens_s(std::int64_t tokens) const;
  double experts_s(std::int64_t tokens) const;
  void make_plain(const StepOverheads& overheads);
  DividedTables make_divided(const StepOverheads& overheads, int micro_batches) const;
  const DividedTables& divided(const IterationShape& shape) const {
    return divided(shape.decode_sequences + static_cast<std::int64_t>(shape.prefill.size()));
  }
  const DividedTables& divided(std::int64_t sequences) const;

  ShardedModel rank_;
  std::unique_ptr<KernelTimes> kernels_;
  std::vector<EvidenceNote> overhead_notes_;
  ReplicaPeaks peaks_;
  WorkRates work_;
  double pass_gap_s_ = 0;
  IterationTables tables_;
  std::vector<DividedTables> divided_;  ///< by micro-batches - 1; empty = the plain tables do
  double relative_error_ = 0;
};

}  // namespace weir::sim
