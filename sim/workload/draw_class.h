#pragma once

#include <cstddef>
#include <cstdint>

#include "data/scenario.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// How long arrivals are drawn when no trace sets the time: one hour, but at least 20,000 and at most 200,000 requests
/// expected of all classes together. So a p99 rests on at least 200 requests, and busy services stay quick to simulate.
double drawn_horizon_s(double rate_per_s);

/// Appends the requests of class `index`, drawn from its arrival process and length distributions over [0, horizon),
/// and a note. Arrivals and lengths have streams of their own, named by the class.
void draw_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index, double horizon_s,
                std::uint64_t seed, RequestList& to);

}  // namespace weir::sim
