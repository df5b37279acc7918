#include "sim/fleet/pool_use.h"

#include <algorithm>

#include "sim/metrics/energy.h"

namespace weir::sim {
namespace {

/// Energy of the accelerators over the run. A busy accelerator never takes less than an idle one.
void fill_energy(const PoolSpec& pool, const FleetTotals& totals, double replica_s, PoolUse& use) {
  const PowerModel& power = pool.power;
  if (!power.tdp_w || !power.idle_w) return;
  const double busy_s = static_cast<double>(totals.busy_ticks) / static_cast<double>(Time::kTicksPerSecond);
  const double share_s = busy_power_share_seconds(totals, *pool.timer, power.a, power.b);
  const double busy_joules = std::max(share_s * *power.tdp_w, *power.idle_w * busy_s);
  use.joules = (busy_joules + *power.idle_w * std::max(0.0, replica_s - busy_s)) * pool.accelerators_per_replica;
  use.idle_joules = *power.idle_w * replica_s * pool.accelerators_per_replica;
}

}  // namespace

PoolUse pool_use(const PoolSpec& pool, const FleetTotals& totals, const PoolTime& time, std::int64_t kv_blocks,
                 std::int64_t block_tokens) {
  PoolUse use;
  fill_energy(pool, totals, time.replica_s, use);
  if (time.replica_ticks <= 0) return use;
  // Ratios of integers, so that a share that cannot pass 1 does not pass it by rounding either.
  use.gpu_busy = static_cast<double>(totals.busy_ticks) / static_cast<double>(time.replica_ticks);
  const FleetWork work = totals.all_work();
  const StepTimer& timer = *pool.timer;
  const WorkRates rates = timer.work_rates();
  double bytes = rates.bytes(work);
  if (rates.experts) {  // not linear: step sizes apart
    bytes = 0;
    for (const FleetWork& one : totals.work) bytes += rates.bytes(one);
  }
  if (timer.peak_flops_per_s() > 0) use.mfu = rates.flops(work) / timer.peak_flops_per_s() / time.replica_s;
  if (timer.peak_bytes_per_s() > 0) use.mbu = bytes / timer.peak_bytes_per_s() / time.replica_s;
  if (kv_blocks > 0) {
    const std::int64_t capacity = kv_blocks * block_tokens;
    use.kv_blocks_peak = static_cast<double>(totals.scheduler.kv_blocks_peak) / static_cast<double>(kv_blocks);
    use.kv_occupancy = static_cast<double>(totals.kv_token_ticks) / static_cast<double>(time.replica_ticks * capacity);
  }
  return use;
}

}  // namespace weir::sim
