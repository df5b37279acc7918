#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/scenario.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Latencies of a completed request, in seconds.
struct Latencies {
  double ttft_s = 0, e2e_s = 0, queue_s = 0;
  std::optional<double> tpot_s;  ///< (last token - first token) / (tokens - 1); empty with fewer than two tokens
};
Latencies latencies_of(const SimRequest& request, const RequestRecord& record);

/// "p50" -> 50, "p999" -> 99.9.
double percentile_number(std::string_view name);

/// The limit a single request is held to: that of the highest percentile stated for the metric, which is the loosest of
/// a sensible set and the only one that (nearly) every request is meant to keep. Empty without limits.
std::optional<double> request_limit(const data::PercentileLimits& limits);

/// What one request of a class must keep.
struct RequestLimits {
  explicit RequestLimits(const data::Slo& slo);
  bool kept_by(const Latencies& latencies) const;
  std::optional<double> ttft_s, tpot_s, e2e_s;
};

/// The targets of a class against the distributions of its completed requests. A target nobody could miss (no request
/// offered, no request with a second token) is met and has no value.
SloResult judge(const data::Slo& slo, std::string_view class_name, const LatencySummary& latency,
                const RequestCounts& counts, std::int64_t kept);

/// Tells during a run whether the targets are out of reach: so many requests missed a limit that, even if all the
/// others keep it, the attainment or a percentile fails.
class HopelessWatch {
 public:
  HopelessWatch(const std::vector<data::Slo>& slo_by_class, const RequestList& requests);
  /// Accounts for a request that left; true once the targets cannot be met any more.
  bool left(const SimRequest& request, const RequestRecord& record);

 private:
  enum class Metric { ttft, tpot, e2e };
  struct Target {
    Metric metric;
    double limit_s;
    std::int64_t may_exceed;
  };
  struct Class {
    explicit Class(const data::Slo& slo) : limits(slo) {}
    RequestLimits limits;
    std::int64_t may_miss = 0;
    std::vector<Target> targets;
    bool empty = true;
  };
  void add_targets(Class& to, Metric metric, const data::PercentileLimits& limits, std::int64_t offered);

  std::vector<Class> classes_;
};

}  // namespace weir::sim
