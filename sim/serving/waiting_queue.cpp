#include "sim/serving/waiting_queue.h"

#include <algorithm>

namespace weir::sim {
namespace {

constexpr double kLongWait_s = 1e7;  // 115 days: as good as for ever, and safe to add to a time

}  // namespace

WaitingQueue::WaitingQueue(Order order, std::optional<int> limit, std::optional<double> timeout_s)
    : ordered_(make_ordered_queue(order)) {
  if (limit) limit_ = static_cast<std::size_t>(std::max(0, *limit));
  // Dropped only when it has waited *longer* than the timeout: at the limit itself it may still start.
  if (timeout_s && *timeout_s < kLongWait_s) patience_ = Time::from_seconds(*timeout_s) + Time::from_ticks(1);
}

std::span<const QueuedRequest> WaitingQueue::drop_expired(Time now) {
  expired_.clear();
  while (next_expiry() <= now) {
    expired_.push_back(oldest());
    if (ordered_ != nullptr) {
      ordered_->drop_oldest();
    } else {
      ring_.pop();
    }
  }
  return expired_;
}

std::optional<QueuedRequest> WaitingQueue::take_of_client(std::int32_t client) { return ring_.take_of_client(client); }

}  // namespace weir::sim
