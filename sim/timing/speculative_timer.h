#pragma once

#include <memory>
#include <vector>

#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Steps of a model that checks what a smaller one drafts (Leviathan et al. 2023). A decoding sequence goes through one
/// ROUND a step: `draft_tokens` decode steps of the draft, one after the other, whose contexts grow by a token each,
/// and one verification by the model of draft_tokens + 1 rows a sequence. How many of them are kept is the scheduler's.
/// Prompts are read by both. Work and peaks are those of the model with the draft's added: both run on the same
/// accelerators in turn.
class SpeculativeTimer final : public StepTimer {
 public:
  /// draft_tokens >= 1. Throws std::logic_error otherwise, and when a timer is missing.
  SpeculativeTimer(std::unique_ptr<StepTimer> model, std::unique_ptr<StepTimer> draft, int draft_tokens);

  Time iteration(const IterationShape& shape) const override;
  Time batch(std::int64_t items, std::int64_t tokens) const override;
  int draft_tokens() const { return draft_tokens_; }
  bool causal() const override { return model_->causal(); }
  /// Of both models, each once a step: a lower bound.
  WorkRates work_rates() const override;
  double peak_flops_per_s() const override { return model_->peak_flops_per_s(); }
  double peak_bytes_per_s() const override { return model_->peak_bytes_per_s(); }
  double relative_error() const override { return model_->relative_error(); }
  std::vector<EvidenceNote> evidence() const override;

 private:
  std::unique_ptr<StepTimer> model_, draft_;
  int draft_tokens_ = 1;
};

}  // namespace weir::sim
