#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/serving/held_request.h"
#include "sim/serving/rules.h"
#include "sim/serving/step.h"

namespace weir::sim {

/// What a scheduler counted since it was made.
struct SchedulerCounts {
  // Always: tokens_read - recomputed_tokens + cache_hit_tokens = input tokens of the requests that finished their
  // prompt.
  std::int64_t preemptions = 0;
  std::int64_t tokens_read = 0;        ///< prompt tokens in finished steps, recomputation included; one-shot: of items
  std::int64_t recomputed_tokens = 0;  ///< of those, tokens this request had read or written before a preemption
  std::int64_t cache_queried_tokens = 0;  ///< prompt tokens looked up in the prefix cache at first admissions
  std::int64_t cache_hit_tokens = 0;      ///< prompt tokens that never had to be read because the prefix cache had them
  std::int64_t kv_blocks_peak = 0;        ///< most blocks held at once, a step's growth included
  void add(const SchedulerCounts& other);
  bool operator==(const SchedulerCounts&) const = default;
};

/// Decides who runs, for one replica. It holds the queue and the KV cache, but no clock and no timing: the owner (the
/// simulator or a real engine) says what time it is and when a step has ended. Up to Rules::steps_in_flight steps may
/// be in flight; finish_step ends the oldest. Not thread-safe.
///
/// Spans and references that a call returns are valid until the next call of the same function.
class Scheduler {
 public:
  static constexpr std::size_t kMostInFlight = 8;  ///< steps, whatever the rules
  static constexpr bool kInlined = false;          ///< has the calls of AffineScheduler that go without lists
  static constexpr bool kWakes = true;             ///< next_wakeup() may be other than never
  virtual ~Scheduler() = default;

  /// `request` arrives. A step that starts at the same tick must be asked for BEFORE: a request is visible to steps
  /// that start later than it arrived.
  virtual Submitted submit(const QueuedRequest& request) = 0;
  /// Those that the last submit() pushed out of the queue (Rules::drop_older_frames).
  virtual std::span<const QueuedRequest> displaced() const { return {}; }
  /// A step may start beside those in flight as soon as there is something for it to do. Otherwise the next one is
  /// asked for when one ends.
  virtual bool starts_beside() const { return false; }
  /// Removes the requests that have waited longer than the timeout at `now` and returns them, oldest first.
  virtual std::span<const QueuedRequest> drop_expired(Time now) = 0;
  /// The step to start (or to queue behind those in flight), decided at `now`; kind none when there is nothing to do.
  /// drop_expired has been called for `now` or nothing expires by then.
  virtual const Step& next_step(Time now) = 0;
  /// The oldest step in flight has ended at `now`.
  virtual const StepOutcome& finish_step(Time now) = 0;
  /// The earliest time at which drop_expired or next_step gives something new though nothing is submitted or finished.
  virtual Time next_wakeup() const = 0;

  /// Fast-forward. Asked after next_step has filled the steps in flight: how many pairs (finish_step, next_step) may be
  /// skipped because each would finish nobody, admit nobody, preempt nobody, and decode the same requests again with
  /// one more token of context each, PROVIDED that nothing is submitted or dropped meanwhile. 0 = none, or unknown.
  virtual std::int64_t steady_steps() = 0;
  /// Skips `steps` such pairs, 1 <= steps <= steady_steps(). The steps lasted first_ticks, first_ticks + increase, ...;
  /// the last of them ended at `now`. Returns the gaps of their tokens. Afterwards the steps in flight are those the
  /// pairs would have left.
  virtual std::span<const Gap> skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                                    Time now) = 0;
  /// True when nobody who waits now can be admitted before a running request finishes or is preempted; may be false
  /// though it is so. An owner that is skipping need not stop for an arrival while this holds after submitting it.
  virtual bool admission_blocked() const = 0;

  virtual std::int64_t waiting() const = 0;    ///< preempted requests included
  virtual std::int64_t running() const = 0;    ///< admitted, not finished and not preempted
  virtual std::int64_t kv_blocks() const = 0;  ///< of the whole cache; 0 for one-shot work
  virtual std::int64_t kv_blocks_held() const = 0;
  virtual KvUse kv_use() const = 0;
  virtual SchedulerCounts counts() const = 0;

  /// The replica is lost: lists everybody it holds, by index. Afterwards only counts() may be called.
  virtual void evict_all(std::vector<HeldRequest>& to);
};

/// The scheduler for these rules. `affine`: the fast one where it can follow the rules (AffineScheduler::can_follow),
/// which decides the same; else, and for everything else, the one that keeps every request's state by itself.
std::unique_ptr<Scheduler> make_scheduler(data::WorkloadKind kind, const Rules& rules, bool affine);

}  // namespace weir::sim
