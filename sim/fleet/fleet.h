#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/core/event_queue.h"
#include "sim/fleet/replica.h"
#include "sim/fleet/router.h"
#include "sim/fleet/run_context.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// What a request of a class asks of a scheduler.
struct ClassDemand {
  std::int16_t priority = 0;
  Time patience = Time::never();  ///< from arrival to the deadline of its first token
};

/// The replicas, the router before them and the queue of what happens next.
template <class S, class Timing>
class Fleet {
 public:
  using MakeScheduler = std::function<std::unique_ptr<S>()>;

  Fleet(int replicas, const MakeScheduler& make_scheduler, const Timing& timing, int steps_in_flight, bool fast_forward,
        std::uint64_t router_start, RunContext& context)
      : context_(context),
        single_(replicas == 1),
        router_(replicas, router_start),
        scheduled_(static_cast<std::size_t>(replicas), Time::never()) {
    replicas_.reserve(scheduled_.size());
    for (std::int32_t i = 0; i < replicas; ++i) {
      replicas_.emplace_back(i, make_scheduler(), timing, steps_in_flight, fast_forward, context_, router_);
    }
  }

  /// From `requests`, of which `batch` is the first part, until every request has left or the targets are out of reach.
  /// Throws InputError when the clock runs out first.
  void run(RequestSource& requests, std::span<const SimRequest> batch, const std::vector<ClassDemand>& classes) {
    std::uint64_t index = 0;
    Time last = batch.front().arrival;
    for (; !batch.empty(); batch = requests.next()) {
      for (const SimRequest& request : batch) {
        if (request.arrival != last) {
          if (request.arrival < last) throw std::logic_error("simulate: requests are not in order of arrival");
          start_idle(last);
          last = request.arrival;
        }
        advance(last);
        if (context_.metrics.hopeless()) return;
        context_.tick();
        context_.metrics.arrived(last);
        send(queued(request, index++, classes), last);
      }
    }
    start_idle(last);
    advance(Time::never());
    if (!context_.metrics.hopeless() && context_.metrics.departed() < static_cast<std::int64_t>(index))
      refuse_backlog();
  }

  FleetTotals totals() const {
    FleetTotals sum;
    for (const auto& replica : replicas_) sum.add(replica.totals());
    return sum;
  }
  std::int64_t kv_blocks_per_replica() const { return replicas_.front().scheduler().kv_blocks(); }

 private:
  static QueuedRequest queued(const SimRequest& r, std::uint64_t index, const std::vector<ClassDemand>& classes) {
    const ClassDemand& of_class = classes.at(static_cast<std::size_t>(r.class_index));
    return {.index = index,
            .arrival = r.arrival,
            .deadline = r.arrival + of_class.patience,
            .content = r.content,
            .input_tokens = r.input_tokens,
            .output_tokens = r.output_tokens,
            .items = r.items,
            .client = r.client >= 0 ? r.client : -1 - r.class_index,
            .priority = of_class.priority,
            .class_index = r.class_index};
  }

  [[gnu::always_inline]] void send(const QueuedRequest& request, Time now) {
    const std::size_t chosen = single_ ? 0 : router_.pick();
    if (replicas_[chosen].submit(request, now)) {
      to_start_.push_back(chosen);
    } else {
      schedule(chosen);
    }
  }

  /// Starts the idle replicas that got something at `now`.
  void start_idle(Time now) {
    for (const std::size_t replica : to_start_) {
      replicas_[replica].start(now);
      schedule(replica);
    }
    to_start_.clear();
  }

  [[noreturn]] void refuse_backlog() const {
    throw data::InputError("scenario", "replicas", std::to_string(replicas_.size()),
                           "more: these do not get through the demand within " +
                               std::to_string(static_cast<std::int64_t>(Time::never().seconds() / 86'400)) +
                               " days of simulated time");
  }

  void advance(Time limit) {
    if (single_) {
      replicas_.front().advance(limit);
      return;
    }
    while (!queue_.empty() && queue_.top().time() <= limit && !context_.metrics.hopeless()) {
      const Event event = queue_.pop();
      // An earlier event was scheduled for the replica since, and has done what this one is for.
      if (event.time() != scheduled_[event.target]) continue;
      scheduled_[event.target] = Time::never();
      replicas_[event.target].advance(limit);
      schedule(event.target);
    }
  }

  /// Keeps one live event a replica: at its next event or before it, in which case nothing happens then.
  void schedule(std::size_t replica) {
    if (single_) return;
    const Time next = replicas_[replica].next_event();
    if (next >= scheduled_[replica]) return;
    scheduled_[replica] = next;
    queue_.push(next, 0, static_cast<std::uint32_t>(replica));
  }

  RunContext& context_;
  const bool single_;  ///< replica: no routing, no queue of events
  LeastOutstandingRouter router_;
  std::vector<Replica<S, Timing>> replicas_;
  std::vector<Time> scheduled_;
  EventQueue queue_;
  std::vector<std::size_t> to_start_;  ///< idle replicas with requests that arrived at the latest tick
};

}  // namespace weir::sim
