#pragma once

#include <cstdint>

#include "sim/core/time.h"
#include "sim/workload/prompt_content.h"

namespace weir::sim {

/// A request as a scheduler sees it.
struct QueuedRequest {
  std::uint64_t index = 0;  ///< position in the demand; unique in a run, ascending by arrival
  Time arrival{};
  Time deadline = Time::never();           ///< order `deadline`: by when it wants its first token
  const PromptContent* content = nullptr;  ///< of the demand, lives as long as the run; null = like no other prompt
  std::int32_t input_tokens = 1;           ///< >= 1; of each item
  std::int32_t output_tokens = 0;          ///< >= 1 for generative work
  std::int32_t items = 1;                  ///< >= 1; one-shot work
  std::int32_t client = 0;                 ///< order `fair`: who asks
  std::int16_t priority = 0;               ///< order `priority`: the larger goes first
  std::int16_t class_index = 0;
  std::int32_t chain = -1;            ///< of a source that reacts; -1 = nobody waits for the answer to go on
  Time cancel_after = Time::never();  ///< from its arrival: its client hangs up then if it has not left
  Time elsewhere{};          ///< from its arrival until it came to this replica's queue: at other replicas, on the way
  std::int16_t retries = 0;  ///< times it had to start again because its replica was lost
  Time queued_at() const { return arrival + elsewhere; }
};

/// Field by field: compilers copy a whole struct 16 bytes at a time, and such a load waits for the stores of its halves
/// when they are recent.
[[gnu::always_inline]] inline void copy_fields(const QueuedRequest& from, QueuedRequest& to) {
  to.index = from.index;
  to.arrival = from.arrival;
  to.deadline = from.deadline;
  to.content = from.content;
  to.input_tokens = from.input_tokens;
  to.output_tokens = from.output_tokens;
  to.items = from.items;
  to.client = from.client;
  to.priority = from.priority;
  to.class_index = from.class_index;
  to.chain = from.chain;
  to.cancel_after = from.cancel_after;
  to.elsewhere = from.elsewhere;
  to.retries = from.retries;
}

/// A request that was served, with the times the scheduler was told. `first` is the end of the step that read the last
/// of its prompt; it has then output_tokens - 1 decode steps to go.
struct ServedRequest {
  QueuedRequest request{};
  Time admitted{}, first{};
  Time preempted_for{};            ///< from each preemption to the token after it
  std::int32_t preemptions = 0;    ///< times its KV cache was taken away
  std::int32_t cached_tokens = 0;  ///< prompt tokens that a prefix cache spared at the first admission
  Time preempted_before_first{};   ///< the part of preempted_for until `first`; the rest lies after it
};

}  // namespace weir::sim
