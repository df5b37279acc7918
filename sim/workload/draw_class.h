#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/workload/drawn_class.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Appends the requests of the classes of a workload that have arrivals, over [0, horizon), and notes; the horizon is
/// `trace_end_s` or drawn_horizon_s. Their clients are numbered from `first_client` on. Throws InputError for more than
/// 5e7 requests, and for clients that wait for their answers, whose requests no list can hold.
void draw_classes(const data::Scenario& scenario, const data::Workload& workload, std::optional<double> trace_end_s,
                  std::int32_t first_client, std::uint64_t seed, const data::Progress& progress, RequestList& to);

/// Throws the InputError for a workload that asks for nothing.
[[noreturn]] void refuse_empty_demand(const data::Scenario& scenario, const data::Workload& workload);

/// What was drawn, for the results; `count` is how many requests, when that is known.
std::vector<std::string> arrival_notes(const DrawnClass& drawn, double horizon_s, std::uint64_t seed,
                                       std::optional<std::size_t> count);
std::string cancel_note(const std::string& class_name, const data::Cancellation& cancel);

}  // namespace weir::sim
