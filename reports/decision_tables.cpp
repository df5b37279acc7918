#include "reports/csv.h"
#include "reports/decision_view.h"

namespace weir::reports {
namespace {

std::optional<double> units(const std::optional<sim::TenureCost>& cost, sim::Money sim::TenureCost::*part) {
  if (!cost) return std::nullopt;
  return ((*cost).*part).units();
}

std::optional<double> range_end(const sim::PlanOption& option, std::size_t which) {
  const auto found = option.range.find("tco");
  if (found == option.range.end()) return std::nullopt;
  return found->second[which];
}

void add_option(CsvTable& table, const sim::PlanOption& option, bool generative) {
  const sim::RunResult* run = option.run ? &*option.run : nullptr;
  const auto tail = [&](const sim::Distribution sim::LatencySummary::*part) {
    return run != nullptr ? p99(run->latency.*part) : std::nullopt;
  };
  table.integer(option.rank).text(option.hardware).text(option.hardware_name).text(option.tenure);
  table.text(data::to_string(option.precision)).text(option.engine);
  table.integer(option.tensor_parallel).integer(option.pipeline_parallel);
  table.integer(option.replicas).integer(option.accelerators).integer(option.servers);
  table.text(option.feasible ? "yes" : "no").text(option.why_not);
  table.number(run != nullptr ? run->slo.attainment : std::nullopt);
  table.number(tail(&sim::LatencySummary::ttft)).number(tail(&sim::LatencySummary::tpot));
  table.number(tail(&sim::LatencySummary::e2e));
  table.number(run != nullptr ? std::optional<double>(run->gpu_busy) : std::nullopt);
  table.number(units(option.cost, &sim::TenureCost::capex))
      .number(units(option.cost, &sim::TenureCost::opex_first_year));
  table.number(units(option.cost, &sim::TenureCost::total)).number(units(option.cost, &sim::TenureCost::npv));
  for (const std::size_t end : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) table.number(range_end(option, end));
  if (generative) {
    table.number(option.cost ? option.cost->per_million_output_tokens : std::nullopt);
  } else {
    table.number(option.cost ? option.cost->per_thousand_inferences : std::nullopt);
  }
  table.integer(option.break_even_month ? std::optional<std::int64_t>(*option.break_even_month) : std::nullopt);
  table.text(option.why_no_price);
  table.text(evidence_word(timing_evidence(option)));
  table.text(option.cost ? data::to_string(option.cost->evidence) : std::string_view());
  table.text(option.quality);
  table.end_row();
}

std::string cost_lines_csv(const sim::PlanResult& plan) {
  CsvTable table({"rank", "hardware", "tenure", "line", "formula", "total (" + plan.currency + ")"});
  for (const sim::PlanOption& option : plan.options) {
    if (!option.cost) continue;
    for (const sim::CostLine& line : option.cost->lines) {
      table.integer(option.rank).text(option.hardware).text(option.tenure).text(line.key).text(line.formula);
      table.number(line.total.units()).end_row();
    }
  }
  return table.take();
}

std::string cash_flow_csv(const sim::PlanResult& plan) {
  const std::string unit = " (" + plan.currency + ")";
  CsvTable table(
      {"rank", "hardware", "tenure", "month", "capex" + unit, "opex" + unit, "residual" + unit, "cumulative" + unit});
  for (const sim::PlanOption& option : plan.options) {
    if (!option.cost) continue;
    sim::Money sum;
    for (const sim::MonthlyCash& month : option.cost->months) {
      sum += month.capex + month.opex - month.residual;
      table.integer(option.rank).text(option.hardware).text(option.tenure).integer(month.month);
      table.number(month.capex.units()).number(month.opex.units()).number(month.residual.units()).number(sum.units());
      table.end_row();
    }
  }
  return table.take();
}

std::string classes_csv(const sim::PlanResult& plan) {
  CsvTable table({"rank", "hardware", "tenure", "class", "offered (requests)", "completed (requests)",
                  "rejected (requests)", "timed out (requests)", "TTFT p50 (s)", "TTFT p99 (s)", "TPOT p50 (s)",
                  "TPOT p99 (s)", "E2E p50 (s)", "E2E p99 (s)", "SLO attainment (share)"});
  for (const sim::PlanOption& option : plan.options) {
    if (!option.run) continue;
    for (const sim::ClassResult& c : option.run->classes) {
      table.integer(option.rank).text(option.hardware).text(option.tenure).text(c.name);
      table.integer(c.requests.offered).integer(c.requests.completed).integer(c.requests.rejected);
      table.integer(c.requests.timed_out);
      for (const sim::Distribution* d : {&c.latency.ttft, &c.latency.tpot, &c.latency.e2e}) {
        table.number(d->n > 0 ? std::optional<double>(d->p50) : std::nullopt).number(p99(*d));
      }
      table.number(c.slo.attainment).end_row();
    }
  }
  return table.take();
}

std::string cost_inputs_csv(const sim::PlanResult& plan) {
  CsvTable table({"input", "value", "low", "high", "unit", "evidence", "source", "overridden", "note"});
  for (const sim::CostInput& input : plan.cost_inputs) {
    table.text(input.key).number(input.value.mid).number(input.value.low).number(input.value.high);
    table.text(input.value.unit).text(data::to_string(input.value.evidence)).text(input.value.source);
    table.text(input.overridden ? "yes" : "no").text(input.value.note).end_row();
  }
  return table.take();
}

std::string checks_csv(const Decision& decision) {
  CsvTable table({"what", "predicted (s)", "measured (s)", "median absolute deviation (s)", "timings"});
  for (const LayerCheck& check : decision.checks) {
    table.text(check.what)
        .number(check.predicted_s)
        .number(check.measured_s)
        .number(check.n > 1 ? std::optional<double>(check.measured_mad_s) : std::nullopt)
        .integer(check.n)
        .end_row();
  }
  return table.take();
}

}  // namespace

std::string option_table_csv(const Decision& decision) {
  const sim::PlanResult& plan = decision.plan;
  const bool generative = is_generative(plan);
  const std::string unit = " (" + plan.currency + ")";
  CsvTable table({"rank",
                  "hardware",
                  "hardware name",
                  "tenure",
                  "precision",
                  "engine",
                  "tensor parallel",
                  "pipeline parallel",
                  "replicas",
                  "accelerators",
                  "servers",
                  "meets targets",
                  "why not",
                  "SLO attainment (share)",
                  "TTFT p99 (s)",
                  "TPOT p99 (s)",
                  "E2E p99 (s)",
                  "utilisation (share)",
                  "capex" + unit,
                  "opex first year" + unit,
                  "TCO " + std::to_string(plan.horizon_months) + " months" + unit,
                  "NPV" + unit,
                  "TCO p10" + unit,
                  "TCO p50" + unit,
                  "TCO p90" + unit,
                  (generative ? "cost per million output tokens" : "cost per thousand inferences") + unit,
                  "break-even (month)",
                  "why no price",
                  "timing evidence",
                  "price evidence",
                  "quality"});
  for (const sim::PlanOption& option : plan.options) add_option(table, option, generative);
  return table.take();
}

std::vector<std::pair<std::string, std::string>> decision_tables(const Decision& decision) {
  return {{"options.csv", option_table_csv(decision)},         {"cost_lines.csv", cost_lines_csv(decision.plan)},
          {"cash_flow.csv", cash_flow_csv(decision.plan)},     {"classes.csv", classes_csv(decision.plan)},
          {"cost_inputs.csv", cost_inputs_csv(decision.plan)}, {"checks.csv", checks_csv(decision)}};
}

}  // namespace weir::reports
