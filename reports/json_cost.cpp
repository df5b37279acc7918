#include "reports/json_parts.h"
#include "reports/report.h"

namespace weir::reports {
namespace parts {
namespace {

Json money(sim::Money amount) { return amount.units(); }

}  // namespace

Json tenure_cost(const sim::TenureCost& cost) {
  Json lines = Json::array();
  for (const sim::CostLine& line : cost.lines) {
    lines.push_back({{"key", line.key}, {"formula", line.formula}, {"total", money(line.total)}});
  }
  Json months = Json::array();
  sim::Money sum;
  for (const sim::MonthlyCash& month : cost.months) {
    sum += month.capex + month.opex - month.residual;
    months.push_back({month.month, money(month.capex), money(month.opex), money(month.residual), money(sum)});
  }
  return {{"currency", cost.currency},
          {"servers", cost.servers},
          {"spare_servers", cost.spare_servers},
          {"accelerators", cost.accelerators},
          {"capex", money(cost.capex)},
          {"opex_first_year", money(cost.opex_first_year)},
          {"total", money(cost.total)},
          {"npv", money(cost.npv)},
          {"average_kw", cost.tenure == "owned" ? number(cost.average_kw) : Json(nullptr)},
          {"evidence", data::to_string(cost.evidence)},
          {"lines", std::move(lines)},
          {"month_columns", {"month", "capex", "opex", "residual", "cumulative"}},
          {"months", std::move(months)}};
}

Json cost_inputs(const std::vector<sim::CostInput>& inputs) {
  Json json = Json::array();
  for (const sim::CostInput& input : inputs) {
    json.push_back({{"key", input.key},
                    {"value", number(input.value.mid)},
                    {"low", number(input.value.low)},
                    {"high", number(input.value.high)},
                    {"unit", input.value.unit},
                    {"evidence", data::to_string(input.value.evidence)},
                    {"source", input.value.source},
                    {"note", input.value.note.empty() ? Json(nullptr) : Json(input.value.note)},
                    {"overridden", input.overridden}});
  }
  return json;
}

}  // namespace parts

nlohmann::ordered_json to_json(const CostReport& report) {
  using namespace parts;
  Json json;
  json["schema"] = "weir.cost/1";
  json["scenario"] = report.scenario;
  json["seed"] = report.seed;
  json["currency"] = report.currency;
  json["horizon_months"] = report.horizon_months;
  json["hardware"] = report.hardware;
  json["replicas"] = report.replicas;
  json["tensor_parallel"] = report.tensor_parallel;
  json["utilisation"] = number(report.busy_share);
  Json tenures = Json::array();
  for (const sim::TenureCost& cost : report.tenures) {
    Json entry;
    entry["tenure"] = cost.tenure;
    entry["tco"] = cost.total.units();
    entry["cost_per_million_output_tokens"] = or_null(cost.per_million_output_tokens);
    entry["cost_per_thousand_inferences"] = or_null(cost.per_thousand_inferences);
    entry["cost"] = tenure_cost(cost);
    entry["cost_inputs"] = cost_inputs(cost.inputs);
    tenures.push_back(std::move(entry));
  }
  json["tenures"] = std::move(tenures);
  json["why_no_price"] = report.why_no_price;
  json["break_even_month"] = or_null(report.break_even_month);
  return json;
}

}  // namespace weir::reports
