#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/plan/plan.h"

namespace weir::sim {

/// Sorts and numbers the options: those that meet the targets and have a price by what they cost, then those without a
/// price by accelerators, then those that do not meet them by hardware.
void rank(std::vector<PlanOption>& options);

/// The latency an option is judged by beside its cost: P99 of TTFT, of E2E for one-shot work. Empty without a run.
std::optional<double> judged_latency_s(const PlanOption& option);

/// Indices of priced options that meet the targets and for which no other is as cheap and as fast and better in one.
std::vector<std::size_t> pareto_front(const std::vector<PlanOption>& options);

/// Break-even month of each owned option against the same deployment rented.
void fill_break_even(std::vector<PlanOption>& options);

}  // namespace weir::sim
