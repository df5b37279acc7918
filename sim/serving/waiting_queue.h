#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sim/serving/scheduler.h"

namespace weir::sim {

/// Requests that wait, first come first served. As the timeout is the same for all, they expire from the front.
class WaitingQueue {
 public:
  WaitingQueue(std::optional<int> limit, std::optional<double> timeout_s) : limit_(limit) {
    // Dropped only when it has waited *longer* than the timeout: at the limit itself it may still start.
    if (timeout_s && *timeout_s < kLongWait_s) patience_ = Time::from_seconds(*timeout_s) + Time::from_ticks(1);
  }

  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }
  const QueuedRequest& front() const { return queue_.front(); }
  const QueuedRequest& operator[](std::size_t i) const { return queue_[i]; }
  void pop() { queue_.pop_front(); }

  /// False when the queue is full. A request that finds an idle replica and nobody waiting does not count as waiting,
  /// so that a limit of 0 is a system without a queue, not one that refuses everything.
  bool push(const QueuedRequest& request, bool replica_idle) {
    const bool full = limit_ && queue_.size() >= static_cast<std::size_t>(*limit_);
    if (full && !(replica_idle && queue_.empty())) return false;
    queue_.push_back(request);
    return true;
  }

  Time next_expiry() const {
    return queue_.empty() || !patience_ ? Time::never() : queue_.front().arrival + *patience_;
  }

  bool expires_by(std::size_t i, Time now) const { return patience_ && queue_[i].arrival + *patience_ <= now; }

  std::span<const RequestId> drop_expired(Time now) {
    expired_.clear();
    while (next_expiry() <= now) {
      expired_.push_back(queue_.front().id);
      queue_.pop_front();
    }
    return expired_;
  }

 private:
  static constexpr double kLongWait_s = 1e7;  // 115 days: as good as for ever, and safe to add to a time

  std::deque<QueuedRequest> queue_;
  std::optional<int> limit_;
  std::optional<Time> patience_;
  std::vector<RequestId> expired_;
};

}  // namespace weir::sim
