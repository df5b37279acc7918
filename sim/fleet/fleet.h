#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/core/event_queue.h"
#include "sim/fleet/replica.h"
#include "sim/fleet/replica_log.h"
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
class Fleet final : private FleetHandle {
 public:
  using MakeScheduler = std::function<std::unique_ptr<S>()>;
  /// Replicas that are alike.
  struct Pool {
    int replicas = 1;
    MakeScheduler make_scheduler;
    Timing timing;
  };

  Fleet(std::vector<Pool> pools, int steps_in_flight, bool fast_forward, const RouterRules& router,
        const std::vector<ClassDemand>& classes, RunContext& context, Time series_step = {})
      : context_(context),
        classes_(classes),
        pools_(std::move(pools)),
        alone_(count(pools_) == 1 && context.processes.empty()),
        router_(router, count(pools_)),
        scheduled_(static_cast<std::size_t>(count(pools_)), Time::never()),
        draining_(scheduled_.size()),
        log_(scheduled_.size(), context.begin, series_step) {
    replicas_.reserve(scheduled_.size());
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
      for (int i = 0; i < pools_[pool].replicas; ++i) {
        const auto index = static_cast<std::int32_t>(replicas_.size());
        replicas_.emplace_back(index, pools_[pool].make_scheduler(), pools_[pool].timing, steps_in_flight, fast_forward,
                               context_, router_);
        pool_of_.push_back(pool);
      }
    }
  }
  /// Replicas that are all alike.
  Fleet(int replicas, const MakeScheduler& make_scheduler, const Timing& timing, int steps_in_flight, bool fast_forward,
        std::uint64_t router_start, const std::vector<ClassDemand>& classes, RunContext& context)
      : Fleet(std::vector<Pool>{{replicas, make_scheduler, timing}}, steps_in_flight, fast_forward,
              RouterRules{.first = router_start}, classes, context) {}

  /// From `requests`, of which `batch` is the first part, until every request has left or the targets are out of reach.
  /// Throws InputError when the clock runs out first.
  void run(RequestSource& requests, std::span<const SimRequest> batch) {
    last_ = batch.front().arrival;
    if (context_.processes.empty()) {
      run_open(requests, batch);
    } else {
      run_in_order(requests, batch);
    }
    if (!context_.metrics.hopeless()) {
      for (auto& replica : replicas_) replica.settle();
    }
    if (!context_.metrics.hopeless() && context_.metrics.departed() < static_cast<std::int64_t>(arrivals_)) {
      refuse_backlog();
    }
  }

  FleetTotals totals() const {
    FleetTotals sum;
    for (const auto& replica : replicas_) sum.add(replica.totals());
    sum.in_system_ticks += context_.beside_replicas_ticks;
    return sum;
  }
  /// Of one pool's replicas; what lies beside the replicas is not in it.
  FleetTotals totals_of(std::size_t pool) const {
    FleetTotals sum;
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
      if (pool_of_[i] == pool) sum.add(replicas_[i].totals());
    }
    return sum;
  }
  /// Of one replica of the pool.
  std::int64_t kv_blocks(std::size_t pool) const {
    const auto found = std::ranges::find(pool_of_, pool);
    return replicas_[static_cast<std::size_t>(found - pool_of_.begin())].scheduler().kv_blocks();
  }
  std::size_t pool_of(std::size_t replica) const { return pool_of_[replica]; }
  ReplicaLog& log() { return log_; }
  const Router& router() const { return router_; }

 private:
  static int count(const std::vector<Pool>& pools) {
    int sum = 0;
    for (const Pool& pool : pools) sum += pool.replicas;
    return sum;
  }

  // --- a demand that does not depend on what becomes of it: replicas go ahead on their own from arrival to arrival

  void run_open(RequestSource& requests, std::span<const SimRequest> batch) {
    for (; !batch.empty(); batch = requests.next()) {
      for (const SimRequest& request : batch) {
        if (request.arrival != last_) come_to(request.arrival);
        advance(last_);
        if (context_.metrics.hopeless()) return;
        admit(request);
      }
    }
    start_idle(last_);
    advance(Time::never());
  }
  /// Time moves on to the next arrival.
  void come_to(Time now) {
    if (now < last_) throw std::logic_error("simulate: requests are not in order of arrival");
    start_idle(last_);
    last_ = now;
  }
  [[gnu::always_inline]] void admit(const SimRequest& request) {
    context_.tick();
    context_.metrics.arrived(last_);
    deliver(queued(request, arrivals_++), last_);
  }

  // --- with processes: everything in order of time

  /// What comes to the fleet later than now, besides the source: new requests and those that are sent again.
  struct Coming {
    Time at;
    std::uint64_t order = 0;
    bool is_new = false;
    bool enters = false;  ///< has been routed, and has passed what lies before the replica
    std::int32_t replica = kRouted;
    SimRequest arrival;     ///< is_new
    QueuedRequest request;  ///< else
    bool operator>(const Coming& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void run_in_order(RequestSource& requests, std::span<const SimRequest> batch) {
    for (FleetProcess* process : context_.processes) process->begin(*this, last_);
    std::size_t next = 0;
    while (!context_.metrics.hopeless() && !(batch.empty() && all_done())) {
      const Time arrival = batch.empty() ? Time::never() : batch[next].arrival;
      const Time coming = coming_.empty() ? Time::never() : coming_.top().at;
      const Time process = next_process_event();
      const Time event = queue_.empty() ? Time::never() : queue_.top().time();
      if (!held_.empty() && router_.open_replicas() > 0 && std::min(process, event) > last_) {
        send_held(last_);  // before anything that comes at the same time, after all that opens then
        continue;
      }
      const Time now = std::min({arrival, coming, process, event});
      if (now >= Time::never() || now != last_) {
        const bool started = !to_start_.empty();
        start_idle(last_);
        if (started) continue;  // their first steps may end before that
        if (now >= Time::never()) return;
        last_ = now;
      }
      if (event == now) {
        advance_one(now);
      } else if (process == now) {
        act(now);
      } else if (arrival == now) {
        admit(batch[next]);
        if (++next == batch.size()) batch = requests.next(), next = 0;
      } else {
        receive(now);
      }
    }
  }
  /// After the last of the source: nobody is there and nothing can come but what processes do in the background.
  bool all_done() const {
    const auto goes_on = [](const FleetProcess* p) { return !p->background() && p->next_event() < Time::never(); };
    return coming_.empty() && context_.metrics.departed() == static_cast<std::int64_t>(arrivals_) &&
           std::ranges::none_of(context_.processes, goes_on);
  }
  Time next_process_event() const {
    Time next = Time::never();
    for (const FleetProcess* process : context_.processes) next = std::min(next, process->next_event());
    return next;
  }
  void act(Time now) {
    context_.tick();
    for (FleetProcess* process : context_.processes) {
      if (process->next_event() == now) process->act(now);
    }
  }
  void send_held(Time now) {
    std::deque<HeldAtRouter> held;
    held.swap(held_);
    for (HeldAtRouter& one : held) {
      context_.beside_replicas_ticks += (now - one.since).ticks();
      one.request.elsewhere = now - one.request.arrival;
      deliver(one.request, now);
    }
  }
  /// The first of coming_ is here.
  void receive(Time now) {
    const Coming first = coming_.top();
    coming_.pop();
    if (first.is_new) {
      admit(first.arrival);
    } else {
      context_.tick();
      QueuedRequest request = first.request;
      request.elsewhere = now - request.arrival;
      const auto replica = static_cast<std::size_t>(first.replica);
      if (first.enters) router_.left(replica, request);  // submit() counts it again
      if (first.replica != kRouted && log_.is_closed_by(replica, Closed::failed)) {
        tell_drained(replica, now);
        deliver(request, now);
      } else if (first.enters) {
        submit(request, now, replica);
      } else {
        deliver(request, now, first.replica);
      }
    }
  }
  void advance_one(Time now) {
    const Event event = queue_.pop();
    if (event.time() != scheduled_[event.target]) return;
    scheduled_[event.target] = Time::never();
    replicas_[event.target].advance(now);
    schedule(event.target);
    tell_drained(event.target, now);
  }
  void tell_drained(std::size_t replica, Time now) {
    if (draining_[replica] == 0 || router_.outstanding(replica) > 0) return;
    draining_[replica] = 0;
    for (FleetProcess* process : context_.processes) process->drained(replica, now);
  }

  std::size_t replicas() const override { return replicas_.size(); }
  void arrive(const SimRequest& request) override {
    check_not_past(request.arrival);
    coming_.push({.at = request.arrival,
                  .order = coming_order_++,
                  .is_new = true,
                  .enters = false,
                  .replica = kRouted,
                  .arrival = request,
                  .request = {}});
  }
  void send(const QueuedRequest& request, Time now, Time at, std::int32_t replica) override {
    check_not_past(at);
    context_.beside_replicas_ticks += (at - now).ticks();
    coming_.push(
        {.at = at, .order = coming_order_++, .is_new = false, .replica = replica, .arrival = {}, .request = request});
  }
  void drop(const QueuedRequest& request, Time now, RequestOutcome outcome) override {
    context_.dropped(request, now, outcome, kRouted);
  }
  void close(std::size_t replica, Closed why, Time now) override {
    log_.set_closed(replica, why, true, now);
    router_.close(replica);
    draining_[replica] = router_.outstanding(replica) > 0 ? 1 : 0;
  }
  void open(std::size_t replica, Closed why, Time now) override {
    log_.set_closed(replica, why, false, now);
    if (!log_.is_open(replica)) return;
    router_.open(replica);
    draining_[replica] = 0;
  }
  bool is_open(std::size_t replica) const override { return log_.is_open(replica); }
  void fail(std::size_t replica, Time now, std::vector<HeldRequest>& lost) override {
    if (log_.is_open(replica)) throw std::logic_error("a replica is closed before it fails");
    std::erase(to_start_, replica);
    replicas_[replica].fail(now, pools_[pool_of_[replica]].make_scheduler(), lost);
    scheduled_[replica] = Time::never();
    tell_drained(replica, now);
  }
  void slow(std::size_t replica, double factor, Time now) override {
    replicas_[replica].slow(factor, now);
    schedule(replica);
  }
  void switch_on(std::size_t replica, bool on, Time now) override { log_.set_on(replica, on, now); }
  bool is_on(std::size_t replica) const override { return log_.is_on(replica); }
  std::int32_t outstanding(std::size_t replica) const override { return router_.outstanding(replica); }
  std::int64_t waiting(std::size_t replica) const override { return replicas_[replica].scheduler().waiting(); }
  std::int64_t held_at_router() const override { return static_cast<std::int64_t>(held_.size()); }
  std::int64_t busy_ticks(std::size_t replica, Time now) const override { return replicas_[replica].busy_ticks(now); }
  void check_not_past(Time at) const {
    if (at < last_) throw std::logic_error("a process sends something into the past");
  }

  // --- both

  [[gnu::always_inline]] QueuedRequest queued(const SimRequest& r, std::uint64_t index) const {
    const ClassDemand& of_class = classes_.at(static_cast<std::size_t>(r.class_index));
    return {.index = index,
            .arrival = r.arrival,
            .deadline = r.arrival + of_class.patience,
            .content = r.content,
            .input_tokens = r.input_tokens,
            .output_tokens = r.output_tokens,
            .items = r.items,
            .client = r.client >= 0 ? r.client : -1 - r.class_index,
            .priority = of_class.priority,
            .class_index = r.class_index,
            .chain = r.chain,
            .cancel_after = r.cancel_after,
            .elsewhere = {}};
  }

  [[gnu::always_inline]] void deliver(const QueuedRequest& request, Time now, std::int32_t replica = kRouted) {
    const std::size_t chosen = alone_               ? 0
                               : replica == kRouted ? router_.pick(request)
                                                    : static_cast<std::size_t>(replica);
    if (chosen == Router::kNobody) [[unlikely]] {
      held_.push_back({request, now});
      return;
    }
    if (!context_.processes.empty() && enters_later(request, now, chosen)) return;
    submit(request, now, chosen);
  }
  [[gnu::always_inline]] void submit(const QueuedRequest& request, Time now, std::size_t replica) {
    if (replicas_[replica].submit(request, now)) {
      to_start_.push_back(replica);
    } else {
      schedule(replica);
    }
  }
  /// Takes a copy, so that the one that is submitted can stay in registers.
  [[gnu::noinline]] bool enters_later(QueuedRequest request, Time now, std::size_t replica) {
    Time at = now;
    for (FleetProcess* process : context_.processes)
      at = process->enters(request, at, static_cast<std::int32_t>(replica));
    if (at == now) return false;
    router_.sent(replica, request);
    context_.beside_replicas_ticks += (at - now).ticks();
    coming_.push({.at = at,
                  .order = coming_order_++,
                  .is_new = false,
                  .enters = true,
                  .replica = static_cast<std::int32_t>(replica),
                  .arrival = {},
                  .request = request});
    return true;
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
    if (alone_) {
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
    if (alone_) return;
    const Time next = replicas_[replica].next_event();
    if (next >= scheduled_[replica]) return;
    scheduled_[replica] = next;
    queue_.push(next, 0, static_cast<std::uint32_t>(replica));
  }

  /// Found no open replica.
  struct HeldAtRouter {
    QueuedRequest request;
    Time since;
  };

  RunContext& context_;
  const std::vector<ClassDemand> classes_;
  const std::vector<Pool> pools_;
  const bool alone_;  ///< one replica and no process: no routing, no queue of events
  Router router_;
  std::vector<Replica<S, Timing>> replicas_;
  std::vector<std::size_t> pool_of_;
  std::vector<Time> scheduled_;
  std::vector<char> draining_;  ///< closed, and drained() is still to be told
  ReplicaLog log_;
  std::deque<HeldAtRouter> held_;
  EventQueue queue_;
  std::uint64_t arrivals_ = 0;  ///< new requests so far
  Time last_;                   ///< what the fleet has come to
  std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming_;
  std::uint64_t coming_order_ = 0;
  std::vector<std::size_t> to_start_;  ///< idle replicas with requests that arrived at the latest tick
};

}  // namespace weir::sim
