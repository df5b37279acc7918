#include "sim/timing/speculative_timer.h"

#include <stdexcept>
#include <utility>

namespace weir::sim {

SpeculativeTimer::SpeculativeTimer(std::unique_ptr<StepTimer> model, std::unique_ptr<StepTimer> draft, int draft_tokens)
    : model_(std::move(model)), draft_(std::move(draft)), draft_tokens_(draft_tokens) {
  if (!model_ || !draft_ || draft_tokens < 1) throw std::logic_error("SpeculativeTimer: two timers and a draft");
}

Time SpeculativeTimer::iteration(const IterationShape& shape) const {
  const std::int64_t n = shape.decode_sequences;
  if (n == 0) return model_->iteration(shape) + draft_->iteration(shape);
  Time total;
  if (!shape.prefill.empty()) {  // prompts beside a round are a step of their own for both
    const IterationShape prompts{shape.prefill, 0, 0, 0, {}};
    total = model_->iteration(prompts) + draft_->iteration(prompts);
  }
  for (int i = 0; i < draft_tokens_; ++i) {
    total += draft_->iteration({{}, n, shape.decode_context_tokens + i * n, 0, {}});
  }
  const std::int64_t rows = draft_tokens_ + 1;
  return total + model_->verification(n, rows, shape.decode_context_tokens + draft_tokens_ * n);
}

Time SpeculativeTimer::batch(std::int64_t items, std::int64_t tokens) const {
  return model_->batch(items, tokens) + draft_->batch(items, tokens);
}

/// What is sure of every step: both read their weights and caches once (the draft draft_tokens times in a round).
/// Tokens and rows count as in a prompt, once for each model: the scheduler reports one a round, of which it does not
/// say whether it was a decode. MFU is then a lower bound.
WorkRates SpeculativeTimer::work_rates() const {
  const WorkRates model = model_->work_rates(), draft = draft_->work_rates();
  WorkRates both;
  both.flops_per_step = model.flops_per_step + draft.flops_per_step;
  both.flops_per_token = model.flops_per_token + draft.flops_per_token;
  both.flops_per_row = model.flops_per_row + draft.flops_per_row;
  both.flops_per_pair = model.flops_per_pair + draft.flops_per_pair;
  both.bytes_per_step = model.bytes_per_step + draft.bytes_per_step;
  both.bytes_per_token = model.bytes_per_token + draft.bytes_per_token;
  both.bytes_per_context_token = model.bytes_per_context_token + draft.bytes_per_context_token;
  return both;
}

std::vector<EvidenceNote> SpeculativeTimer::evidence() const {
  std::vector<EvidenceNote> notes = model_->evidence();
  for (EvidenceNote& note : draft_->evidence()) {
    note.what += " (draft)";
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace weir::sim
