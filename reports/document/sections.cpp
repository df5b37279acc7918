#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

std::string decision_title(const Source& in) {
  int feasible = 0;
  for (const sim::PlanOption& option : in.plan.options) feasible += option.feasible ? 1 : 0;
  return in.say("{n} of {all} options meet the targets",
                {{"n", std::to_string(feasible)}, {"all", std::to_string(in.plan.options.size())}});
}

void add_figures(Section& section, std::initializer_list<std::optional<Figure>> all) {
  Figures figures;
  for (const std::optional<Figure>& figure : all) {
    if (figure) figures.figures.push_back(*figure);
  }
  if (!figures.figures.empty()) section.blocks.emplace_back(std::move(figures));
}

void paragraph(Section& section, std::string text) {
  if (!text.empty()) section.blocks.emplace_back(Paragraph{std::move(text), Tone::body});
}

}  // namespace

Section decision_section(const Source& in) {
  Section section;
  section.title = in.say("The decision");
  section.new_page = true;
  section.blocks.emplace_back(Heading{decision_title(in), 2});
  section.blocks.emplace_back(ranking_table(in));
  std::vector<std::string> reasons = main_reasons(in.plan, Spelling::typographic, in.language);
  if (!reasons.empty()) {
    section.blocks.emplace_back(Heading{in.say("Why"), 2});
    section.blocks.emplace_back(List{std::move(reasons), std::nullopt});
  }
  section.blocks.emplace_back(Heading{in.say("The reasons in pictures"), 2});
  const std::size_t before = section.blocks.size();
  add_figures(section, {tail_figure(in), scatter_figure(in), load_figure(in)});
  if (section.blocks.size() == before) section.blocks.pop_back();
  const sim::PlanOption* best = recommended(in.plan);
  if (best != nullptr && best->run && !best->run->slo.targets.empty()) {
    section.blocks.emplace_back(Heading{in.say("Targets"), 2});
    section.blocks.emplace_back(targets_table(in, *best));
  }
  return section;
}

Section options_section(const Source& in) {
  Section section;
  section.title = in.say("All options");
  section.blocks.emplace_back(Heading{section.title, 2});
  section.blocks.emplace_back(Paragraph{full_stop(considered_line(in.plan, in.language), in.language), Tone::quiet});
  section.blocks.emplace_back(all_options_table(in));
  return section;
}

Section method_section(const Source& in) {
  Section section;
  section.title = in.say("Method and limits");
  section.blocks.emplace_back(Heading{section.title, 2});
  paragraph(section,
            in.say("Every candidate is simulated request by request (seed {seed}): requests arrive as in the trace, "
                   "replicas batch them by the scenario's policy within the memory that weights and cache leave, and "
                   "each iteration is timed from kernels measured on this machine or from the share of the datasheet "
                   "limits that published kernels reached on that architecture. Replicas are the fewest that keep "
                   "every target of every class.",
                   {{"seed", std::to_string(in.plan.seed)}}));
  paragraph(section,
            in.say("Amounts are nominal cash flows of each month, not discounted unless a line says NPV. Servers are "
                   "bought when growth needs them; spare servers cover failures. P10\u2013P90 draws the prices and "
                   "economic inputs within their ranges and the timing within its error; it does not cover demand that "
                   "differs from the trace."));
  paragraph(section,
            in.say("Not simulated by this version: mixing owned and rented hardware, autoscaling, cached prompts, "
                   "network delay to the client, and failures during the run. Quality after quantisation is stated "
                   "only where a source is named; test it before buying."));
  std::vector<std::string> demand;
  for (const std::string& note : in.plan.notes) demand.push_back(full_stop(in.engine(note), in.language));
  if (!demand.empty()) paragraph(section, in.say("Demand: {notes}", {{"notes", sentences(demand, in.language)}}));
  if (!in.plan.scenario.note.empty())
    paragraph(section, in.say("Scenario: {note}", {{"note", translate(in.language, in.plan.scenario.note)}}));
  return section;
}

}  // namespace weir::reports::document
