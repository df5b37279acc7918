#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "data/scenario.h"
#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/metrics/histogram.h"
#include "sim/metrics/latency_recorder.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/metrics/slo.h"
#include "sim/serving/request.h"

namespace weir::sim {

/// What the requests of a class add up to.
struct ClassSums {
  std::int64_t rejected = 0, timed_out = 0, failed = 0, cancelled = 0, lost = 0, displaced = 0;
  std::int64_t unserved() const { return rejected + timed_out + failed + cancelled + lost + displaced; }
  // Of the completed.
  std::int64_t kept = 0;  ///< requests that kept all limits of their class
  std::int64_t input_tokens = 0, output_tokens = 0, output_tokens_kept = 0, cached_tokens = 0;
  std::int64_t preemptions = 0;
  WideInt preempted_ticks = 0, preempted_before_first_ticks = 0;
  // Of the others.
  std::int64_t one_token_dropped = 0;  ///< they would not have had a TPOT
  std::int64_t dropped_tokens = 0;
  WideInt dropped_ticks = 0;  ///< arrival to departure

  void add(const ClassSums& other);
  bool operator==(const ClassSums&) const = default;
};

/// All that is measured of one class. One-shot work has no tokens to write: ttft, tpot and itl stay empty, and the time
/// of its batch counts as prefill.
///
/// Completions are gathered and accounted for some at a time, which costs a third of one by one. What is read is right
/// after settle().
class ClassMetrics {
 public:
  ClassMetrics(data::WorkloadKind kind, const data::Slo& slo, std::size_t exact_limit = kExactLimit);

  void completed(const ServedRequest& served, Time done) {
    const QueuedRequest& request = served.request;
    Pending& p = pending_;
    p.index[p.n] = request.index;
    p.queue[p.n] = (served.admitted - request.arrival).ticks();
    p.ttft[p.n] = (served.first - request.arrival).ticks();
    p.e2e[p.n] = (done - request.arrival).ticks();
    p.input[p.n] = input_of(request);
    p.output[p.n] = request.output_tokens;
    p.cached[p.n] = served.cached_tokens;
    if (served.preemptions > 0) [[unlikely]]
      add_preempted(served);
    if (++p.n == kPending) [[unlikely]]
      settle();
  }
  void dropped(const QueuedRequest& request, Time done, RequestOutcome outcome);
  /// Tokens got to after gaps.
  void add(const Gap& gap) {
    if (gap.steps == 1) {
      itl_.add(Time::from_ticks(gap.first_ticks), gap.count);
    } else {
      itl_.add_progression(gap);
    }
  }
  /// Accounts for all that was gathered.
  void settle();

  // From here on everything is to be settled before.

  /// Other requests of the same class, or of another class of the same kind of work.
  void merge(const ClassMetrics& other);
  bool operator==(const ClassMetrics& other) const;

  const ClassSums& sums() const { return sums_; }
  const Histogram& itl() const { return itl_; }
  RequestCounts counts() const;
  /// Sum over all requests of the time from arrival to departure.
  WideInt sojourn_ticks() const { return e2e_.sum_ticks() + sums_.dropped_ticks; }
  /// Means over the completed requests.
  Breakdown breakdown() const;
  LatencySummary latency();
  /// Percentiles of requests are exact.
  bool exact() const { return e2e_.exact(); }
  /// Requests that were not served count as slower than all.
  void fill_tails(RunResult& result);

 private:
  static constexpr std::size_t kPending = 128;
  struct Pending {
    std::size_t n = 0;
    std::array<std::uint64_t, kPending> index{};
    std::array<std::int64_t, kPending> queue{}, ttft{}, e2e{}, input{};
    std::array<std::int32_t, kPending> output{}, cached{};
  };

  std::int64_t input_of(const QueuedRequest& request) const {
    return std::int64_t{request.input_tokens} * (one_shot_ ? request.items : 1);
  }
  void add_preempted(const ServedRequest& served);
  void settle_sums(const std::int64_t* tpot);

  bool one_shot_;
  RequestLimits limits_;
  ClassSums sums_;
  LatencyRecorder ttft_, tpot_, e2e_, queue_;
  Histogram itl_;
  Pending pending_;
};

}  // namespace weir::sim
