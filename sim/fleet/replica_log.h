#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/fleet/fleet_process.h"
#include "sim/metrics/series.h"

namespace weir::sim {

/// Which replicas run, take requests and are down, and for how long. A replica is one of: off; on and open; on and
/// closed. `down` are those on that a failure or maintenance keeps closed.
class ReplicaLog {
 public:
  ReplicaLog(std::size_t replicas, Time begin, Time series_step);

  bool is_open(std::size_t replica) const { return closed_[replica] == 0; }
  bool is_closed_by(std::size_t replica, Closed why) const { return (closed_[replica] & bit(why)) != 0; }
  bool is_on(std::size_t replica) const { return on_[replica] != 0; }
  void set_closed(std::size_t replica, Closed why, bool closed, Time now);
  void set_on(std::size_t replica, bool on, Time now);
  /// Anything has happened to the replicas at all.
  bool used() const { return used_; }

  /// Up to `end`, after the last change.
  void settle(Time end);
  // After settle().
  WideInt on_ticks(std::size_t replica) const { return on_ticks_[replica]; }
  WideInt on_ticks() const;
  WideInt open_ticks() const { return open_ticks_; }
  WideInt down_ticks() const { return down_ticks_; }
  int most_on() const { return most_on_; }
  /// Mean open replicas in each cell of the series.
  std::vector<double> open_series() const;
  Time end() const { return since_; }

 private:
  static std::uint8_t bit(Closed why) { return static_cast<std::uint8_t>(why); }
  bool is_down(std::size_t replica) const {
    return on_[replica] != 0 && (closed_[replica] & (bit(Closed::failed) | bit(Closed::maintained))) != 0;
  }
  void integrate(Time now);
  void count(std::size_t replica, int sign, Time now);

  std::vector<std::uint8_t> closed_;  ///< by reasons
  std::vector<char> on_;
  std::vector<Time> on_since_;
  std::vector<WideInt> on_ticks_;
  std::int64_t now_on_ = 0, now_open_ = 0, now_down_ = 0;
  int most_on_ = 0;
  WideInt open_ticks_ = 0, down_ticks_ = 0;
  Time begin_, since_;
  bool used_ = false;
  std::optional<SeriesGrid> series_;
};

}  // namespace weir::sim
