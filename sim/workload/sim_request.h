#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/progress.h"
#include "data/scenario.h"
#include "data/trace.h"
#include "sim/core/time.h"

namespace weir::sim {

/// One request as the simulator sees it. Order in a list: by arrival, ties keep the trace's order.
struct SimRequest {
  Time arrival;
  std::int32_t input_tokens = 0;
  std::int32_t output_tokens = 0;  ///< 0 for one-shot work
  std::int32_t items = 1;
  std::int16_t class_index = 0;
};

struct RequestList {
  std::vector<SimRequest> requests;
  std::vector<std::string> class_names;
  std::vector<std::string> notes;  ///< where the demand comes from: trace, process and seed
};

/// The demand of a workload. A trace (the argument, else the one the scenario names) is replayed; rows without a class
/// are dealt to the classes by share, drawn with the seed. Classes with `arrivals` are drawn from their process.
/// `trace`, when given, replaces the whole demand. Throws InputError when there is none, or when no request is left in
/// the window.
RequestList make_requests(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                          std::uint64_t seed, const data::Progress& progress = {});

}  // namespace weir::sim
