#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "data/scenario_fleet.h"
#include "sim/fleet/fleet_process.h"

namespace weir::sim {

/// Noisy neighbours: each replica alternates between quiet and slow spells, exponential both, drawn by (seed, replica,
/// how often it changed) and slow at first with the probability of its share of time. Steps that begin in a slow spell
/// last longer; a step that runs when the spell changes keeps its pace. Throws InputError when a run has too many of
/// them.
class Contention final : public FleetProcess {
 public:
  Contention(const data::Contention& contention, std::uint64_t seed) : contention_(contention), seed_(seed) {}

  void begin(FleetHandle& fleet, Time now) override;
  Time next_event() const override { return changes_.empty() ? Time::never() : changes_.top().first; }
  void act(Time now) override;
  bool background() const override { return true; }

 private:
  struct State {
    bool slow = false;
    std::uint32_t changes = 0;
  };
  void enter(std::size_t replica, bool slow, Time now);

  data::Contention contention_;
  std::uint64_t seed_;
  FleetHandle* fleet_ = nullptr;
  std::vector<State> states_;
  std::int64_t spells_ = 0;  ///< of all replicas so far
  using Change = std::pair<Time, std::size_t>;
  std::priority_queue<Change, std::vector<Change>, std::greater<>> changes_;
};

}  // namespace weir::sim
