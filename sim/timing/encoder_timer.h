#pragma once

#include <string>
#include <vector>

#include "data/efficiency.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/collectives.h"
#include "sim/timing/generative_timer.h"

namespace weir::sim {

/// An encoder on a device without measurements of its own, timed as a whole: fused kernels make single operators
/// meaningless. t = host + (G^1.5 + launches^1.5)^(2/3), G = flops / (peak x share) x engine factor + half of the bytes
/// the matrices move / (0.7 bandwidth). The form is fitted on published BERT rows; launches hide partly behind the
/// work.
class EncoderTimer final : public StepTimer {
 public:
  EncoderTimer(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency,
               const data::EngineOverhead& engine, const ShardedModel& whole, const ShardedModel& rank,
               Collectives collectives);

  /// Prefill chunks are whole inputs; decoding sequences are a std::logic_error.
  Time iteration(const IterationShape& shape) const override;
  Time batch(std::int64_t items, std::int64_t tokens) const override;
  bool causal() const override { return false; }
  WorkRates work_rates() const override { return work_; }
  double peak_flops_per_s() const override { return peaks_.flops_per_s; }
  double peak_bytes_per_s() const override { return peaks_.bytes_per_s; }
  double relative_error() const override { return relative_error_; }
  std::vector<EvidenceNote> evidence() const override;

 private:
  Time duration(std::int64_t tokens, std::int64_t items, std::int64_t pairs) const;

  WorkRates work_;
  ReplicaPeaks peaks_;
  double rate_flops_per_s_ = 0;  ///< of the replica, at its share of the peak under this engine
  double rate_bytes_per_s_ = 0, matrix_bytes_ = 0, matrix_bytes_per_token_ = 0;
  double launches_s_ = 0, host_s_ = 0, all_reduces_ = 0, hidden_bytes_ = 0;
  int ranks_ = 1;
  Collectives collectives_;
  double relative_error_ = 0;
  std::vector<EvidenceNote> notes_;
};

}  // namespace weir::sim
