#pragma once

#include <cstdint>

#include "sim/serving/request.h"
#include "sim/serving/run_cache.h"

namespace weir::sim {

/// A request that has been admitted, as StepScheduler keeps it until it is done. All counts are of tokens unless they
/// say otherwise; input and output are numbered in a row.
struct Job {
  std::int64_t input = 0, output = 0;  ///< of the request, unless Rules::restart_cuts_prompt has moved tokens over
  std::int64_t prompt = 0;             ///< to be in the cache before the next token is written
  std::int64_t computed = 0;           ///< in the cache when the steps in flight are done
  std::int64_t written = 0;            ///< in steps that have ended
  std::int64_t in_flight = 0;          ///< will be written by steps in flight
  std::int64_t blocks = 0;             ///< held
  Time last_token;
  Time preempted_at = Time::never();  ///< while a preemption holds its next token up
  bool wrote = false;                 ///< its first token is out
  bool running = false;               ///< not preempted and not done

  std::int64_t covered = 0;   ///< of the input: read at least once, or spared by the prefix cache
  std::int64_t cut = 0;       ///< restart_cuts_prompt: tokens that look written but are known, still to come
  RunCache::Holding holding;  ///< with a prefix cache: what can be found of what it holds
  ServedRequest served;

  bool reading() const { return computed < prompt; }
  /// Tokens there are once the steps in flight are done, the last of them perhaps not yet in the cache.
  std::int64_t length() const { return input + written + in_flight; }
  /// Its last token is being written.
  bool all_scheduled() const { return written + in_flight >= output; }
};

}  // namespace weir::sim
