#pragma once

#include <cstdint>

#include "sim/core/time.h"
#include "sim/serving/request.h"

namespace weir::sim {

enum class RequestOutcome : std::uint8_t {
  completed,
  rejected,   ///< the queue was full
  timed_out,  ///< waited too long
  failed,     ///< can never be served
  cancelled,  ///< its client gave it up
  lost,       ///< with a replica that failed
  displaced,  ///< a frame, by a newer one of its stream
};

/// A request that left. Which of the times are set follows from the outcome: `done` always (for a request that was not
/// served, when it left), the others only when it completed.
struct RequestRecord {
  ServedRequest served;
  Time done;
  RequestOutcome outcome = RequestOutcome::completed;
  std::int32_t replica = 0;
};

/// Is told of every request when it leaves. Requests of one replica come in order of leaving; those of different
/// replicas may overtake each other by as much as the time between two arrivals.
class RequestSink {
 public:
  virtual ~RequestSink() = default;
  virtual void left(const RequestRecord& record) = 0;
};

}  // namespace weir::sim
