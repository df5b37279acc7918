#include "sim/serving/dynamic_scheduler.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::sim {

DynamicScheduler::DynamicScheduler(const Rules& rules)
    : max_batch_(rules.max_batch),
      max_delay_(rules.policy == Policy::static_batch ? Time() : rules.max_delay),
      preferred_(rules.preferred_batches),
      drop_older_frames_(rules.drop_older_frames),
      most_in_flight_(static_cast<std::size_t>(rules.steps_in_flight)),
      waiting_(rules.order, rules.queue_limit, rules.timeout_s) {
  if (max_batch_ < 1) throw std::logic_error("DynamicScheduler: a batch has at least one item");
}

Submitted DynamicScheduler::submit(const QueuedRequest& request) {
  if (request.input_tokens < 1 || request.items < 1) {
    throw std::logic_error("DynamicScheduler: a request needs at least one item and one token");
  }
  displaced_.clear();
  if (drop_older_frames_ && request.client >= 0) {  // who has no client is no stream
    if (const auto older = waiting_.take_of_client(request.client)) {
      waiting_items_ -= older->items;
      displaced_.push_back(*older);
    }
  }
  if (!waiting_.push(request, in_flight_.empty())) return Submitted::queue_full;
  waiting_items_ += request.items;
  return Submitted::queued;
}

std::span<const QueuedRequest> DynamicScheduler::drop_expired(Time now) {
  const auto expired = waiting_.drop_expired(now);
  for (const QueuedRequest& request : expired) waiting_items_ -= request.items;
  return expired;
}

std::int64_t DynamicScheduler::batch_size(Time now) const {
  if (waiting_.empty()) return 0;
  if (waiting_items_ >= max_batch_ || now >= waiting_.oldest().queued_at() + max_delay_) return max_batch_;
  std::int64_t largest = 0;
  for (const int size : preferred_) {
    if (size <= waiting_items_) largest = size;
  }
  return largest;
}

DynamicScheduler::Batch DynamicScheduler::new_batch() {
  if (spare_.empty()) return {};
  Batch batch = std::move(spare_.back());
  spare_.pop_back();
  batch.clear();
  return batch;
}

const Step& DynamicScheduler::next_step(Time now) {
  if (in_flight_.size() == most_in_flight_) throw std::logic_error("DynamicScheduler: all instances are busy");
  step_ = {};
  const std::int64_t most = batch_size(now);
  if (most == 0) return step_;
  step_.kind = StepKind::batch;
  Batch batch = new_batch();
  while (!waiting_.empty()) {
    const QueuedRequest& head = waiting_.front();
    if (!batch.empty() && step_.items + head.items > most) break;
    step_.items += head.items;
    step_.padded_tokens = std::max<std::int64_t>(step_.padded_tokens, head.input_tokens);
    waiting_items_ -= head.items;
    ServedRequest& served = batch.emplace_back();
    served.request = head;
    served.admitted = now;
    waiting_.pop();
  }
  running_ += static_cast<std::int64_t>(batch.size());
  in_flight_.push_back(std::move(batch));
  return step_;
}

const StepOutcome& DynamicScheduler::finish_step(Time now) {
  if (in_flight_.empty()) throw std::logic_error("DynamicScheduler: no step is in flight");
  spare_.push_back(std::move(done_));
  done_ = std::move(in_flight_.front());
  in_flight_.pop_front();
  running_ -= static_cast<std::int64_t>(done_.size());
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
  if (waiting_.empty() || in_flight_.size() == most_in_flight_) return expiry;
  return std::min(expiry, waiting_.oldest().queued_at() + max_delay_);
}

std::span<const Gap> DynamicScheduler::skip(std::int64_t /*steps*/, std::int64_t /*first_ticks*/,
                                            std::int64_t /*increase_ticks*/, Time /*now*/) {
  throw std::logic_error("DynamicScheduler: no steps to skip");
}

}  // namespace weir::sim
