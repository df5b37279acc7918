#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/serving/ordered_queue.h"
#include "sim/serving/request.h"
#include "sim/serving/request_ring.h"
#include "sim/serving/rules.h"

namespace weir::sim {

/// Who waits at a replica: in front a stack of preempted requests, which the owner knows by a number, behind them those
/// that never ran, by Order. Only the latter can be refused, count against the limit and run out of time. First come
/// first served is a ring: O(1), and no allocation once it has grown.
class WaitingQueue {
 public:
  WaitingQueue(Order order, std::optional<int> limit, std::optional<double> timeout_s);

  bool empty() const { return new_empty() && preempted_.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(new_size() + preempted_.size()); }

  // --- the preempted

  bool any_preempted() const { return !preempted_.empty(); }
  std::int32_t last_preempted() const { return preempted_.back(); }
  void push_preempted(std::int32_t slot) { preempted_.push_back(slot); }
  void pop_preempted() { preempted_.pop_back(); }
  /// One that is done after all takes its leave.
  void remove_preempted(std::int32_t slot) { std::erase(preempted_, slot); }

  // --- those that never ran

  bool new_empty() const { return new_size() == 0; }
  std::size_t new_size() const { return ordered_ == nullptr ? ring_.new_size() : ordered_->size(); }
  /// The next in order; not of an empty queue.
  const QueuedRequest& front() const {
    if (ordered_ == nullptr) [[likely]]
      return ring_.front();
    return ordered_->front();
  }
  /// The front is admitted.
  void pop() {
    if (ordered_ == nullptr) [[likely]] {
      ring_.pop();
    } else {
      ordered_->pop();
    }
  }
  /// The one that arrived first.
  const QueuedRequest& oldest() const { return ordered_ == nullptr ? ring_.front() : ordered_->oldest(); }

  /// False when the queue is full. The first request that finds an idle replica does not count as waiting, so that a
  /// limit of 0 is a system without a queue, not one that refuses everything; those that arrive at the same tick after
  /// it do.
  [[gnu::always_inline]] bool push(const QueuedRequest& request, bool replica_idle) {
    if (limit_ && new_size() >= *limit_ && !(replica_idle && empty())) return false;
    if (ordered_ != nullptr) [[unlikely]] {
      push_ordered(request);
      return true;
    }
    return ring_.push(request, replica_idle);
  }

  /// First come first served: takes out the one of this client that has waited longest. O(waiting).
  std::optional<QueuedRequest> take_of_client(std::int32_t client);

  /// When the next one has waited too long.
  Time next_expiry() const { return !patience_ || new_empty() ? Time::never() : oldest().queued_at() + *patience_; }
  /// Removes those that have waited longer than the timeout at `now` and returns them, oldest first. As the timeout is
  /// the same for all, they expire in order of arrival.
  std::span<const QueuedRequest> drop_expired(Time now);

 private:
  /// Takes a copy, so that the one that is pushed can stay in registers.
  [[gnu::noinline]] void push_ordered(QueuedRequest request) { ordered_->push(request); }

  std::optional<std::size_t> limit_;
  std::optional<Time> patience_;
  std::vector<std::int32_t> preempted_;    ///< the next at the back
  RequestRing ring_;                       ///< unused unless fcfs
  std::unique_ptr<OrderedQueue> ordered_;  ///< null = fcfs
  std::vector<QueuedRequest> expired_;
};

}  // namespace weir::sim
