#include <algorithm>

#include "reports/decision_view.h"
#include "reports/report.h"
#include "reports/text_table.h"

namespace weir::reports {
namespace {

std::string or_dash(const std::optional<double>& value, double factor, int decimals) {
  return value ? grouped_fixed(*value * factor, decimals) : "-";
}

std::string amount(sim::Money value, const TableScale& scale) {
  return grouped_fixed(value.units() / scale.divisor, scale.amount);
}

std::string range_text(const sim::PlanOption& option, const TableScale& scale) {
  const auto found = option.range.find("tco");
  if (found == option.range.end() || !option.cost) return "";
  return significant(found->second[0] / scale.divisor, 3) + "-" + significant(found->second[2] / scale.divisor, 3);
}

std::string tensor_parallel_text(const sim::PlanOption& option) { return std::to_string(option.tensor_parallel); }

std::vector<std::string> option_row(const sim::PlanResult& plan, const sim::PlanOption& option,
                                    const TableScale& scale) {
  const sim::RunResult* run = option.run ? &*option.run : nullptr;
  const bool generative = is_generative(plan);
  const std::string tenure = option.tenure == "cloud" ? "rented" : option.tenure;
  std::vector<std::string> row = {option.feasible ? std::to_string(option.rank) : "-",
                                  hardware_short(option),
                                  option.feasible ? tenure : "-",
                                  std::string(data::to_string(option.precision)),
                                  tensor_parallel_text(option),
                                  option.accelerators ? grouped(*option.accelerators) : "-",
                                  option.servers ? grouped(*option.servers) : "-"};
  if (generative) {
    row.push_back(run != nullptr ? or_dash(p99(run->latency.ttft), 1, scale.ttft_s) : "-");
    row.push_back(run != nullptr ? or_dash(p99(run->latency.tpot), 1e3, scale.tpot_ms) : "-");
  } else {
    row.push_back(run != nullptr ? or_dash(p99(run->latency.e2e), 1e3, scale.e2e_ms) : "-");
  }
  row.push_back(run != nullptr && run->slo.attainment ? percent(*run->slo.attainment) : "-");
  row.push_back(run != nullptr ? percent(run->gpu_busy, 0) : "-");
  if (option.cost) {
    row.push_back(amount(option.cost->capex, scale));
    row.push_back(amount(option.cost->opex_first_year, scale));
    row.push_back(amount(option.cost->total, scale));
    row.push_back(range_text(option, scale));
    row.push_back(or_dash(cost_per_unit(plan, option), 1, scale.per_unit));
    row.push_back(option.tenure == "owned" ? payback_text(option) : "-");
  } else {
    row.insert(row.end(), {"-", "-", "-", "", "-", "-"});
  }
  row.emplace_back(evidence_word(timing_evidence(option)));
  row.emplace_back(option.cost ? evidence_word(option.cost->evidence) : "none");
  return row;
}

TextTable option_table(const sim::PlanResult& plan, const Shortlist& list) {
  const TableScale scale = table_scale(plan, list.rows);
  const bool generative = is_generative(plan);
  std::vector<TextColumn> columns = {
      {"#", true, 0},  {"Card", false, 0}, {"Tenure", false, 0},   {"Preci-\nsion", false, 0},
      {"TP", true, 5}, {"Cards", true, 0}, {"Ser-\nvers", true, 6}};
  if (generative) {
    columns.push_back({"TTFT\nP99 (s)", true, 0});
    columns.push_back({"TPOT\nP99 (ms)", true, 0});
  } else {
    columns.push_back({"E2E\nP99 (ms)", true, 0});
  }
  for (TextColumn column :
       std::vector<TextColumn>{{"SLO\nmet (%)", true, 0},
                               {"Busy\n(%)", true, 7},
                               {"Capex\n(" + scale.unit + ")", true, 1},
                               {"Opex/yr\n(" + scale.unit + ")", true, 3},
                               {"TCO\n(" + scale.unit + ")", true, 0},
                               {"P10-P90\n(" + scale.unit + ")", true, 4},
                               {generative ? plan.currency + "/1M\nout tok" : plan.currency + "/1k\ninfer.", true, 2},
                               {"Pays back\n(month)", true, 1},
                               {"Timing\nis", false, 8},
                               {"Price\nis", false, 9}}) {
    columns.push_back(std::move(column));
  }
  TextTable table(std::move(columns));
  for (const std::size_t i : list.rows) table.add(option_row(plan, plan.options[i], scale));
  if (list.measured) table.add(option_row(plan, plan.options[*list.measured], scale));
  return table;
}

std::string label(const std::string& name) { return name + std::string(name.size() < 10 ? 10 - name.size() : 1, ' '); }

std::string not_eligible_text(const sim::PlanResult& plan, const Shortlist& list, int width) {
  if (list.not_eligible.empty()) return "";
  std::size_t widest = 0;
  for (const std::size_t i : list.not_eligible) widest = std::max(widest, hardware_short(plan.options[i]).size());
  std::string out = "\nNot eligible\n";
  for (const std::size_t i : list.not_eligible) {
    const sim::PlanOption& option = plan.options[i];
    const std::string name = hardware_short(option);
    const std::string what =
        std::string(data::to_string(option.precision)) + ", TP " + tensor_parallel_text(option) + ": ";
    out += wrap_text(what + option.why_not, width, "  " + name + std::string(widest + 2 - name.size(), ' '));
  }
  return out;
}

std::string unpriced_text(const sim::PlanResult& plan, const Shortlist& list, int width) {
  std::string out;
  for (const std::size_t i : list.rows) {
    const sim::PlanOption& option = plan.options[i];
    if (!option.cost && !option.why_no_price.empty()) {
      out += wrap_text(option.why_no_price, width, "  " + hardware_short(option) + ", no price: ");
    }
  }
  return out.empty() ? out : "\n" + out;
}

std::string checks_text(const Decision& decision, int width) {
  if (decision.checks.empty()) return "";
  std::string out = "\nPredicted against measured, on this machine";
  if (decision.calibration) out += " (" + decision.calibration->device_name + ")";
  out += "\n";
  TextTable table({{"Not among the fitted samples", false, 0},
                   {"Predicted", true, 0},
                   {"Measured", true, 0},
                   {"+- MAD", true, 1},
                   {"Error (%)", true, 0}});
  for (const LayerCheck& check : decision.checks) {
    const double error = check.measured_s > 0 ? (check.predicted_s / check.measured_s - 1) * 100 : 0;
    table.add({check.what, seconds_text(check.predicted_s), seconds_text(check.measured_s),
               check.n > 1 ? seconds_text(check.measured_mad_s) : "-",
               check.measured_s > 0 ? (error > 0 ? "+" : "") + fixed(error, 1) : "-"});
  }
  return out + table.render(width);
}

}  // namespace

std::string decision_text(const Decision& decision, int width) {
  const sim::PlanResult& plan = decision.plan;
  const Shortlist list = shortlist(plan);
  std::string out = wrap_text(headline(plan, Spelling::ascii), width);
  for (const std::string& reason : main_reasons(plan)) out += wrap_text(reason, width, "  - ");
  out += "\n" + wrap_text(demand_line(plan), width, label("Demand"));
  for (const std::string& line : target_lines(plan, Spelling::ascii)) out += wrap_text(line, width, label("Targets"));
  out += wrap_text(plan.currency + ", " + std::to_string(plan.horizon_months) + " months, undiscounted, region " +
                       plan.scenario.cost.region + ", rented " + plan.scenario.cost.cloud_term,
                   width, label("Costs"));
  if (!list.rows.empty() || list.measured) out += "\n" + option_table(plan, list).render(width);
  out += not_eligible_text(plan, list, width);
  out += unpriced_text(plan, list, width);
  out += "\n" +
         wrap_text("Best precision and TP of each card and tenure; " + considered_line(plan) +
                       ". Timing and price are known as well as their weakest input. All rows: --csv, --html, --json.",
                   width);
  const std::vector<std::string> assumptions = assumption_reasons(plan);
  if (!assumptions.empty()) out += "\nAssumptions behind the first row\n";
  for (const std::string& assumption : assumptions) out += wrap_text(assumption, width, "  - ");
  out += checks_text(decision, width);
  return out;
}

}  // namespace weir::reports
