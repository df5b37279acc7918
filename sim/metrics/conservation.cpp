#include "sim/metrics/conservation.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace weir::sim {
namespace {

std::int64_t tokens_of(const SimRequest& r) {
  return std::int64_t{r.input_tokens} * (r.output_tokens > 0 ? 1 : r.items) + r.output_tokens;
}

void require(bool holds, const char* law) {
  if (!holds) throw std::logic_error(std::string("conservation broken: ") + law);
}

}  // namespace

Conservation check_conservation(const ConservationInput& in) {
  Conservation result;
  WideInt sojourn_ticks = 0;
  for (std::size_t i = 0; i < in.records.size(); ++i) {
    const SimRequest& request = in.requests.requests[i];
    const RequestRecord& record = in.records[i];
    require(record.outcome != RequestOutcome::pending, "a request is still in the system at the end");
    require(record.done >= request.arrival, "a request left before it came");
    sojourn_ticks += (record.done - request.arrival).ticks();
    result.tokens_in += tokens_of(request);
    if (record.outcome != RequestOutcome::completed) result.tokens_dropped += tokens_of(request);
  }
  result.tokens_out = in.totals.tokens_read + in.totals.tokens_written;
  if (in.totals.in_system_ticks > 0) {
    const double difference = static_cast<double>(in.totals.in_system_ticks - sojourn_ticks);
    result.little_law_relative_error = std::fabs(difference) / static_cast<double>(in.totals.in_system_ticks);
  }
  require(in.totals.in_system_ticks == sojourn_ticks, "Little's law");
  require(result.tokens_in == result.tokens_out + result.tokens_dropped, "tokens in = tokens out + dropped");
  require(in.totals.busy_ticks == in.totals.step_ticks, "busy time by state = by steps");
  require(in.totals.busy_ticks <= WideInt{in.wall.ticks()} * in.replicas, "busy time <= wall time x replicas");
  // Both are sums of doubles; the idle share of a fully busy fleet may round to below zero.
  if (in.joules) require(*in.joules >= *in.idle_joules * (1 - 1e-9), "energy >= idle energy");
  return result;
}

}  // namespace weir::sim
