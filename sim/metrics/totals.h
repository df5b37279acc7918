#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/core/wide_int.h"
#include "sim/serving/scheduler.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Sums over a run. All integers, so that the order of adding does not matter.
template <class Count>
struct TotalsOf {
  /// By octave of the tokens a step puts through the matrices (0: none, 1: one, 2: 2-3, 3: 4-7, ...): steps of about
  /// the same size use the device alike, which is what power depends on.
  static constexpr std::size_t kOctaves = 32;
  std::array<StepWorkOf<Count>, kOctaves> work{};
  Count tokens_written = 0;
  Count batches = 0;        ///< steps with decodes, or one-shot batches
  Count batch_members = 0;  ///< decodes in those, or items

  // Integrated over time.
  WideInt in_system_ticks = 0;  ///< requests waiting or running
  Count busy_ticks = 0;
  Count cut_ticks = 0;         ///< of steps that a failure cut short, what they did not run; `work` has them whole
  WideInt kv_token_ticks = 0;  ///< tokens in the KV cache

  SchedulerCounts scheduler;

  static std::size_t octave_of(std::int64_t tokens) {
    // bit_width(tokens) without a branch for 0.
    return static_cast<std::size_t>(std::bit_width(2 * static_cast<std::uint64_t>(tokens) | 1) - 1) & (kOctaves - 1);
  }
  StepWorkOf<Count> all_work() const {
    StepWorkOf<Count> all;
    for (const StepWorkOf<Count>& one : work) all.add(one);
    return all;
  }
  template <class Other>
  void add(const TotalsOf<Other>& other) {
    for (std::size_t i = 0; i < kOctaves; ++i) work[i].add(other.work[i]);
    tokens_written += other.tokens_written;
    batches += other.batches;
    batch_members += other.batch_members;
    in_system_ticks += other.in_system_ticks;
    busy_ticks += other.busy_ticks;
    cut_ticks += other.cut_ticks;
    kv_token_ticks += other.kv_token_ticks;
    scheduler.add(other.scheduler);
  }
  bool operator==(const TotalsOf&) const = default;
};
/// Of one replica, whose ticks fit an int64 as the clock does.
using ReplicaTotals = TotalsOf<std::int64_t>;
using FleetTotals = TotalsOf<WideInt>;

}  // namespace weir::sim
