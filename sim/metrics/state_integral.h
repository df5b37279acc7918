#pragma once

#include <cstdint>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/metrics/run_metrics.h"

namespace weir::sim {

/// How many requests wait and run at a replica and whether it is busy, integrated over time. A change costs a few sums:
/// the time series hears of all changes within one of its cells at once, when the next one begins.
class StateIntegral {
 public:
  /// What it is from `now` on, which is not before the last change.
  [[gnu::always_inline]] void change(Time now, std::int64_t waiting, std::int64_t running, std::int64_t busy,
                                     RunMetrics& metrics) {
    if (now >= cell_end_) [[unlikely]]
      next_cell(now, metrics);
    const std::int64_t ticks = (now - since_).ticks();
    waiting_ticks_ += WideInt{waiting_} * ticks;
    running_ticks_ += WideInt{running_} * ticks;
    busy_ticks_ += busy_ * ticks;
    running_ = running;
    waiting_ = waiting;
    busy_ = busy;
    since_ = now;
  }
  std::int64_t waiting() const { return waiting_; }
  std::int64_t running() const { return running_; }
  std::int64_t busy() const { return busy_; }

  /// Tells the series what it has not heard yet.
  void settle(RunMetrics& metrics) {
    if (cell_end_ == Time()) return;
    const std::int64_t ticks = (since_ - begin_).ticks();
    metrics.change({.last = since_,
                    .waiting = waiting_ - waiting_before_,
                    .running = running_ - running_before_,
                    .busy = busy_ - busy_before_,
                    .waiting_ticks = waiting_ticks_ - WideInt{waiting_before_} * ticks,
                    .running_ticks = running_ticks_ - WideInt{running_before_} * ticks,
                    .busy_ticks = WideInt{busy_ticks_} - WideInt{busy_before_} * ticks});
    settled_in_system_ += waiting_ticks_ + running_ticks_;
    settled_busy_ += busy_ticks_;
    waiting_ticks_ = running_ticks_ = 0;
    busy_ticks_ = 0;
    begin_ = since_;
    waiting_before_ = waiting_, running_before_ = running_, busy_before_ = busy_;
  }

  // Until the last change.
  WideInt in_system_ticks() const { return settled_in_system_ + waiting_ticks_ + running_ticks_; }
  std::int64_t busy_ticks() const { return settled_busy_ + busy_ticks_; }
  /// Until `now`, which is not before that.
  std::int64_t busy_ticks(Time now) const { return busy_ticks() + busy_ * (now - since_).ticks(); }

 private:
  [[gnu::noinline]] void next_cell(Time now, RunMetrics& metrics) {
    settle(metrics);
    cell_end_ = metrics.cell_end(now);
  }

  std::int64_t waiting_ = 0, running_ = 0, busy_ = 0;
  Time since_;     ///< the last change
  Time cell_end_;  ///< of the cell it lies in; 0 = there was none
  // Since begin_, a time from which on all changes lie in that cell.
  Time begin_;
  std::int64_t waiting_before_ = 0, running_before_ = 0, busy_before_ = 0;
  WideInt waiting_ticks_ = 0, running_ticks_ = 0;
  std::int64_t busy_ticks_ = 0;
  // Before it.
  WideInt settled_in_system_ = 0;
  std::int64_t settled_busy_ = 0;
};

}  // namespace weir::sim
