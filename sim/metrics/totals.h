#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/core/wide_int.h"
#include "sim/serving/scheduler.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Sums over one replica's run, or over all of a fleet. All integers, so that the order of adding does not matter.
struct ReplicaTotals {
  /// By octave of the tokens a step puts through the matrices (0: none, 1: one, 2: 2-3, 3: 4-7, ...): steps of about
  /// the same size use the device alike, which is what power depends on.
  static constexpr std::size_t kOctaves = 32;
  std::array<StepWork, kOctaves> work{};
  std::int64_t tokens_written = 0;
  std::int64_t batches = 0;        ///< steps with decodes, or one-shot batches
  std::int64_t batch_members = 0;  ///< decodes in those, or items

  // Integrated over time.
  WideInt in_system_ticks = 0;  ///< requests waiting or running
  std::int64_t busy_ticks = 0;
  WideInt kv_token_ticks = 0;  ///< tokens in the KV cache

  SchedulerCounts scheduler;

  static std::size_t octave_of(std::int64_t tokens) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(tokens))) & (kOctaves - 1);
  }
  StepWork all_work() const;
  void add(const ReplicaTotals& other);
};

}  // namespace weir::sim
