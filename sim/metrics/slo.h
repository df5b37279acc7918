#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/scenario.h"
#include "sim/core/time.h"
#include "sim/metrics/run_result.h"
#include "sim/serving/request.h"

namespace weir::sim {

/// TPOT: (last token - first token) / (tokens - 1), rounded down. With one token there is none: 0, which keeps every
/// limit.
inline std::int64_t tpot_ticks(std::int64_t decode_ticks, std::int64_t output_tokens) {
  if (output_tokens < 2) return 0;
  // Exact: below 2^53 a quotient is further below the next integer than it is rounded. Half the time of the integer
  // division.
  constexpr std::int64_t kExactDoubles = std::int64_t{1} << 53;
  if (decode_ticks < kExactDoubles) [[likely]] {
    return static_cast<std::int64_t>(static_cast<double>(decode_ticks) / static_cast<double>(output_tokens - 1));
  }
  return decode_ticks / (output_tokens - 1);
}

/// Latencies of a completed request.
struct Latencies {
  Time ttft, tpot, e2e;
};
inline Latencies latencies_of(const ServedRequest& served, Time done) {
  const QueuedRequest& request = served.request;
  const std::int64_t decode = (done - served.first).ticks();
  return {served.first - request.arrival, Time::from_ticks(tpot_ticks(decode, request.output_tokens)),
          done - request.arrival};
}

/// "p50" -> 50, "p999" -> 99.9.
double percentile_number(std::string_view name);

/// The limit a single request is held to: that of the highest percentile stated for the metric, which is the loosest of
/// a sensible set and the only one that (nearly) every request is meant to keep. Empty without limits.
std::optional<double> request_limit(const data::PercentileLimits& limits);

/// The longest time that is not above limit_s when both are compared in seconds.
Time longest_within(double limit_s);

/// What one request of a class must keep. Without a limit: anything.
struct RequestLimits {
  explicit RequestLimits(const data::Slo& slo);
  bool kept_by(std::int64_t ttft_ticks, std::int64_t tpot_ticks, std::int64_t e2e_ticks) const {
    return ttft_ticks <= ttft.ticks() && tpot_ticks <= tpot.ticks() && e2e_ticks <= e2e.ticks();
  }
  bool kept_by(const Latencies& l) const { return kept_by(l.ttft.ticks(), l.tpot.ticks(), l.e2e.ticks()); }
  Time ttft = Time::never(), tpot = Time::never(), e2e = Time::never();
};

/// The targets of a class against the distributions of its completed requests. A target nobody could miss (no request
/// offered, no request with a second token) is met and has no value.
SloResult judge(const data::Slo& slo, std::string_view class_name, const LatencySummary& latency,
                const RequestCounts& counts, std::int64_t kept);

/// Tells during a run whether the targets are out of reach: so many requests missed a limit that, even if all the
/// others keep it, the attainment or a percentile fails.
class HopelessWatch {
 public:
  /// `offered` requests of each class will come in all.
  HopelessWatch(const std::vector<data::Slo>& slo_by_class, const std::vector<std::int64_t>& offered);
  // Account for a request that left; true once the targets cannot be met any more.
  bool completed(std::size_t request_class, const Latencies& latencies);
  bool dropped(std::size_t request_class);

 private:
  struct Target {
    Time Latencies::*metric;
    Time limit;
    std::int64_t may_exceed;
  };
  struct Class {
    explicit Class(const data::Slo& slo) : limits(slo) {}
    RequestLimits limits;
    std::int64_t may_miss = 0;
    std::vector<Target> targets;
    bool empty = true;
  };
  static void add_targets(Class& to, Time Latencies::*metric, const data::PercentileLimits& limits,
                          std::int64_t offered);

  std::vector<Class> classes_;
};

}  // namespace weir::sim
