#pragma once

#include <cstdint>
#include <span>

#include "sim/core/time.h"
#include "sim/serving/request.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

enum class Submitted {
  queued,
  queue_full,  ///< refused: as many wait already as the limit allows
  never_fits,  ///< its tokens need more than the whole KV cache, or a step can never hold its prompt
};

enum class StepKind { none, iteration, batch };

/// What a replica does next.
struct Step {
  StepKind kind = StepKind::none;
  IterationShape shape;                       ///< iteration
  std::int64_t items = 0, padded_tokens = 0;  ///< batch: items, each padded to so many tokens

  bool decodes_only() const { return kind == StepKind::iteration && shape.prefill.empty(); }
};

/// `count` requests of a class each got `steps` tokens, after gaps (times since their token before) of first,
/// first + increase, first + 2 increase, ...
struct Gap {
  std::int64_t first_ticks = 0, increase_ticks = 0;
  std::int64_t steps = 1;
  std::int64_t count = 0;
  std::int16_t class_index = 0;
};

/// What a finished step brought.
struct StepOutcome {
  std::span<const ServedRequest* const> finished;  ///< done at the end of this step
  std::span<const Gap> gaps;                       ///< of the tokens of this step but the first ones
  std::int64_t tokens_written = 0;                 ///< first tokens included
};

/// The KV cache in tokens.
struct KvUse {
  std::int64_t tokens = 0;  ///< held by running requests, tokens that a prefix cache shares counted once
  std::int64_t growth = 0;  ///< a decode step adds
};

}  // namespace weir::sim
