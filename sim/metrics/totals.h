#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"

namespace weir::sim {

/// Sums over one replica's run, or over all of a fleet.
struct ReplicaTotals {
  // By step, when it ends.
  WideInt step_ticks = 0;        ///< sum of the steps' durations
  std::int64_t tokens_read = 0;  ///< prompt tokens, or tokens of one-shot items (padding not counted)
  std::int64_t tokens_written = 0;
  std::int64_t batches = 0;        ///< decode steps, or one-shot batches
  std::int64_t batch_members = 0;  ///< sequences in those, or items
  double flops = 0, bytes = 0;
  double tdp_ticks = 0;  ///< integral of busy power / TDP

  // By state, integrated over the time between changes.
  WideInt in_system_ticks = 0;  ///< requests waiting or running
  WideInt busy_ticks = 0;
  WideInt kv_block_ticks = 0;

  void add(const ReplicaTotals& other);
};

}  // namespace weir::sim
