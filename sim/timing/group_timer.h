#pragma once

#include <span>

#include "sim/core/time.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Times one step that several ranks take together, each with a batch of its own, because they exchange something in
/// it (the experts of a mixture, for one). Immutable; may be used from several threads.
class GroupTimer {
 public:
  virtual ~GroupTimer() = default;
  /// One shape a rank; a rank without work takes part with the shape its engine would run (a dummy batch).
  virtual Time group_iteration(std::span<const IterationShape> ranks) const = 0;
};

}  // namespace weir::sim
