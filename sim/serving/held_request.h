#pragma once

#include <cstdint>

#include "sim/serving/request.h"

namespace weir::sim {

/// A request that is at a scheduler, with what it has cost so far, as SchedulerCounts counts it.
struct HeldRequest {
  QueuedRequest request;
  std::int64_t read = 0;     ///< of its input tokens: read at least once, or found in a cache
  std::int64_t written = 0;  ///< tokens
};

}  // namespace weir::sim
