#include "sim/serving/dynamic_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

DynamicScheduler::DynamicScheduler(const data::Serving& serving)
    : max_batch_(serving.max_batch),
      max_delay_(Time::from_seconds(std::min(serving.max_delay_s, 1e7))),
      waiting_(serving.queue_limit, serving.timeout_s) {}

Submitted DynamicScheduler::submit(const QueuedRequest& request) {
  if (request.input_tokens < 1 || request.items < 1) {
    throw std::logic_error("DynamicScheduler: a request needs at least one item and one token");
  }
  if (!waiting_.push(request, batch_.empty())) return Submitted::queue_full;
  waiting_items_ += request.items;
  return Submitted::queued;
}

std::span<const RequestId> DynamicScheduler::drop_expired(Time now) {
  for (std::size_t i = 0; i < waiting_.size() && waiting_.expires_by(i, now); ++i) waiting_items_ -= waiting_[i].items;
  return waiting_.drop_expired(now);
}

const Step& DynamicScheduler::next_step(Time now) {
  if (!batch_.empty()) throw std::logic_error("DynamicScheduler: a step is in flight");
  step_ = {};
  if (waiting_.empty()) return step_;
  if (waiting_items_ < max_batch_ && now < waiting_.front().arrival + max_delay_) return step_;
  step_.kind = StepKind::batch;
  while (!waiting_.empty()) {
    const QueuedRequest& head = waiting_.front();
    if (!batch_.empty() && step_.items + head.items > max_batch_) break;
    step_.items += head.items;
    step_.padded_tokens = std::max<std::int64_t>(step_.padded_tokens, head.input_tokens);
    waiting_items_ -= head.items;
    batch_.push_back(head.id);
    waiting_.pop();
  }
  step_.started = batch_;
  return step_;
}

StepOutcome DynamicScheduler::finish_step(Time /*now*/) {
  if (batch_.empty()) throw std::logic_error("DynamicScheduler: no step is in flight");
  finished_.swap(batch_);
  batch_.clear();
  StepOutcome outcome;
  outcome.finished = finished_;
  return outcome;
}

Time DynamicScheduler::next_wakeup() const {
  const Time expiry = waiting_.next_expiry();
  if (waiting_.empty() || !batch_.empty()) return expiry;
  return std::min(expiry, waiting_.front().arrival + max_delay_);
}

std::vector<RequestId> DynamicScheduler::running_requests() const {
  std::vector<RequestId> ids = batch_;
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace weir::sim
