#include "sim/serving/dynamic_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

DynamicScheduler::DynamicScheduler(const Rules& rules)
    : max_batch_(rules.max_batch),
      max_delay_(rules.policy == Policy::static_batch ? Time() : rules.max_delay),
      waiting_(rules.order, rules.queue_limit, rules.timeout_s) {
  if (max_batch_ < 1) throw std::logic_error("DynamicScheduler: a batch has at least one item");
}

Submitted DynamicScheduler::submit(const QueuedRequest& request) {
  if (request.input_tokens < 1 || request.items < 1) {
    throw std::logic_error("DynamicScheduler: a request needs at least one item and one token");
  }
  if (!waiting_.push(request, batch_.empty())) return Submitted::queue_full;
  waiting_items_ += request.items;
  return Submitted::queued;
}

std::span<const QueuedRequest> DynamicScheduler::drop_expired(Time now) {
  const auto expired = waiting_.drop_expired(now);
  for (const QueuedRequest& request : expired) waiting_items_ -= request.items;
  return expired;
}

const Step& DynamicScheduler::next_step(Time now) {
  if (!batch_.empty()) throw std::logic_error("DynamicScheduler: a step is in flight");
  step_ = {};
  if (waiting_.empty()) return step_;
  if (waiting_items_ < max_batch_ && now < waiting_.oldest().arrival + max_delay_) return step_;
  step_.kind = StepKind::batch;
  while (!waiting_.empty()) {
    const QueuedRequest& head = waiting_.front();
    if (!batch_.empty() && step_.items + head.items > max_batch_) break;
    step_.items += head.items;
    step_.padded_tokens = std::max<std::int64_t>(step_.padded_tokens, head.input_tokens);
    waiting_items_ -= head.items;
    ServedRequest& served = batch_.emplace_back();
    served.request = head;
    served.admitted = now;
    waiting_.pop();
  }
  return step_;
}

const StepOutcome& DynamicScheduler::finish_step(Time now) {
  if (batch_.empty()) throw std::logic_error("DynamicScheduler: no step is in flight");
  done_.swap(batch_);
  batch_.clear();
  finished_.clear();
  for (ServedRequest& served : done_) {
    served.first = now;
    counts_.tokens_read += std::int64_t{served.request.input_tokens} * served.request.items;
    finished_.push_back(&served);
  }
  outcome_.finished = finished_;
  return outcome_;
}

Time DynamicScheduler::next_wakeup() const {
  const Time expiry = waiting_.next_expiry();
  if (waiting_.empty() || !batch_.empty()) return expiry;
  return std::min(expiry, waiting_.oldest().arrival + max_delay_);
}

std::span<const Gap> DynamicScheduler::skip(std::int64_t /*steps*/, std::int64_t /*first_ticks*/,
                                            std::int64_t /*increase_ticks*/, Time /*now*/) {
  throw std::logic_error("DynamicScheduler: no steps to skip");
}

}  // namespace weir::sim
