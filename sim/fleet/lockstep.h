#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/metrics/record.h"
#include "sim/serving/scheduler.h"
#include "sim/timing/group_timer.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// Is told of every request when an engine's loop takes it from its input, and when it leaves.
class LockstepSink : public RequestSink {
 public:
  virtual void noticed(const QueuedRequest& request, Time now, std::int32_t rank) = 0;
};

struct LockstepOptions {
  int ranks = 1;
  /// The router sends a request to the least waiting_weight x waiting + running, ties to the first rank. It sees these
  /// counts as the engines had told them by the last multiple of load_refresh, and adds what it sent since to the
  /// waiting. An engine's loop tells them when it has ended a step and before it decides the next (vLLM's
  /// _maybe_publish_request_counts).
  std::int64_t waiting_weight = 4;
  Time load_refresh = Time::from_ticks(Time::kTicksPerSecond / 10);
};

/// Data-parallel ranks of one engine in lockstep: every rank has a queue, a KV cache and a scheduler of its own, but
/// they take each step together (they share the experts of a mixture), so a step ends for all when it ends for the
/// slowest, and a rank that has nothing to do runs a dummy batch of one token as long as another has.
///
/// Step by step, in the same order of things as a Replica: one rank gives what simulate() gives. An engine's loop takes
/// requests from its input only when it decides a step; until then they are not counted as waiting.
class Lockstep {
 public:
  Lockstep(const Rules& rules, const LockstepOptions& options, const GroupTimer& timer, LockstepSink& sink);

  /// Until every request has left. Requests in order of arrival. Once.
  void run(RequestSource& requests);

  std::int64_t steps() const { return steps_; }
  Time busy() const { return busy_; }
  SchedulerCounts counts(int rank) const { return ranks_.at(static_cast<std::size_t>(rank)).scheduler->counts(); }

 private:
  static constexpr std::size_t kMostInFlight = kMostStepsInFlight;
  struct Rank {
    std::unique_ptr<Scheduler> scheduler;
    std::vector<QueuedRequest> input;                 ///< routed here, not yet taken by the loop
    std::int64_t told_waiting = 0, told_running = 0;  ///< as the engine's loop last told
    std::int64_t waiting = 0, running = 0;            ///< as the router believes
    std::array<bool, kMostInFlight> works{};          ///< takes part in flight i with work of its own
  };

  void advance(Time limit);
  void start_steps(Time now);
  bool start_step(Time now);
  void end_step();
  void take_input(Rank& rank, std::int32_t index, Time now);
  void tell_loads();
  void refresh_loads(Time arrival);
  void route(const QueuedRequest& request);

  const GroupTimer& timer_;
  LockstepSink& sink_;
  LockstepOptions options_;
  std::size_t depth_;
  std::vector<Rank> ranks_;
  std::vector<IterationShape> shapes_;
  std::array<Time, kMostInFlight> ends_{};
  std::size_t in_flight_ = 0;
  Time next_refresh_;
  std::int64_t steps_ = 0;
  Time busy_;
};

}  // namespace weir::sim
