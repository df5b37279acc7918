#include "sim/serving/continuous_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

ContinuousScheduler::ContinuousScheduler(const data::Serving& serving, std::int64_t kv_tokens)
    : max_batch_(serving.max_batch),
      token_budget_(serving.token_budget),
      kv_(kv_tokens, serving.kv_block_tokens),
      waiting_(serving.queue_limit, serving.timeout_s) {}

Submitted ContinuousScheduler::submit(const QueuedRequest& request) {
  if (request.input_tokens < 1 || request.output_tokens < 1) {
    throw std::logic_error("ContinuousScheduler: a request needs tokens to read and to write");
  }
  if (blocks_of(request) > kv_.total()) return Submitted::never_fits;
  const bool idle = !in_flight_ && decoding_.empty();
  return waiting_.push(request, idle) ? Submitted::queued : Submitted::queue_full;
}

void ContinuousScheduler::admit() {
  std::int64_t tokens = 0;
  while (!waiting_.empty() && running() < max_batch_) {
    const QueuedRequest& head = waiting_.front();
    const std::int64_t blocks = blocks_of(head);
    if (blocks > kv_.free()) return;
    if (!started_.empty() && tokens + head.input_tokens > token_budget_) return;
    tokens += head.input_tokens;
    kv_.take(blocks);
    started_.push_back(head.id);
    chunks_.push_back({head.input_tokens, 0});
    prefilling_.push_back({head.id, head.input_tokens, head.output_tokens, blocks});
    waiting_.pop();
  }
}

const Step& ContinuousScheduler::next_step(Time /*now*/) {
  if (in_flight_) throw std::logic_error("ContinuousScheduler: a step is in flight");
  started_.clear();
  chunks_.clear();
  admit();
  step_.started = started_;
  step_.prefill = chunks_;
  step_.decode_sequences = 0;
  step_.decode_context_tokens = 0;
  if (!started_.empty()) {
    step_.kind = StepKind::prefill;
  } else if (!decoding_.empty()) {
    step_.kind = StepKind::decode;
    step_.decode_sequences = static_cast<std::int64_t>(decoding_.size());
    step_.decode_context_tokens = base_sum_ + step_.decode_sequences * steps_;
  } else {
    step_.kind = StepKind::none;
  }
  in_flight_ = step_.kind != StepKind::none;
  return step_;
}

void ContinuousScheduler::finish_prefill() {
  for (const Prefilling& request : prefilling_) {
    if (request.output_tokens == 1) {
      kv_.give_back(request.blocks);
      finished_.push_back(request.id);
      continue;
    }
    const std::int64_t base = std::int64_t{request.input_tokens} + 1 - steps_;
    base_sum_ += base;
    decoding_.push_back({steps_ + request.output_tokens - 1, next_seq_++, base, request.blocks, request.id});
    std::push_heap(decoding_.begin(), decoding_.end(), FinishesLater{});
  }
  prefilling_.clear();
}

void ContinuousScheduler::finish_decode() {
  ++steps_;
  while (!decoding_.empty() && decoding_.front().finish_step == steps_) {
    const Decoding& done = decoding_.front();
    base_sum_ -= done.base;
    kv_.give_back(done.blocks);
    finished_.push_back(done.id);
    std::pop_heap(decoding_.begin(), decoding_.end(), FinishesLater{});
    decoding_.pop_back();
  }
}

StepOutcome ContinuousScheduler::finish_step(Time /*now*/) {
  if (!in_flight_) throw std::logic_error("ContinuousScheduler: no step is in flight");
  in_flight_ = false;
  finished_.clear();
  StepOutcome outcome;
  if (step_.kind == StepKind::prefill) {
    finish_prefill();
    outcome.first_token = started_;
  } else {
    finish_decode();
  }
  outcome.finished = finished_;
  return outcome;
}

std::vector<RequestId> ContinuousScheduler::running_requests() const {
  std::vector<RequestId> ids;
  for (const Decoding& request : decoding_) ids.push_back(request.id);
  for (const Prefilling& request : prefilling_) ids.push_back(request.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace weir::sim
