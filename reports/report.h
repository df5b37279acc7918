#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/calibration.h"
#include "data/trace.h"
#include "reports/language.h"
#include "sim/fleet/replications.h"
#include "sim/metrics/run_result.h"
#include "sim/plan/plan.h"

namespace weir::reports {

/// The layer that stands beside its prediction.
struct LayerCheck {
  std::string what;  ///< "Llama-3.1-8B layer, prefill of 512 tokens, int8"
  double predicted_s = 0, measured_s = 0;
  double measured_mad_s = 0;  ///< says nothing when n < 2
  int n = 0;                  ///< timings behind the measured value
};

/// What the decision is made of: a plan, and what was measured on this machine for it.
struct Decision {
  sim::PlanResult plan;
  std::optional<data::Calibration> calibration;
  std::vector<LayerCheck> checks;
  std::string weir_version;
};

/// The TCO of one deployment under each tenure.
struct CostReport {
  std::string scenario;
  std::uint64_t seed = 0;
  std::string currency;
  int horizon_months = 0;
  std::string hardware;
  int replicas = 1, tensor_parallel = 1;
  int accelerators = 1;  ///< of all replicas
  double busy_share = 0;
  std::vector<sim::TenureCost> tenures;
  std::vector<std::string> why_no_price;  ///< of the tenures that have none
  std::optional<int> break_even_month;
};

/// weir.run/1, weir.plan/1 and the import summary, as 6-experience lists them. Undefined is null.
/// weir.run/1. `replications`: the run is the first of these.
nlohmann::ordered_json to_json(const sim::RunResult& run, const sim::Replications* replications = nullptr);
nlohmann::ordered_json to_json(const Decision& decision);
nlohmann::ordered_json to_json(const CostReport& report);  ///< weir.cost/1
nlohmann::ordered_json import_summary(const data::Trace& trace);

/// The option table, RFC 4180, C locale, units in the header, safe against formula injection; always English, because
/// its columns are an interface.
std::string option_table_csv(const Decision& decision);
/// One self-contained HTML file with inline SVG charts.
std::string decision_html(const Decision& decision, Language language = Language::en);
/// The decision table for a terminal of `width` columns.
std::string decision_text(const Decision& decision, int width = 120, Language language = Language::en);

}  // namespace weir::reports
