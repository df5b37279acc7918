#pragma once

#include <optional>
#include <vector>

#include "data/scenario.h"
#include "sim/metrics/histogram.h"
#include "sim/metrics/record.h"
#include "sim/metrics/run_result.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

struct SummaryInput {
  const RequestList& requests;
  const std::vector<RequestRecord>& records;  ///< one a request
  const std::vector<data::Slo>& slo;          ///< one a class
  const std::vector<Histogram>& itl;          ///< one a class
  data::WorkloadKind kind = data::WorkloadKind::generative;
  bool tails = true;
};

/// Fills in what follows from the requests alone and result.simulated_s: counts, latencies, classes, throughput, SLO,
/// breakdown, tails and exactness. One-shot work has no tokens to write: its TTFT, TPOT and ITL are empty, and the time
/// of its batch counts as prefill in the breakdown.
void summarise_requests(const SummaryInput& in, RunResult& result);

}  // namespace weir::sim
