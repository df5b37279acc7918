#pragma once

#include <cstdint>
#include <span>

#include "sim/core/time.h"

namespace weir::sim {

/// What a prompt holds, as far as a prefix cache can tell: two prompts with the same leading hashes begin with the same
/// tokens. hashes[i] stands for tokens [i, i + 1) x tokens_per_hash AND everything before them. Past the hashes a
/// prompt is like no other, except that turns of one session share their leading tokens (each turn repeats the ones
/// before).
struct PromptContent {
  std::span<const std::uint64_t> hashes;
  std::int32_t tokens_per_hash = 16;
  std::int64_t session = -1;  ///< -1 = none
};

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
};

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
