#pragma once

#include <cstdint>
#include <vector>

#include "data/scenario.h"
#include "data/trace.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Appends the trace's demand to `to`: the rows of the window, from time 0 at its begin, `rate_scale` times as fast,
/// `repeat` times in a row. A row with a class goes to the class of that name (InputError when `to` has none); a row
/// without is dealt by `shares`, one for each class of `to`, drawn with the seed. Returns the end of the replayed time:
/// of the last window, or, without one, a mean gap after the last request, which is also how repeats are spaced.
/// What the prompts hold goes to `contents`, which the requests point into: hashes, or for a row without any its
/// session. A repeat asks for the same contents again. `fold_repeats`: when no draw makes the passes differ, only the
/// first is appended, and `to` says how many there are.
Time replay_trace(const data::Trace& trace, const data::TraceReference& reference, bool oneshot,
                  const std::vector<double>& shares, std::uint64_t seed, RequestList& to, PromptContents& contents,
                  bool fold_repeats = false);

}  // namespace weir::sim
