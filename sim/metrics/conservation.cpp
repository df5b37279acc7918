#include "sim/metrics/conservation.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "sim/core/wide_int.h"

namespace weir::sim {
namespace {

void require(bool holds, const char* law) {
  if (!holds) throw std::logic_error(std::string("conservation broken: ") + law);
}

}  // namespace

Conservation check_conservation(const ConservationInput& in) {
  WideInt sojourn_ticks = 0;
  std::int64_t input = in.elsewhere.read, output = in.elsewhere.written, dropped = 0;
  for (const ClassMetrics& c : in.metrics.classes()) {
    sojourn_ticks += c.sojourn_ticks();
    input += c.sums().input_tokens;
    output += c.sums().output_tokens;
    dropped += c.sums().dropped_tokens;
  }
  const SchedulerCounts& counts = in.totals.scheduler;
  const std::int64_t read_once = counts.tokens_read - counts.recomputed_tokens + counts.cache_hit_tokens;
  Conservation result;
  result.tokens_in = input + output + dropped;
  result.tokens_out = read_once + static_cast<std::int64_t>(in.totals.tokens_written);
  result.tokens_dropped = dropped;
  if (in.totals.in_system_ticks > 0) {
    const double difference = static_cast<double>(in.totals.in_system_ticks - sojourn_ticks);
    result.little_law_relative_error = std::fabs(difference) / static_cast<double>(in.totals.in_system_ticks);
  }
  require(in.totals.in_system_ticks == sojourn_ticks, "Little's law");
  require(read_once == input, "tokens read = input tokens completed or read for nothing");
  require(in.totals.tokens_written == output, "tokens written = output tokens completed or written for nothing");
  require(result.tokens_in == result.tokens_out + result.tokens_dropped, "tokens in = tokens out + dropped");
  require(in.totals.busy_ticks == in.totals.all_work().ticks - in.totals.cut_ticks, "busy time by state = by steps");
  require(in.totals.busy_ticks >= 0, "busy time >= 0");
  require(in.totals.busy_ticks <= WideInt{in.wall.ticks()} * in.replicas, "busy time <= wall time x replicas");
  // Both are sums of doubles; the idle share of a fully busy fleet may round to below zero.
  if (in.joules) require(*in.joules >= *in.idle_joules * (1 - 1e-9), "energy >= idle energy");
  return result;
}

}  // namespace weir::sim
