#include <algorithm>

#include "reports/html_parts.h"
#include "reports/report.h"

namespace weir::reports {
namespace {

using html::mark;

std::string title_of(const data::Scenario& scenario) {
  const auto english = scenario.title.find("en");
  return english != scenario.title.end() && !english->second.empty() ? english->second : scenario.name;
}

std::string figure(const std::string& name, const std::string& value, const std::string& note) {
  return "<div><dt>" + escape_markup(name) + "</dt><dd class=\"big\">" + escape_markup(value) +
         "</dd><dd class=\"sub\">" + escape_markup(note) + "</dd></div>\n";
}

std::string payback_figure(const sim::PlanResult& plan, const sim::PlanOption& best) {
  const sim::PlanOption* owned = best.tenure == "owned" ? &best : other_tenure(plan, best);
  if (owned == nullptr || !owned->cost) return "";
  const std::string name = "Owning pays back against renting";
  const std::string horizon = "within " + std::to_string(plan.horizon_months) + " months, same set-up";
  return owned->break_even_month ? figure(name, "month " + std::to_string(*owned->break_even_month), horizon)
                                 : figure(name, "never", horizon);
}

std::string key_figures(const sim::PlanResult& plan, const sim::PlanOption& best) {
  const Spelling spelling = Spelling::typographic;
  std::string out = "<dl class=\"figures\">\n";
  if (best.cost) {
    const double monthly = best.cost->total.units() / std::max(1, plan.horizon_months);
    const bool generative = is_generative(plan);
    const auto per = generative ? best.cost->per_million_output_tokens : best.cost->per_thousand_inferences;
    out += figure(
        "Cost per month, average", money_short(monthly, plan.currency, spelling),
        per ? money_short(*per, plan.currency, spelling) + (generative ? " per 1M output tokens" : " per 1k inferences")
            : "");
  }
  if (best.run && best.run->slo.attainment) {
    out += figure("Requests within all limits", percent(*best.run->slo.attainment) + "\u00a0%",
                  "at least " + shortest(best.run->slo.required_attainment * 100) + "\u00a0% required");
  }
  if (best.run) {
    out += figure("Accelerators busy", percent(best.run->gpu_busy, 0) + "\u00a0%",
                  "mean over " + span_text(best.run->simulated_s));
  }
  out += payback_figure(plan, best);
  const auto range = best.range.find("tco");
  if (best.cost && range != best.range.end()) {
    out += figure("TCO over " + std::to_string(plan.horizon_months) + " months",
                  money_short(best.cost->total.units(), plan.currency, spelling),
                  "P10\u2013P90 " + money_short(range->second[0], plan.currency, spelling) + "\u2013" +
                      money_short(range->second[2], plan.currency, spelling));
  }
  return out + "</dl>\n";
}

std::string list_of(const std::vector<std::string>& sentences, const std::string& gutter) {
  if (sentences.empty()) return "";
  std::string out = "<ul class=\"why\">\n";
  for (const std::string& sentence : sentences) out += "<li>" + gutter + escape_markup(sentence) + "</li>\n";
  return out + "</ul>\n";
}

std::string answer(const sim::PlanResult& plan) {
  std::string out = "<h1>" + escape_markup(headline(plan, Spelling::typographic)) + "</h1>\n";
  out += "<p class=\"lead\">" + escape_markup(demand_line(plan)) + ".</p>\n";
  for (const std::string& line : target_lines(plan, Spelling::typographic)) {
    out += "<p class=\"lead\">Targets, " + escape_markup(line) + ".</p>\n";
  }
  if (const sim::PlanOption* best = recommended(plan)) out += key_figures(plan, *best);
  return out + list_of(main_reasons(plan), "");
}

std::string money_section(const sim::PlanResult& plan) {
  std::string out;
  const sim::PlanOption* best = recommended(plan);
  if (best != nullptr && best->cost) {
    out += "<h2>Cost, line by line</h2>\n" + html::cost_line_table(plan, *best);
    if (const sim::PlanOption* other = other_tenure(plan, *best)) out += html::cost_line_table(plan, *other);
  }
  const std::string inputs = html::input_table(plan);
  if (!inputs.empty()) {
    out +=
        "<h2>Inputs and their sources</h2>\n<p>Ranges are read as P5 to P95. Set your own values under "
        "<code>cost.overrides</code> of the scenario.</p>\n" +
        inputs;
  }
  return out;
}

std::string method(const sim::PlanResult& plan) {
  const std::string per_run = "seed " + std::to_string(plan.seed);
  std::string out =
      "<h2>Method and limits</h2>\n<p>Every candidate is simulated request by request (" + per_run +
      "): requests arrive as in the trace, replicas batch them by the scenario's policy within the memory that "
      "weights and cache leave, and each iteration is timed from kernels measured on this machine or from the "
      "share of the datasheet limits that published kernels reached on that architecture. Replicas are the fewest "
      "that keep every target of every class.</p>\n"
      "<p>Amounts are nominal cash flows of each month, not discounted unless a line says NPV. Servers are bought "
      "when growth needs them; spare servers cover failures. P10\u2013P90 draws the prices and economic inputs within "
      "their ranges and the timing within its error; it does not cover demand that differs from the trace.</p>\n"
      "<p>Not simulated by this version: mixing owned and rented hardware, autoscaling, cached prompts, network "
      "delay to the client, and failures during the run. Quality after quantisation is stated only where a "
      "source is named; test it before buying.</p>\n";
  if (!plan.notes.empty()) {
    out += "<p>Demand: ";
    for (const std::string& note : plan.notes) out += escape_markup(note) + (note.ends_with('.') ? " " : ". ");
    out += "</p>\n";
  }
  if (!plan.scenario.note.empty()) out += "<p>Scenario: " + escape_markup(plan.scenario.note) + "</p>\n";
  return out;
}

}  // namespace

std::string decision_html(const Decision& decision) {
  const sim::PlanResult& plan = decision.plan;
  const Shortlist list = shortlist(plan);
  const std::string title = escape_markup(title_of(plan.scenario));
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      title + ": capacity and cost</title>\n<style>" + std::string(html::style_sheet()) + "</style>\n</head>\n<body>\n";
  out += "<div class=\"run\"><span>" + title + "</span><span>GPU inference: capacity and cost</span></div>\n<main>\n";
  out += answer(plan);
  out += html::decision_table(plan, list) + html::mark_legend(plan);
  out += "<h2>The reasons in pictures</h2>\n" + html::chart_section(plan, list);
  if (const sim::PlanOption* best = recommended(plan)) out += "<h2>Targets</h2>\n" + html::target_table(*best);
  const std::vector<std::string> assumptions = assumption_reasons(plan);
  if (!assumptions.empty())
    out += "<h2>Assumptions behind the answer</h2>\n" + list_of(assumptions, mark(data::Evidence::assumption) + " ");
  out += html::check_table(decision);
  out += money_section(plan);
  const std::string timing = html::timing_evidence_table(plan, list);
  if (!timing.empty()) out += "<h2>How the times are known</h2>\n" + timing;
  out += "<h2>All options</h2>\n<p>" + escape_markup(considered_line(plan)) + ".</p>\n" + html::all_options_table(plan);
  out += method(plan);
  out += "</main>\n<footer>Weir " + escape_markup(decision.weir_version) + ", scenario " +
         escape_markup(plan.scenario.name) + ", seed " + std::to_string(plan.seed) + ", " +
         std::to_string(plan.horizon_months) + " months, " + escape_markup(plan.currency) +
         "</footer>\n</body>\n</html>\n";
  return out;
}

}  // namespace weir::reports
