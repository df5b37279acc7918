#include <algorithm>

#include "reports/decision_view.h"
#include "reports/report.h"
#include "reports/sentences.h"
#include "reports/text_table.h"

namespace weir::reports {
namespace {

constexpr Spelling kAscii = Spelling::ascii;

std::string or_dash(const std::optional<double>& value, double factor, int decimals) {
  return value ? grouped_fixed(*value * factor, decimals) : "-";
}

std::string amount(sim::Money value, const TableScale& scale) {
  return grouped_fixed(value.units() / scale.divisor, scale.amount);
}

std::string range_cell(const sim::PlanOption& option, const TableScale& scale) {
  const auto found = option.range.find("tco");
  if (found == option.range.end() || !option.cost) return "";
  return significant(found->second[0] / scale.divisor, 3) + "-" + significant(found->second[2] / scale.divisor, 3);
}

std::vector<std::string> option_row(const sim::PlanResult& plan, const sim::PlanOption& option, const TableScale& scale,
                                    Language language) {
  const sim::RunResult* run = option.run ? &*option.run : nullptr;
  const bool generative = is_generative(plan);
  std::vector<std::string> row = {option.feasible ? std::to_string(option.rank) : "-",
                                  hardware_short(option, language),
                                  option.feasible ? tenure_word(option, language) : "-",
                                  precision_text(option.precision),
                                  std::to_string(option.tensor_parallel),
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
    row.push_back(range_cell(option, scale));
    row.push_back(or_dash(cost_per_unit(plan, option), 1, scale.per_unit));
    row.push_back(option.tenure == "owned" ? payback_text(option, language) : "-");
  } else {
    row.insert(row.end(), {"-", "-", "-", "", "-", "-"});
  }
  row.push_back(evidence_word(timing_evidence(option), language));
  row.push_back(option.cost ? evidence_word(option.cost->evidence, language) : say(language, "none"));
  return row;
}

std::vector<TextColumn> option_columns(const sim::PlanResult& plan, const TableScale& scale, Language language) {
  const bool generative = is_generative(plan);
  const std::string currency = currency_name(plan.currency, language);
  std::vector<TextColumn> columns = {{"#", true, 0},
                                     {say(language, "Card"), false, 0},
                                     {say(language, "Tenure"), false, 0},
                                     {say(language, "Preci-\nsion"), false, 0},
                                     {"TP", true, 5},
                                     {say(language, "Cards"), true, 0},
                                     {say(language, "Ser-\nvers"), true, 6}};
  if (generative) {
    columns.push_back({"TTFT\nP99 (s)", true, 0});
    columns.push_back({"TPOT\nP99 (ms)", true, 0});
  } else {
    columns.push_back({"E2E\nP99 (ms)", true, 0});
  }
  const std::string per_unit = generative ? say(language, "{currency}/1M\nout tok", {{"currency", currency}})
                                          : say(language, "{currency}/1k\ninfer.", {{"currency", currency}});
  for (TextColumn column :
       std::vector<TextColumn>{{say(language, "SLO\nmet (%)"), true, 0},
                               {say(language, "Busy\n(%)"), true, 7},
                               {say(language, "Capex\n({unit})", {{"unit", scale.unit}}), true, 1},
                               {say(language, "Opex/yr\n({unit})", {{"unit", scale.unit}}), true, 3},
                               {say(language, "TCO\n({unit})", {{"unit", scale.unit}}), true, 0},
                               {say(language, "P10-P90\n({unit})", {{"unit", scale.unit}}), true, 4},
                               {per_unit, true, 2},
                               {say(language, "Pays back\n(month)"), true, 1},
                               {say(language, "Timing\nis"), false, 8},
                               {say(language, "Price\nis"), false, 9}}) {
    columns.push_back(std::move(column));
  }
  return columns;
}

TextTable option_table(const sim::PlanResult& plan, const Shortlist& list, Language language) {
  const TableScale scale = table_scale(plan, list.rows, language);
  TextTable table(option_columns(plan, scale, language));
  for (const std::size_t i : list.rows) table.add(option_row(plan, plan.options[i], scale, language));
  if (list.measured) table.add(option_row(plan, plan.options[*list.measured], scale, language));
  return table;
}

/// The name of a line, filled with blanks to `width`.
std::string label(const std::string& name, int width) {
  return name + std::string(static_cast<std::size_t>(std::max(1, width - display_width(name))), ' ');
}

std::string not_eligible_text(const sim::PlanResult& plan, const Shortlist& list, int width, Language language) {
  if (list.not_eligible.empty()) return "";
  int widest = 0;
  for (const std::size_t i : list.not_eligible)
    widest = std::max(widest, display_width(hardware_short(plan.options[i], language)));
  std::string out = "\n" + say(language, "Not eligible") + "\n";
  for (const std::size_t i : list.not_eligible) {
    const sim::PlanOption& option = plan.options[i];
    out += wrap_text(why_not_eligible(option, kAscii, language), width,
                     "  " + label(hardware_short(option, language), widest + 2));
  }
  return out;
}

std::string unpriced_text(const sim::PlanResult& plan, const Shortlist& list, int width, Language language) {
  std::string out;
  for (const std::size_t i : list.rows) {
    const sim::PlanOption& option = plan.options[i];
    if (option.cost || option.why_no_price.empty()) continue;
    const std::string name = say(language, "{card}, no price:", {{"card", hardware_short(option, language)}});
    out += wrap_text(engine_text(option.why_no_price, kAscii, language), width,
                     "  " + name + (language == Language::zh_CN ? "" : " "));
  }
  return out.empty() ? out : "\n" + out;
}

std::string checks_text(const Decision& decision, int width, Language language) {
  if (decision.checks.empty()) return "";
  const std::string head = decision.calibration
                               ? say(language, "Predicted against measured, on this machine ({device})",
                                     {{"device", decision.calibration->device_name}})
                               : say(language, "Predicted against measured, on this machine");
  TextTable table({{say(language, "Not among the fitted samples"), false, 0},
                   {say(language, "Predicted"), true, 0},
                   {say(language, "Measured"), true, 0},
                   {"+- MAD", true, 1},
                   {say(language, "Error (%)"), true, 0}});
  for (const LayerCheck& check : decision.checks) {
    const double error = check.measured_s > 0 ? (check.predicted_s / check.measured_s - 1) * 100 : 0;
    table.add({engine_text(check.what, kAscii, language), seconds_text(check.predicted_s),
               seconds_text(check.measured_s), check.n > 1 ? seconds_text(check.measured_mad_s) : "-",
               check.measured_s > 0 ? (error > 0 ? "+" : "") + fixed(error, 1) : "-"});
  }
  return "\n" + head + "\n" + table.render(width);
}

}  // namespace

std::string decision_text(const Decision& decision, int width, Language language) {
  const sim::PlanResult& plan = decision.plan;
  const Shortlist list = shortlist(plan);
  std::string out = wrap_text(headline(plan, kAscii, language), width);
  for (const std::string& reason : main_reasons(plan, kAscii, language)) out += wrap_text(reason, width, "  - ");
  const auto line = [&](const std::string& name, const std::string& text) {
    out += wrap_text(text, width, label(name, 10));
  };
  out += "\n";
  line(say(language, "Demand"), demand_line(plan, Spelling::ascii, language));
  for (const std::string& target : target_lines(plan, kAscii, language)) line(say(language, "Targets"), target);
  line(say(language, "Costs"), cost_terms_line(plan, language));
  if (!list.rows.empty() || list.measured) out += "\n" + option_table(plan, list, language).render(width);
  out += not_eligible_text(plan, list, width, language);
  out += unpriced_text(plan, list, width, language);
  out += "\n" + wrap_text(say(language,
                              "Best precision and TP of each card and tenure; {considered}. Timing and price are known "
                              "as well as their weakest input. All rows: --csv, --html, --json.",
                              {{"considered", considered_line(plan, language)}}),
                          width);
  const std::vector<std::string> assumptions = assumption_reasons(plan, kAscii, language);
  if (!assumptions.empty()) out += "\n" + say(language, "Assumptions behind the first row") + "\n";
  for (const std::string& assumption : assumptions) out += wrap_text(assumption, width, "  - ");
  out += checks_text(decision, width, language);
  return out;
}

}  // namespace weir::reports
