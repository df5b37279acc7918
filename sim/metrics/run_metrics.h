#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/metrics/class_metrics.h"
#include "sim/metrics/latency_recorder.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/metrics/series.h"
#include "sim/metrics/slo.h"
#include "sim/serving/step.h"

namespace weir::sim {

struct MetricsSpec {
  data::WorkloadKind kind = data::WorkloadKind::generative;
  std::vector<std::string> class_names;
  std::vector<data::Slo> slo;  ///< one a class
  Time begin;                  ///< the first arrival
  Time series_step;            ///< zero = no time series
  /// Requests each class will offer, when known: lets a run stop once its targets are out of reach.
  std::vector<std::int64_t> offered;
  bool stop_when_hopeless = false;
  std::size_t exact_limit = kExactLimit;  ///< LatencyRecorder
};

/// All that is measured of a run's requests while they leave. Memory does not grow with the run. Sums are integers and
/// everything else depends on a request's position in the demand and not on the order of calls, so that replicas may be
/// visited in any order.
class RunMetrics {
 public:
  explicit RunMetrics(const MetricsSpec& spec);

  void arrived(Time now) {
    if (series_) series_->arrival(now);
  }
  void completed(const ServedRequest& served, Time done) {
    classes_[static_cast<std::size_t>(served.request.class_index)].completed(served, done);
    left(done);
    if (series_) series_->completion(done);
    if (watch_) [[unlikely]]
      watch(served, done);
  }
  void dropped(const QueuedRequest& request, Time done, RequestOutcome outcome);
  void add(const Gap& gap) { classes_[static_cast<std::size_t>(gap.class_index)].add(gap); }
  /// A replica has so many more (fewer) waiting and running requests from `now` on, and begins or ends to be busy.
  [[gnu::always_inline]] void change(Time now, std::int64_t waiting, std::int64_t running, int busy) {
    if (series_) series_->change(now, waiting, running, busy);
  }
  void change(const SeriesGrid::Changes& changes) {
    if (series_) series_->change(changes);
  }
  /// When the cell of the time series that `at` lies in ends; never = there is no series.
  Time cell_end(Time at) { return series_ ? series_->cell_end(at) : Time::never(); }
  /// The targets cannot be met any more; only with stop_when_hopeless.
  bool hopeless() const { return hopeless_; }
  std::int64_t departed() const { return departed_; }
  Time last_departure() const { return last_departure_; }

  /// To be called after the last request, before anything below.
  void settle();
  /// Settles, and fills what follows from the requests alone: simulated_s, counts,
  /// latencies, classes, throughput, SLO, breakdown, tails, series and exactness.
  void fill(RunResult& result, int replicas, bool tails);
  const std::vector<ClassMetrics>& classes() const { return classes_; }
  const MetricsSpec& spec() const { return spec_; }
  /// Adds what independent replicas measured under the same spec; only for requests with other places in the demand is
  /// it the same as if one had measured all.
  void merge(const RunMetrics& other);
  /// Everything measured is equal, bit for bit.
  bool operator==(const RunMetrics& other) const;

 private:
  void left(Time at) {
    ++departed_;
    last_departure_ = std::max(last_departure_, at);
  }
  void watch(const ServedRequest& served, Time done);

  MetricsSpec spec_;
  std::vector<ClassMetrics> classes_;
  std::optional<SeriesGrid> series_;
  std::optional<HopelessWatch> watch_;
  std::int64_t departed_ = 0;
  Time last_departure_;
  bool hopeless_ = false;
};

}  // namespace weir::sim
