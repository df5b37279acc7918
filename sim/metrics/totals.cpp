#include "sim/metrics/totals.h"

namespace weir::sim {

void ReplicaTotals::add(const ReplicaTotals& other) {
  step_ticks += other.step_ticks;
  tokens_read += other.tokens_read;
  tokens_written += other.tokens_written;
  batches += other.batches;
  batch_members += other.batch_members;
  flops += other.flops;
  bytes += other.bytes;
  tdp_ticks += other.tdp_ticks;
  in_system_ticks += other.in_system_ticks;
  busy_ticks += other.busy_ticks;
  kv_block_ticks += other.kv_block_ticks;
}

}  // namespace weir::sim
