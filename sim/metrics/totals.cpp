#include "sim/metrics/totals.h"

#include <algorithm>

namespace weir::sim {

StepWork ReplicaTotals::all_work() const {
  StepWork all;
  for (const StepWork& one : work) all.add(one);
  return all;
}

void ReplicaTotals::add(const ReplicaTotals& other) {
  for (std::size_t i = 0; i < kOctaves; ++i) work[i].add(other.work[i]);
  tokens_written += other.tokens_written;
  batches += other.batches;
  batch_members += other.batch_members;
  in_system_ticks += other.in_system_ticks;
  busy_ticks += other.busy_ticks;
  kv_token_ticks += other.kv_token_ticks;
  scheduler.preemptions += other.scheduler.preemptions;
  scheduler.tokens_read += other.scheduler.tokens_read;
  scheduler.recomputed_tokens += other.scheduler.recomputed_tokens;
  scheduler.cache_queried_tokens += other.scheduler.cache_queried_tokens;
  scheduler.cache_hit_tokens += other.scheduler.cache_hit_tokens;
  scheduler.kv_blocks_peak = std::max(scheduler.kv_blocks_peak, other.scheduler.kv_blocks_peak);
}

}  // namespace weir::sim
