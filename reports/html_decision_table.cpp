#include <set>

#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

std::string amount_cell(const std::optional<sim::TenureCost>& cost, sim::Money sim::TenureCost::*part,
                        const TableScale& scale, bool total) {
  if (!cost) return "<td class=\"num\">\u2013</td>";
  const std::string gutter = total ? mark(cost->evidence) : "";
  return std::string("<td class=\"num") + (total ? " strong" : "") + "\">" + gutter +
         grouped_fixed(((*cost).*part).units() / scale.divisor, scale.amount, Spelling::typographic) + "</td>";
}

std::string option_cell(const sim::PlanResult& plan, const sim::PlanOption& option) {
  return "<td class=\"nowrap\">" + option_marker(option, !option.feasible) + "<span class=\"card\">" +
         escape_markup(hardware_short(option)) + "</span> <span class=\"tenure\">" +
         escape_markup(option.feasible ? tenure_words(option, plan.scenario) : "measured here") + "</span></td>";
}

std::string count_cell(const std::optional<int>& count) {
  return "<td class=\"num\">" + (count ? grouped(*count) : std::string("\u2013")) + "</td>";
}

std::string performance_cells(const sim::PlanOption& option, const TableScale& scale, bool generative) {
  const sim::RunResult* run = option.run ? &*option.run : nullptr;
  const std::string gutter = mark(timing_evidence(option));
  std::string out;
  if (generative) {
    out += number_cell(run != nullptr ? p99(run->latency.ttft) : std::nullopt, 1, scale.ttft_s, gutter);
    out += number_cell(run != nullptr ? p99(run->latency.tpot) : std::nullopt, 1e3, scale.tpot_ms);
  } else {
    out += number_cell(run != nullptr ? p99(run->latency.e2e) : std::nullopt, 1e3, scale.e2e_ms, gutter);
  }
  const bool known = run != nullptr && run->slo.attainment;
  return out + "<td class=\"num\">" + (known ? percent(*run->slo.attainment) : std::string("\u2013")) + "</td>";
}

std::string row_html(const sim::PlanResult& plan, const sim::PlanOption& option, const TableScale& scale, bool strips) {
  const bool generative = is_generative(plan);
  const bool chosen = &option == recommended(plan);
  std::string out = chosen ? "<tr class=\"chosen\">" : "<tr>";
  out += "<td class=\"rank\">" + (option.feasible ? std::to_string(option.rank) : "\u2013") + "</td>" +
         option_cell(plan, option);
  out += cell(data::to_string(option.precision)) + count_cell(option.tensor_parallel) +
         count_cell(option.accelerators) + count_cell(option.tenure == "cloud" ? std::nullopt : option.servers);
  out += performance_cells(option, scale, generative);
  out += amount_cell(option.cost, &sim::TenureCost::capex, scale, false);
  out += amount_cell(option.cost, &sim::TenureCost::opex_first_year, scale, false);
  out += amount_cell(option.cost, &sim::TenureCost::total, scale, true);
  if (strips) out += "<td>" + range_strip(option, scale.low, scale.high) + "</td>";
  out += number_cell(cost_per_unit(plan, option), 1, scale.per_unit);
  const std::string payback = payback_text(option);
  return out + "<td class=\"num\">" + (payback.empty() ? "\u2013" : payback) + "</td></tr>\n";
}

std::string head_html(const sim::PlanResult& plan, const TableScale& scale, bool strips) {
  const bool generative = is_generative(plan);
  const std::string unit = "(" + scale.unit + ")";
  std::string out =
      "<thead><tr><th class=\"num\">#</th><th>Option</th><th>Preci-<br>sion</th><th class=\"num\">TP</th><th "
      "class=\"num\">Cards</th>"
      "<th class=\"num\">Servers<br>owned</th>";
  out += generative ? "<th class=\"num\">TTFT<br>P99 (s)</th><th class=\"num\">TPOT<br>P99 (ms)</th>"
                    : "<th class=\"num\">E2E<br>P99 (ms)</th>";
  out += "<th class=\"num\">SLO<br>met (%)</th><th class=\"num\">Capex<br>" + unit +
         "</th><th class=\"num\">Opex<br>(" + scale.unit + "/yr)</th><th class=\"num\">TCO " +
         std::to_string(plan.horizon_months) + " mo<br>" + unit + " \u25b2</th>";
  if (strips) {
    out += "<th>TCO P10\u2013P90<div class=\"ends\"><span>" + significant(scale.low / scale.divisor, 3) +
           "</span><span>" + significant(scale.high / scale.divisor, 3) + "</span></div></th>";
  }
  out += std::string("<th class=\"num\">") + escape_markup(plan.currency) + " per " +
         (generative ? "1M<br>out tokens" : "1k<br>inferences") +
         "</th><th class=\"num\">Pays back<br>(month)</th></tr></thead>\n";
  return out;
}

