#pragma once

#include <cstdint>
#include <memory>

#include "sim/fleet/router.h"
#include "sim/fleet/run_context.h"
#include "sim/fleet/token_gaps.h"
#include "sim/metrics/totals.h"
#include "sim/serving/scheduler.h"

namespace weir::sim {

/// One replica in simulated time: its scheduler, the step in flight and what it counts. It is advanced on its own up to
/// the next arrival anywhere, because between arrivals replicas do not see each other.
class Replica {
 public:
  Replica(std::size_t index, std::unique_ptr<Scheduler> scheduler, RunContext& context, LeastOutstandingRouter& router);

  /// Request `id` arrives now. Everything of this replica up to and at `now` has been done, so it is not seen by a step
  /// that starts at the same tick.
  void submit(RequestId id, Time now);
  /// When something happens here next without an arrival.
  Time next_event() const { return step_end_ < wakeup_ ? step_end_ : wakeup_; }
  /// Does everything up to and at `limit`.
  void advance(Time limit);

  const ReplicaTotals& totals() const { return totals_; }
  std::int64_t kv_blocks() const { return scheduler_->kv_blocks(); }

 private:
  /// What holds between two changes; integrated when it changes.
  struct State {
    std::int64_t waiting = 0, running = 0, kv_held = 0;
    bool busy = false;
  };

  void start_step(Time now);
  void end_step(Time now);
  void end_prefill(Time now, const StepOutcome& outcome);
  void end_decode(Time now, const StepOutcome& outcome);
  void end_batch(Time now, const StepOutcome& outcome);
  void wake_up(Time now);
  void account_step();
  void leave(RequestId id, Time now, RequestOutcome outcome);
  /// The scheduler's state changed at `now`: integrates the one before over its time and takes the new one.
  void take_state(Time now);
  std::size_t class_of(RequestId id) const { return static_cast<std::size_t>(context_.request(id).class_index); }

  std::size_t index_;
  std::unique_ptr<Scheduler> scheduler_;
  RunContext& context_;
  LeastOutstandingRouter& router_;
  TokenGaps gaps_;
  ReplicaTotals totals_;
  Time step_end_ = Time::never();
  Time wakeup_ = Time::never();
  const Step* step_;  ///< in flight, of the scheduler; kind none = idle
  StepCost cost_;
  State state_;
  Time state_since_;
  bool state_changed_ = false;
  double ticks_per_flop_, ticks_per_byte_;  ///< at peak
};

}  // namespace weir::sim
