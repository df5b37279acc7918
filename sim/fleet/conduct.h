#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/scenario_fleet.h"
#include "sim/fleet/autoscaler.h"
#include "sim/fleet/availability.h"
#include "sim/fleet/contention.h"
#include "sim/fleet/replica_log.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// The processes that key `fleet` of a scenario asks for.
class Conduct {
 public:
  /// `replicas` of the deployment; start_up_s of one more under autoscaling.
  Conduct(const data::FleetConduct& conduct, int replicas, double start_up_s, std::uint64_t seed);
  Conduct(const Conduct&) = delete;
  Conduct& operator=(const Conduct&) = delete;

  /// Replicas the fleet is built with: all there may ever be.
  int replicas() const { return replicas_; }
  void add_to(std::vector<FleetProcess*>& processes);
  /// After the run, which ended at `end` and began `wall` before; `log` is settled.
  FleetRecord record(const ReplicaLog& log, Time wall) const;

 private:
  int replicas_;
  std::optional<Failures> failures_;
  std::optional<Maintenance> maintenance_;
  std::optional<Autoscaler> autoscaler_;
  std::optional<Contention> contention_;
};

}  // namespace weir::sim