/// Why the measured machine is not eligible, below its row.
std::string reason_row(const sim::PlanOption& option, int columns) {
  return "<tr><td class=\"rank\"></td><td></td><td colspan=\"" + std::to_string(columns - 2) +
         "\"><span class=\"problem\">\u2715 not eligible</span> " + escape_markup(option.why_not) + "</td></tr>\n";
}

std::string not_eligible_row(const sim::PlanOption& option, int columns) {
  return "<tr><td class=\"rank\">\u2013</td><td class=\"nowrap\">" + option_marker(option, true) +
         "<span class=\"card\">" + escape_markup(hardware_short(option)) + "</span></td><td colspan=\"" +
         std::to_string(columns - 2) + "\"><span class=\"problem\">\u2715 not eligible</span> " +
         escape_markup(data::to_string(option.precision)) + ", TP " + std::to_string(option.tensor_parallel) + ": " +
         escape_markup(option.why_not) + "</td></tr>\n";
}

/// Head of a table in which no option has numbers.
constexpr const char* kReasonsHead =
    "<thead><tr><th class=\"num\">#</th><th>Option</th><th>Why not</th></tr></thead>\n";

std::string unpriced_row(const sim::PlanOption& option, int columns) {
  return "<tr><td class=\"rank\"></td><td></td><td class=\"muted\" colspan=\"" + std::to_string(columns - 2) + "\">" +
         escape_markup(hardware_short(option)) + ": " + escape_markup(option.why_no_price) + "</td></tr>\n";
}

}  // namespace

std::string decision_table(const sim::PlanResult& plan, const Shortlist& list) {
  const TableScale scale = table_scale(plan, list.rows);
  const bool strips = scale.high > 0;
  const int columns = 13 + (is_generative(plan) ? 1 : 0) + (strips ? 1 : 0);
  const std::string head = list.rows.empty() && !list.measured ? kReasonsHead : head_html(plan, scale, strips);
  std::string out = "<div class=\"scroll\"><table>\n" + head + "<tbody>\n";
  for (const std::size_t i : list.rows) {
    const sim::PlanOption& option = plan.options[i];
    out += row_html(plan, option, scale, strips);
    if (!option.cost && !option.why_no_price.empty()) out += unpriced_row(option, columns);
  }
  for (const std::size_t i : list.not_eligible) {
    const sim::PlanOption& option = plan.options[i];
    const bool measured = list.measured == i;
    out += measured ? row_html(plan, option, scale, strips) + reason_row(option, columns)
                    : not_eligible_row(option, columns);
  }
  return out + "</tbody></table></div>\n";
}

std::string all_options_table(const sim::PlanResult& plan) {
  std::vector<std::size_t> feasible;
  for (std::size_t i = 0; i < plan.options.size(); ++i) {
    if (plan.options[i].feasible) feasible.push_back(i);
  }
  const TableScale scale = table_scale(plan, feasible);
  const int columns = 13 + (is_generative(plan) ? 1 : 0);
  const std::string head = feasible.empty() ? kReasonsHead : head_html(plan, scale, false);
  std::string out = "<div class=\"scroll\"><table class=\"small\">\n" + head + "<tbody>\n";
  std::set<std::string> reasons;  // tenures that fail alike share a row
  for (const sim::PlanOption& option : plan.options) {
    const std::string row = option.feasible ? row_html(plan, option, scale, false) : not_eligible_row(option, columns);
    if (option.feasible || reasons.insert(row).second) out += row;
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace weir::reports::html
