#include <nlohmann/json.hpp>

#include "reports/decision_view.h"
#include "reports/json_parts.h"
#include "reports/report.h"

namespace weir::reports {
namespace {

using parts::Json;
using parts::number;
using parts::or_null;

Json money(sim::Money amount) { return amount.units(); }

Json range_json(const std::map<std::string, std::array<double, 3>>& range) {
  Json json = Json::object();
  for (const auto& [key, values] : range) json[key] = {number(values[0]), number(values[1]), number(values[2])};
  return json;
}

void add_performance(Json& json, const sim::PlanOption& option) {
  const sim::RunResult* run = option.run ? &*option.run : nullptr;
  const auto tail = [&](const sim::Distribution sim::LatencySummary::*part) {
    return run != nullptr ? or_null(p99(run->latency.*part)) : Json(nullptr);
  };
  json["slo_attainment"] = run != nullptr ? or_null(run->slo.attainment) : Json(nullptr);
  json["ttft_p99_s"] = tail(&sim::LatencySummary::ttft);
  json["tpot_p99_s"] = tail(&sim::LatencySummary::tpot);
  json["e2e_p99_s"] = tail(&sim::LatencySummary::e2e);
  json["utilisation"] = run != nullptr ? number(run->gpu_busy) : Json(nullptr);
}

void add_money(Json& json, const sim::PlanOption& option, bool generative) {
  const sim::TenureCost* cost = option.cost ? &*option.cost : nullptr;
  json["capex"] = cost != nullptr ? money(cost->capex) : Json(nullptr);
  json["opex_per_year"] = cost != nullptr ? money(cost->opex_first_year) : Json(nullptr);
  json["tco"] = cost != nullptr ? money(cost->total) : Json(nullptr);
  json["npv"] = cost != nullptr ? money(cost->npv) : Json(nullptr);
  if (generative) {
    json["cost_per_million_output_tokens"] = cost != nullptr ? or_null(cost->per_million_output_tokens) : Json(nullptr);
  } else {
    json["cost_per_thousand_inferences"] = cost != nullptr ? or_null(cost->per_thousand_inferences) : Json(nullptr);
  }
  json["break_even_month"] = or_null(option.break_even_month);
  json["why_no_price"] = option.why_no_price.empty() ? Json(nullptr) : Json(option.why_no_price);
}

Json option_json(const sim::PlanOption& option, bool generative) {
  Json json;
  json["rank"] = option.rank;
  json["hardware"] = option.hardware;
  json["hardware_name"] = option.hardware_name;
  json["tenure"] = option.tenure;
  json["precision"] = data::to_string(option.precision);
  json["engine"] = option.engine;
  json["tensor_parallel"] = option.tensor_parallel;
  json["pipeline_parallel"] = option.pipeline_parallel;
  json["expert_parallel"] = option.expert_parallel;
  json["replicas"] = or_null(option.replicas);
  json["accelerators"] = or_null(option.accelerators);
  json["servers"] = or_null(option.servers);
  add_performance(json, option);
  add_money(json, option, generative);
  json["range"] = range_json(option.range);
  json["feasible"] = option.feasible;
  json["why_not"] = option.why_not.empty() ? Json(nullptr) : Json(option.why_not);
  json["evidence"] = parts::evidence(option.evidence);
  json["quality"] = option.quality.empty() ? Json(nullptr) : Json(option.quality);
  json["availability"] = nullptr;
  if (option.run) {
    json["requests"] = parts::requests(option.run->requests);
    json["throughput"] = parts::throughput(*option.run);
    json["load"] = parts::utilisation(*option.run);
    json["energy"] = parts::energy(*option.run);
    json["breakdown"] = parts::breakdown(option.run->breakdown);
    json["classes"] = parts::classes(option.run->classes);
  }
  json["cost"] = option.cost ? parts::tenure_cost(*option.cost) : Json(nullptr);
  return json;
}

Json recommendation_json(const sim::PlanResult& plan) {
  Json json;
  json["option"] = or_null(plan.recommendation.option);
  const sim::PlanOption* best = recommended(plan);
  json["rank"] = best != nullptr ? Json(best->rank) : Json(nullptr);
  json["headline"] = headline(plan, Spelling::ascii);
  json["reasons"] = plan.recommendation.reasons;
  Json details = Json::array();
  for (const sim::Reason& reason : plan.reason_data) {
    Json values = Json::object();
    for (const auto& [key, value] : reason.values) values[key] = value;
    details.push_back({{"key", reason.key}, {"values", std::move(values)}});
  }
  json["reason_data"] = std::move(details);
  return json;
}

Json checks_json(const std::vector<LayerCheck>& checks) {
  Json json = Json::array();
  for (const LayerCheck& check : checks) {
    json.push_back(
        {{"what", check.what},
         {"predicted_s", number(check.predicted_s)},
         {"measured_s", number(check.measured_s)},
         {"measured_mad_s", check.n > 1 ? number(check.measured_mad_s) : Json(nullptr)},
         {"n", check.n},
         {"relative_error", check.measured_s > 0 ? number(check.predicted_s / check.measured_s - 1) : Json(nullptr)}});
  }
  return json;
}

/// Which calibration stands behind the row of this machine. Its date belongs to its own file: a plan has no clock in
/// it.
Json calibration_json(const std::optional<data::Calibration>& calibration) {
  if (!calibration) return nullptr;
  Json limits = Json::array();
  for (const data::MeasuredLimit& limit : calibration->limits) {
    limits.push_back(
        {{"name", limit.name}, {"value", number(limit.value)}, {"unit", limit.unit}, {"spread", number(limit.spread)}});
  }
  return {{"device_id", calibration->device_id},
          {"device_name", calibration->device_name},
          {"device_kind", calibration->device_kind},
          {"kernel_set", calibration->kernel_set},
          {"evidence", data::to_string(calibration->evidence)},
          {"source", calibration->source},
          {"contended", calibration->contended},
          {"samples", calibration->samples.size()},
          {"limits", std::move(limits)}};
}

std::string why_nothing(const sim::PlanResult& plan) {
  std::string text;
  for (const std::size_t i : shortlist(plan).not_eligible) {
    if (!text.empty()) text += "; ";
    text += plan.options[i].hardware + ": " + plan.options[i].why_not;
  }
  return text.empty() ? "no candidate was left" : text;
}

}  // namespace

nlohmann::ordered_json to_json(const Decision& decision) {
  const sim::PlanResult& plan = decision.plan;
  const bool generative = is_generative(plan);
  Json json;
  json["schema"] = "weir.plan/1";
  json["weir_version"] = decision.weir_version;
  json["name"] = plan.scenario.name;
  json["seed"] = plan.seed;
  json["trace"] = plan.trace_name.empty() ? Json(nullptr) : Json(plan.trace_name);
  json["requests"] = plan.requests;
  json["span_s"] = number(plan.span_s);
  json["notes"] = plan.notes;
  json["currency"] = plan.currency;
  json["horizon_months"] = plan.horizon_months;
  json["considered"] = plan.considered;
  Json pruned = Json::object();
  for (const auto& [reason, count] : plan.pruned) pruned[reason] = count;
  json["pruned"] = std::move(pruned);
  json["feasible"] = plan.feasible();
  json["why_not"] = plan.feasible() ? Json(nullptr) : Json(why_nothing(plan));
  json["recommendation"] = recommendation_json(plan);
  json["pareto"] = plan.pareto;
  Json options = Json::array();
  for (const sim::PlanOption& option : plan.options) options.push_back(option_json(option, generative));
  json["options"] = std::move(options);
  json["checks"] = checks_json(decision.checks);
  json["calibration"] = calibration_json(decision.calibration);
  json["cost_inputs"] = parts::cost_inputs(plan.cost_inputs);
  json["scenario"] = data::to_json(plan.scenario);
  return json;
}

}  // namespace weir::reports
