#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/errors.h"
#include "sim/fleet/simulate.h"
#include "sim/metrics/histogram.h"
#include "sim/metrics/record.h"
#include "sim/metrics/series.h"
#include "sim/metrics/slo.h"

namespace weir::sim {

/// What the replicas of one run share. Everything they add to is a sum or is kept by request, so that the order in
/// which replicas are visited does not matter.
struct RunContext {
  const RequestList& requests;
  const StepTimer& timer;
  PowerModel power;
  std::vector<RequestRecord> records;  ///< one a request
  std::vector<Histogram> itl;          ///< one a class
  std::optional<SeriesGrid> series;
  std::optional<HopelessWatch> watch;  ///< set: stop early
  bool hopeless = false;
  const data::Progress& progress;
  std::int64_t departed = 0;
  std::int64_t events = 0;

  const SimRequest& request(std::uint32_t id) const { return requests.requests[id]; }

  /// Request `id` left at `at`.
  void leave(std::uint32_t id, Time at, RequestOutcome outcome) {
    RequestRecord& record = records[id];
    record.done = at;
    record.outcome = outcome;
    ++departed;
    if (series && outcome == RequestOutcome::completed) series->completion(at);
    if (watch && watch->left(requests.requests[id], record)) hopeless = true;
  }

  /// Counts an event; now and then reports progress. Throws Cancelled when the caller wants no more.
  void tick() {
    constexpr std::int64_t kEventsBetweenReports = 1 << 14;
    if (++events % kEventsBetweenReports != 0 || !progress) return;
    const double fraction = static_cast<double>(departed) / static_cast<double>(records.size());
    if (!progress(fraction, "simulating")) throw data::Cancelled();
  }
};

}  // namespace weir::sim
