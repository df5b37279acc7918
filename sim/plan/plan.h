#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/progress.h"
#include "data/scenario.h"
#include "data/trace.h"
#include "sim/cost/cost.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

struct PlanOption {
  int rank = 0;          ///< 1 = best; feasible options first, by TCO; then those without a price; then infeasible
  std::string hardware;  ///< accelerator id
  std::string hardware_name;
  std::string tenure;  ///< "owned", "cloud"
  data::Precision precision = data::Precision::fp16;
  std::string engine;
  int tensor_parallel = 1, pipeline_parallel = 1, expert_parallel = 1;
  std::optional<int> replicas, accelerators, servers;  ///< empty when the model does not fit or targets cannot be met
  bool feasible = false;
  std::string why_not;             ///< the number that says why; empty when feasible
  std::string quality;             ///< published task change with source, or "unknown: test before buying"
  std::optional<RunResult> run;    ///< the run at `replicas`; for "cannot meet": the run that shows it
  std::optional<TenureCost> cost;  ///< empty when no price is known
  std::string why_no_price;
  std::optional<int> break_even_month;  ///< owned against the same hardware rented; empty = never, or not owned
  std::vector<EvidenceNote> evidence;   ///< timing, price
  std::map<std::string, std::array<double, 3>> range;  ///< key -> p10, p50, p90 ("tco")
};

struct Recommendation {
  std::optional<std::size_t> option;  ///< index into options; empty when nothing is feasible
  std::vector<std::string> reasons;   ///< plain English sentences with numbers
};

/// Reasons as data, so that a report can word them in another language.
struct Reason {
  std::string key;                            ///< "cheapest", "meets_targets", "break_even", "runner_up", "assumption"
  std::map<std::string, std::string> values;  ///< numbers and names already formatted without locale
};

struct PlanResult {
  data::Scenario scenario;  ///< as used, every default filled in
  std::uint64_t seed = 0;
  std::string trace_name;
  std::int64_t requests = 0;
  double span_s = 0;
  std::vector<std::string> notes;  ///< of the demand
  std::string currency;
  int horizon_months = 0;
  int considered = 0;
  std::map<std::string, int> pruned;  ///< reason -> count
  std::vector<PlanOption> options;    ///< by rank
  std::vector<std::size_t> pareto;    ///< indices of options: no other is cheaper and faster (p99 TTFT or e2e)
  Recommendation recommendation;
  std::vector<Reason> reason_data;     ///< same order as recommendation.reasons
  std::vector<CostInput> cost_inputs;  ///< every economic input used, once
  bool feasible() const { return recommendation.option.has_value(); }
};

class CapacityCache;

struct PlanOptions {
  std::uint64_t seed = 1;
  int threads = 1;                     ///< result does not depend on it
  const data::Trace* trace = nullptr;  ///< replaces the demand of the workload
  std::string workload;                ///< name; "" = the only one
  const data::Calibration* calibration =
      nullptr;  ///< adds its device as one more candidate, at the precisions it measured
  data::Progress progress;
  CapacityCache* cache = nullptr;  ///< keeps simulated capacities for the next plan; the result is the same without
};

/// All candidate deployments: replicas by simulation against the SLO, priced under every tenure, ranked.
PlanResult plan(const data::Scenario& scenario, const data::Catalog& catalog, const data::EfficiencyTable& efficiency,
                const PlanOptions& options);

/// One deployment under one load: scenario.deployment.
RunResult run_scenario(const data::Scenario& scenario, const data::Catalog& catalog,
                       const data::EfficiencyTable& efficiency, const PlanOptions& options);

}  // namespace weir::sim
