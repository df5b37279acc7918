#pragma once

#include <cstdint>
#include <vector>

#include "sim/cost/cloud_model.h"
#include "sim/cost/cost.h"
#include "sim/cost/owned_model.h"

namespace weir::sim {

/// The lines of a result, each with the formula its numbers went through. Lines of zero are left out.
std::vector<CostLine> owned_lines(const PreparedOwned& prepared, const OwnedDetails& details, const InputValues& values,
                                  const Ledger& ledger, const FleetUse& use, const data::CostChoice& choice);
std::vector<CostLine> cloud_lines(const PreparedCloud& prepared, const InputValues& values, const Ledger& ledger,
                                  const FleetUse& use, const data::CostChoice& choice);

/// Replicas one draw needs today, as a fraction: what is known of the need (replicas / load factor, else half way
/// between replicas - 1 and replicas), moved by an error of the timing whose P90 is use.timing_relative_error.
double drawn_need(const FleetUse& use, std::uint64_t seed, std::uint64_t index);

}  // namespace weir::sim
