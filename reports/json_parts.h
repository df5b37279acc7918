#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/cost/cost.h"
#include "sim/metrics/run_result.h"

/// Pieces that the run and the plan documents share.
namespace weir::reports::parts {

using Json = nlohmann::ordered_json;

/// null for what is undefined; never 0, -1 or NaN.
Json number(double value);
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json requests(const sim::RequestCounts& counts);
Json latency(const sim::LatencySummary& latency);
Json slo(const sim::SloResult& slo);
Json classes(const std::vector<sim::ClassResult>& classes);
Json breakdown(const sim::Breakdown& breakdown);
Json utilisation(const sim::RunResult& run);
Json energy(const sim::RunResult& run);
Json throughput(const sim::RunResult& run);
Json tenure_cost(const sim::TenureCost& cost);
Json cost_inputs(const std::vector<sim::CostInput>& inputs);
Json evidence(const std::vector<sim::EvidenceNote>& notes);
Json fleet_record(const sim::FleetRecord& fleet);
Json pools(const std::vector<sim::PoolResult>& pools);

}  // namespace weir::reports::parts
