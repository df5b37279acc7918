#pragma once

#include <cstdint>

#include "sim/core/time.h"

namespace weir::sim {

enum class RequestOutcome : std::uint8_t { pending, completed, rejected, timed_out, failed };

/// What happened to one request. Which of the times are set follows from the outcome: `done` always (for a request that
/// was not served, when it left), `admitted` when it started, `first` when it got its first token.
struct RequestRecord {
  Time admitted, first, done;
  RequestOutcome outcome = RequestOutcome::pending;
};

}  // namespace weir::sim
