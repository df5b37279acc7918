#pragma once

#include <algorithm>
#include <cstdint>

#include "data/errors.h"
#include "data/progress.h"
#include "sim/core/time.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_metrics.h"

namespace weir::sim {

/// What the replicas of one run share.
struct RunContext {
  RunMetrics& metrics;
  const data::Progress& progress;
  RequestSink* sink = nullptr;
  std::int64_t offered = 0;              ///< by the whole run; 0 = not known: then progress is that of the clock
  Time begin = {}, end = Time::never();  ///< of the arrivals
  std::int64_t events = 0;

  /// Counts an event; now and then reports progress. Throws Cancelled when the caller wants no more.
  void tick() {
    constexpr std::int64_t kEventsBetweenReports = 1 << 14;
    if (++events % kEventsBetweenReports == 0) [[unlikely]]
      report();
  }

 private:
  void report() const {
    if (!progress) return;
    if (!progress(fraction(), "simulating")) throw data::Cancelled();
  }
  double fraction() const {
    if (offered > 0) return static_cast<double>(metrics.departed()) / static_cast<double>(offered);
    if (end == Time::never() || end <= begin || metrics.last_departure() <= begin) return 0;
    return std::min(1.0, (metrics.last_departure() - begin).seconds() / (end - begin).seconds());
  }
};

}  // namespace weir::sim
