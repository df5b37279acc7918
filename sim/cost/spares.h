#pragma once

#include <cstdint>

namespace weir::sim {

/// Share of time a server is up: 1 / (1 + stops a year x repair hours / 8760), the steady state of failing and
/// repairing.
double server_availability(double stops_per_year, double repair_hours);

/// Unplanned stops of a server with `accelerators` of them. `stops_of_8gpu_server` counts every stop of an 8-GPU
/// server, those its GPUs caused included; the GPU part is taken out and put back at this server's size.
double server_stops_per_year(double stops_of_8gpu_server, double gpu_failures_per_year, double accelerators);

/// P(at least `needed` of `total` servers are up), each up with `availability` independently (binomial).
double probability_enough(std::int64_t needed, std::int64_t total, double availability);

/// Fewest spares s so that P(at least needed of needed + s are up) >= target. target in (0, 1), availability in (0, 1].
std::int64_t spare_servers(std::int64_t needed, double availability, double target);

}  // namespace weir::sim
