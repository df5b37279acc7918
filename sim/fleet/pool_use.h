#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/wide_int.h"
#include "sim/fleet/simulate.h"
#include "sim/metrics/totals.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// The time of a pool's replicas, those that were switched off at the time not counted.
struct PoolTime {
  WideInt replica_ticks = 0;
  double replica_s = 0;
};

/// How much of themselves the replicas of a pool used. Shares are of replica time; 0 when nothing is known.
struct PoolUse {
  double gpu_busy = 0, mfu = 0, mbu = 0, kv_occupancy = 0;
  std::optional<double> kv_blocks_peak;  ///< of one replica's cache
  std::optional<double> joules, idle_joules;
};

/// `kv_blocks` of one replica, each of block_tokens; 0 = no cache.
PoolUse pool_use(const PoolSpec& pool, const FleetTotals& totals, const PoolTime& time, std::int64_t kv_blocks,
                 std::int64_t block_tokens);

}  // namespace weir::sim
