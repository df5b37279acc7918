#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/workload/drawn_source.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// How long arrivals are drawn when no trace sets the time: one hour, but at least 20,000 and at most 200,000 requests
/// expected of all classes together. So a p99 rests on at least 200 requests, and busy services stay quick to simulate.
double drawn_horizon_s(double rate_per_s);

/// The same for a workload (its classes with arrivals). A daily shape needs whole days, or the part of the day that is
/// drawn would set the load: then it is the fewest whole days that last as long, at least one.
double drawn_horizon_s(const data::Workload& workload);

/// Appends the requests of class `index`, drawn from its arrival process and length distributions over [0, horizon),
/// and notes. Throws InputError for more than 5e7 requests.
void draw_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index, double horizon_s,
                std::uint64_t seed, RequestList& to);

/// Throws the InputError for a workload that asks for nothing.
[[noreturn]] void refuse_empty_demand(const data::Scenario& scenario, const data::Workload& workload);

/// What was drawn, for the results; `count` is how many requests, when that is known.
std::vector<std::string> arrival_notes(const DrawnClass& drawn, double horizon_s, std::uint64_t seed,
                                       std::optional<std::size_t> count);

}  // namespace weir::sim
