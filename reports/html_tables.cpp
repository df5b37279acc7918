#include <algorithm>
#include <set>

#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

std::string upper_first_metric(const std::string& metric, const std::string& percentile) {
  std::string text = metric + " " + percentile;
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string plain(double value) { return trimmed(value, 4, Spelling::typographic); }

std::string range_of(const data::RangedQuantity& value) {
  if (value.low == value.high) return "\u2013";
  return plain(value.low) + "\u2013" + plain(value.high);
}

}  // namespace

std::string target_table(const sim::PlanOption& option) {
  if (!option.run || option.run->slo.targets.empty()) return "";
  std::string out =
      "<table class=\"narrow\">\n<thead><tr><th>Class</th><th>Target</th><th class=\"num\">Limit</th><th "
      "class=\"num\">Option " +
      std::to_string(option.rank) + "</th><th></th></tr></thead>\n<tbody>\n";
  for (const sim::SloTarget& target : option.run->slo.targets) {
    out += "<tr>" + cell(target.class_name) + cell(upper_first_metric(target.metric, target.percentile));
    out += cell(seconds_text(target.limit_s, Spelling::typographic), "num");
    out += cell(target.value_s ? seconds_text(*target.value_s, Spelling::typographic) : "\u2013", "num");
    out += target.met ? cell("\u2713 met") : "<td><span class=\"problem\">\u2715 missed</span></td>";
    out += "</tr>\n";
  }
  for (const sim::ClassResult& c : option.run->classes) {
    if (!c.slo.attainment) continue;
    const bool met = *c.slo.attainment >= c.slo.required_attainment;
    out += "<tr>" + cell(c.name) + cell("requests within all limits");
    out += cell("\u2265 " + percent(c.slo.required_attainment) + "\u00a0%", "num");
    out += cell(percent(*c.slo.attainment) + "\u00a0%", "num");
    out += met ? cell("\u2713 met") : "<td><span class=\"problem\">\u2715 missed</span></td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string check_table(const Decision& decision) {
  if (decision.checks.empty()) return "";
  std::string out = "<h2>Predicted against measured, on this machine</h2>\n<p>";
  if (decision.calibration) {
    out += escape_markup(decision.calibration->device_name) + ", kernel set " +
           escape_markup(decision.calibration->kernel_set) + ". ";
    if (decision.calibration->contended)
      out += "<span class=\"problem\">! The machine was busy with other work.</span> ";
  }
  out +=
      "These layers were run and timed here, and are not among the samples that the timing tables were fitted "
      "to.</p>\n";
  out +=
      "<table>\n<thead><tr><th>What ran</th><th class=\"num\">Predicted</th><th class=\"num\">Measured</th>"
      "<th class=\"num\">\u00b1 MAD</th><th class=\"num\">Error (%)</th></tr></thead>\n<tbody>\n";
  for (const LayerCheck& check : decision.checks) {
    const double error = check.measured_s > 0 ? (check.predicted_s / check.measured_s - 1) * 100 : 0;
    std::string error_text = fixed(error, 1);
    if (error_text.front() == '-')
      error_text.replace(0, 1, "\u2212");
    else if (error > 0)
      error_text = "+" + error_text;
    out += "<tr>" + cell(check.what) + cell(seconds_text(check.predicted_s, Spelling::typographic), "num") +
           "<td class=\"num\">" + mark(data::Evidence::measured_here) +
           seconds_text(check.measured_s, Spelling::typographic) + "</td>" +
           cell(check.n > 1 ? seconds_text(check.measured_mad_s, Spelling::typographic) : "\u2013", "num") +
           cell(check.measured_s > 0 ? error_text : "\u2013", "num") + "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string cost_line_table(const sim::PlanResult& plan, const sim::PlanOption& option) {
  if (!option.cost) return "";
  std::string out = "<h3>Option " + std::to_string(option.rank) + ": " + escape_markup(hardware_short(option)) + " " +
                    escape_markup(tenure_words(option, plan.scenario)) +
                    "</h3>\n<table class=\"small\">\n<thead><tr><th>Line</th>"
                    "<th>Formula with its numbers</th><th class=\"num\">Total (" +
                    escape_markup(plan.currency) + ")</th></tr></thead>\n<tbody>\n";
  for (const sim::CostLine& line : option.cost->lines) {
    out += "<tr>" + cell(words_of_key(line.key), "nowrap") + cell(line.formula, "formula") +
           cell(money_full(line.total.units(), "", Spelling::typographic), "num") + "</tr>\n";
  }
  const auto total = [&](const char* name, const char* formula, sim::Money amount) {
    return "<tr><td class=\"strong\">" + std::string(name) + "</td>" + cell(formula, "formula") +
           "<td class=\"num strong\">" + money_full(amount.units(), "", Spelling::typographic) + "</td></tr>\n";
  };
  out += total("TCO", "sum of the lines, undiscounted", option.cost->total);
  out += total("NPV", "the same cash flow, discounted monthly", option.cost->npv);
  return out + "</tbody></table>\n";
}

std::string input_table(const sim::PlanResult& plan) {
  if (plan.cost_inputs.empty()) return "";
  std::string out =
      "<table class=\"small\">\n<thead><tr><th>Input</th><th class=\"num\">Value</th><th "
      "class=\"num\">Range</th><th>Unit</th>"
      "<th>Source</th></tr></thead>\n<tbody>\n";
  for (const sim::CostInput& input : plan.cost_inputs) {
    out += "<tr><td class=\"nowrap\">" + mark(input.value.evidence) + escape_markup(words_of_key(input.key)) +
           (input.overridden ? " <b>(yours)</b>" : "") + "</td>" + cell(plain(input.value.mid), "num") +
           cell(range_of(input.value), "num") + cell(input.value.unit, "muted") + cell(input.value.source, "source") +
           "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string timing_evidence_table(const sim::PlanResult& plan, const Shortlist& list) {
  std::set<std::string> seen;
  std::string rows;
  std::string last_card;
  std::vector<std::size_t> order = list.rows;
  order.insert(order.end(), list.not_eligible.begin(), list.not_eligible.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return plan.options[a].hardware < plan.options[b].hardware; });
  for (const std::size_t i : order) {
    const sim::PlanOption& option = plan.options[i];
    if (!option.run) continue;
    for (const sim::EvidenceNote& note : option.run->evidence) {
      if (!seen.insert(option.hardware + "\n" + note.what + "\n" + note.source).second) continue;
      const std::string card = hardware_short(option);
      rows += "<tr>" + cell(card == last_card ? "" : card, "nowrap strong") + "<td class=\"nowrap\">" +
              mark(note.evidence) + escape_markup(note.what) + "</td>" + cell(note.source, "source") + "</tr>\n";
      last_card = card;
    }
  }
  if (rows.empty()) return "";
  return "<div class=\"scroll\"><table class=\"small\">\n<thead><tr><th>Card</th><th>Part of the "
         "prediction</th><th>Known from</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace weir::reports::html
