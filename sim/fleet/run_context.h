#pragma once

#include <cstdint>

#include "data/errors.h"
#include "data/progress.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_metrics.h"

namespace weir::sim {

/// What the replicas of one run share.
struct RunContext {
  RunMetrics& metrics;
  const data::Progress& progress;
  RequestSink* sink = nullptr;
  std::int64_t offered = 0;  ///< by the whole run; 0 = not known
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
    const double fraction = offered > 0 ? static_cast<double>(metrics.departed()) / static_cast<double>(offered) : 0.0;
    if (!progress(fraction, "simulating")) throw data::Cancelled();
  }
};

}  // namespace weir::sim
