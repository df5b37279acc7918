#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/scenario.h"
#include "sim/core/time.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// What the owner of a scheduler calls a request; the scheduler only hands it back.
using RequestId = std::uint32_t;

struct QueuedRequest {
  RequestId id = 0;
  Time arrival;
  std::int32_t input_tokens = 1;   ///< >= 1; of each item
  std::int32_t output_tokens = 0;  ///< >= 1 for generative work
  std::int32_t items = 1;          ///< >= 1; one-shot work
};

enum class Submitted {
  queued,
  queue_full,  ///< rejected: as many wait already as the limit allows
  never_fits,  ///< its tokens need more than the whole KV cache
};

enum class StepKind { none, prefill, decode, batch };

/// What a replica does next. It and its spans are valid until the next call of next_step.
struct Step {
  StepKind kind = StepKind::none;
  std::span<const RequestId> started;         ///< requests that begin with this step
  std::span<const PrefillChunk> prefill;      ///< prefill: one for each of `started`
  std::int64_t decode_sequences = 0;          ///< decode: all running requests advance by one token
  std::int64_t decode_context_tokens = 0;     ///< sum over them, the token being read included
  std::int64_t items = 0, padded_tokens = 0;  ///< batch: items, each padded to so many tokens
};

/// What a finished step brought. The spans are valid until the next call of next_step or finish_step.
struct StepOutcome {
  std::span<const RequestId> first_token;  ///< requests that got their first output token
  std::span<const RequestId> finished;     ///< requests that are done; they may also be in first_token
};

/// Decides who runs, for one replica. It holds the queue and the KV cache, but no clock and no timing: the owner (the
/// simulator or a real engine) says what time it is and when a step has ended. One step is in flight at a time:
/// next_step, then finish_step. Not thread-safe.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  virtual Submitted submit(const QueuedRequest& request) = 0;
  /// Removes the requests that have waited longer than the timeout at `now` and returns them, oldest first. The span is
  /// valid until the next such call.
  virtual std::span<const RequestId> drop_expired(Time now) = 0;
  /// The step to start at `now`; kind none when there is nothing to start. No step may be in flight, and drop_expired
  /// has been called for `now` or nothing expires by then.
  virtual const Step& next_step(Time now) = 0;
  /// The step in flight has ended at `now`.
  virtual StepOutcome finish_step(Time now) = 0;
  /// The earliest time at which drop_expired or next_step gives something new though nothing is submitted or finished.
  virtual Time next_wakeup() const = 0;

  virtual std::int64_t waiting() const = 0;
  virtual std::int64_t running() const = 0;                     ///< started and not finished
  virtual std::int64_t kv_blocks() const = 0;                   ///< of the whole cache; 0 for one-shot work
  virtual std::int64_t kv_held() const = 0;                     ///< blocks taken by running requests
  virtual std::vector<RequestId> running_requests() const = 0;  ///< ascending; O(n log n), for engines and tests
};

/// The scheduler `serving` asks for. kv_tokens: what the replica's cache holds; ignored for one-shot work. Throws
/// InputError when the policy does not suit the kind of work.
std::unique_ptr<Scheduler> make_scheduler(data::WorkloadKind kind, const data::Serving& serving,
                                          std::int64_t kv_tokens);

}  // namespace weir::sim
