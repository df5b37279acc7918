#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Distribution of a latency in seconds. n = 0: nothing was measured and the other members mean nothing.
struct Distribution {
  std::int64_t n = 0;
  double mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0;
  /// Half-width of the 99% interval of the mean by batch means; empty with fewer than 20 batches' worth of values.
  std::optional<double> mean_half_width_99;
};

struct LatencySummary {
  Distribution ttft, tpot, itl, e2e, queue;
};

struct RequestCounts {
  std::int64_t offered = 0, completed = 0, rejected = 0, timed_out = 0, failed = 0;
  std::int64_t cancelled = 0, lost = 0, displaced = 0;  ///< RequestOutcome says what each means
};

/// One stated limit and what the run gave.
struct SloTarget {
  std::string class_name, metric, percentile;  ///< "ttft", "p99"
  double limit_s = 0;
  std::optional<double> value_s;  ///< empty: no completed request
  bool met = false;
};

struct SloResult {
  std::optional<double> attainment;  ///< share of offered requests that kept all their limits; empty without limits
  double required_attainment = 0;    ///< the strictest class's
  std::vector<SloTarget> targets;
  bool met = true;  ///< all targets, and each class's attainment
};

struct ClassResult {
  std::string name;
  RequestCounts requests;
  LatencySummary latency;
  SloResult slo;
};

/// Points of the latency tail for charts: at each latency, the share of offered requests slower than it.
struct TailPoint {
  double latency_s = 0, slower_share = 0;
};

/// One grid cell of the time series.
struct SeriesPoint {
  double begin_s = 0;
  std::int64_t arrivals = 0, completions = 0;
  double busy = 0;                           ///< share of replica time, 0..1
  double waiting_mean = 0;                   ///< requests waiting
  double running_mean = 0;                   ///< requests running
  std::optional<double> open_replicas = {};  ///< mean of those that take requests; empty: all, all the time
};

/// Where the mean end-to-end latency goes, in seconds; the four add up to it. Prefill lasts until the first token and
/// decode from there, both without the time a request spends preempted: from losing its KV cache to its next token.
/// One-shot: the batch is the prefill.
struct Breakdown {
  double queue = 0, prefill = 0, decode = 0, preempted = 0;
};

/// Means over the completed requests.
struct RequestMeans {
  double input_tokens = 0, output_tokens = 0;
  double cached_tokens = 0;  ///< of the input, spared by the prefix cache at the first admission
  double preemptions = 0;
};

/// Checks that hold in every run; a violation is a std::logic_error, so a result that exists has passed them.
struct Conservation {
  double little_law_relative_error = 0;  ///< |L - lambda W| / L
  std::int64_t tokens_in = 0, tokens_out = 0, tokens_dropped = 0;
};

/// What became of the replicas, when key `fleet` of the scenario lets anything happen to them.
struct FleetRecord {
  double replica_hours = 0;  ///< run and paid for: from the decision to start one until it has nothing left to do
  double replicas_mean = 0;  ///< replica_hours / the run's hours
  int replicas_peak = 0;     ///< on at once
  double open_mean = 0;      ///< taking requests
  double down_share = 0;     ///< of the replica hours, failed or under maintenance
  std::int64_t failures = 0, maintained = 0;    ///< of replicas that were on; times one was taken out and came back
  std::int64_t retried = 0;                     ///< times a request lost its replica and was sent to another
  std::int64_t scale_ups = 0, scale_downs = 0;  ///< decisions
};

/// One pool of a fleet that has several; means over its replicas' time.
struct PoolResult {
  std::string accelerator;
  int replicas = 0, accelerators_per_replica = 1;
  bool cloud = false;
  double gpu_busy = 0, mfu = 0, mbu = 0, kv_occupancy = 0;
  std::int64_t output_tokens = 0;
  std::optional<double> joules;
};

struct RunResult {
  std::string scenario;
  std::uint64_t seed = 0;
  int replicas = 0;
  RequestCounts requests;
  double simulated_s = 0;  ///< from the first arrival to the last departure (completion or drop)
  LatencySummary latency;
  std::vector<ClassResult> classes;
  double requests_per_s = 0, input_tokens_per_s = 0, output_tokens_per_s = 0;  ///< completed / simulated_s
  double output_tokens_within_slo_per_s = 0;
  SloResult slo;
  RequestMeans per_request;
  /// gpu_busy, mfu, mbu and kv_occupancy (tokens held, of those the cache holds) are means over simulated_s and all
  /// replicas; batch_size_mean is the mean of sequences a decode step, or of items a one-shot batch.
  double gpu_busy = 0, mfu = 0, mbu = 0, kv_occupancy = 0, batch_size_mean = 0;
  std::optional<double> kv_blocks_peak;  ///< most blocks any replica held, as a share of its cache; empty: no KV cache
  std::int64_t preemptions = 0;          ///< times a request lost its KV cache
  std::int64_t recomputed_tokens = 0;    ///< read again after that
  std::optional<double> prefix_cache_hit_rate;  ///< prompt tokens found / looked up; empty without a prefix cache
  std::optional<double> joules, joules_per_output_token;  ///< empty when the accelerator's power is unknown
  std::optional<FleetRecord> fleet;                       ///< empty: all replicas were there all the time
  std::vector<PoolResult> pools;                          ///< empty: one pool
  Breakdown breakdown;
  std::vector<TailPoint> ttft_tail, tpot_tail, e2e_tail;
  std::vector<SeriesPoint> series;
  Conservation conservation;
  std::vector<EvidenceNote> evidence;
  /// How percentiles were found. "exact percentiles" (up to 100,000 requests), followed by "; itl: 0.5% histogram" when
  /// there is ITL; or "0.5% histograms", followed by "; classes up to 100,000 requests: exact" when there are such.
  std::string exactness;
};

}  // namespace weir::sim
