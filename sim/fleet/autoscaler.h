#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "data/scenario_fleet.h"
#include "sim/fleet/fleet_process.h"

namespace weir::sim {

/// Opens and closes replicas. Every interval it looks at the metric and wants
///
///   outstanding, queue: ceil(sum over the replicas in use and the router / target)
///   utilisation:        ceil(replicas in use x their busy share of the last interval / target)
///   schedule:           what the clock says
///
/// replicas, within [min, max]. More are started (those that are draining come back first, the others take the start-up
/// time) unless the last start was less than cooldown_up ago; fewer are kept (those that start are stopped first, then
/// the ones with the fewest requests, which are drained) unless the last change was less than cooldown_down ago. A
/// replica is paid for from the decision to start it until it has nothing left to do.
class Autoscaler final : public FleetProcess {
 public:
  /// `initial` replicas run from the beginning, within [min, max]; under a schedule those it wants then.
  Autoscaler(const data::Autoscaling& scaling, int initial, double start_up_s);

  void begin(FleetHandle& fleet, Time now) override;
  Time next_event() const override;
  void act(Time now) override;
  bool background() const override { return true; }
  void drained(std::size_t replica, Time now) override;

  std::int64_t ups() const { return ups_; }
  std::int64_t downs() const { return downs_; }

 private:
  enum class State : std::uint8_t { off, starting, in_use, draining };
  void look(Time now);
  int wanted(Time now);
  int scheduled(Time now) const;
  double busy_share(Time now);
  void start(int more, Time now);
  void stop(int fewer, Time now);
  std::size_t least_loaded() const;
  int count(State state) const;

  data::Autoscaling scaling_;
  int initial_;
  double start_up_s_;
  FleetHandle* fleet_ = nullptr;
  std::vector<State> states_;
  std::vector<std::int64_t> busy_before_;              ///< ticks at the last look
  std::deque<std::pair<Time, std::size_t>> starting_;  ///< when they are ready
  Time next_look_ = Time::never(), last_look_;
  bool changed_ = false, started_ = false;  ///< ever
  Time last_change_, last_start_;
  std::int64_t ups_ = 0, downs_ = 0;
};

}  // namespace weir::sim
