#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "data/scenario_pipeline.h"
#include "sim/core/time.h"
#include "sim/fleet/fleet_process.h"

namespace weir::sim {

/// c servers with one queue, first come first served (G/D/c or G/M/c): each request goes to the server that is free
/// first, so that when it is done is known when it comes.
class HostStage {
 public:
  HostStage(const data::HostStage& stage, std::uint64_t seed, std::string purpose);

  /// When a request that comes at `now`, not before the one that came last, is done. Throws InputError when that is
  /// past the end of the clock.
  Time done(const QueuedRequest& request, Time now);

 private:
  Time duration(const QueuedRequest& request) const;
  [[noreturn]] void refuse_backlog() const;

  data::HostStage stage_;
  std::uint64_t seed_;
  std::string purpose_;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> free_at_;  ///< one entry a server
};

/// The work of the hosts before and after the accelerators. Every replica has its own servers for it.
class HostStages final : public FleetProcess {
 public:
  HostStages(const data::OneShotPipeline& pipeline, int replicas, std::uint64_t seed);

  void begin(FleetHandle&, Time) override {}
  Time enters(const QueuedRequest& request, Time now, std::int32_t replica) override;
  Time leaves(const ServedRequest& served, Time now, std::int32_t replica) override;

 private:
  std::vector<HostStage> before_, after_;  ///< by replica; empty = no such stage
};

}  // namespace weir::sim
