#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "data/errors.h"
#include "data/progress.h"
#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/fleet/fleet_process.h"
#include "sim/metrics/conservation.h"
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
  std::span<FleetProcess* const> processes = {};  ///< in the order in which they are asked
  TokensElsewhere elsewhere = {};
  WideInt beside_replicas_ticks = 0;  ///< requests in the system and at no replica, over time

  /// Counts an event; now and then reports progress. Throws Cancelled when the caller wants no more.
  void tick() {
    constexpr std::int64_t kEventsBetweenReports = 1 << 14;
    if ((++events & (kEventsBetweenReports - 1)) == 0) [[unlikely]]
      report();
  }

  /// A replica has served a request, which leaves unless a process sends it on.
  [[gnu::always_inline]] void completed(const ServedRequest& served, Time now, std::int32_t replica) {
    if (!processes.empty()) {
      if (sent_on(served, now, replica)) return;
      const Time served_at = now;
      for (FleetProcess* process : processes) now = process->leaves(served, now, replica);
      beside_replicas_ticks += (now - served_at).ticks();
    }
    metrics.completed(served, now);
    if (sink != nullptr || !processes.empty()) tell({served, now, RequestOutcome::completed, replica});
  }
  /// A request leaves unserved.
  void dropped(const QueuedRequest& request, Time now, RequestOutcome outcome, std::int32_t replica) {
    metrics.dropped(request, now, outcome);
    if (sink == nullptr && processes.empty()) return;
    RequestRecord record;
    record.served.request = request;
    record.done = now;
    record.outcome = outcome;
    record.replica = replica;
    tell(record);
  }

 private:
  bool sent_on(const ServedRequest& served, Time now, std::int32_t replica) {
    const auto sends = [&](FleetProcess* p) { return p->served(served, now, replica); };
    if (!std::ranges::any_of(processes, sends)) return false;
    elsewhere.read += std::int64_t{served.request.input_tokens} * served.request.items;
    elsewhere.written += served.request.output_tokens;
    return true;
  }
  void tell(const RequestRecord& record) const {
    if (sink != nullptr) sink->left(record);
    for (FleetProcess* process : processes) process->left(record);
  }
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
