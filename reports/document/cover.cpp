#include <algorithm>
#include <map>

#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

/// "$181k (P10–P90 $121k–264k)"
std::string amount_with_range(const Source& in, const sim::PlanOption& option) {
  const std::string amount = in.money(option.cost->total.units());
  const auto range = option.range.find("tco");
  if (range == option.range.end()) return amount;
  return in.say("{amount} (P10\u2013P90 {range})",
                {{"amount", amount},
                 {"range", money_range(range->second[0], range->second[2], in.plan.currency, Spelling::typographic,
                                       in.language)}});
}

const sim::PlanOption* best_other_card(const sim::PlanResult& plan, const sim::PlanOption& best) {
  const auto found = std::find_if(plan.options.begin(), plan.options.end(), [&](const sim::PlanOption& o) {
    return o.feasible && o.cost && o.hardware != best.hardware;
  });
  return found == plan.options.end() ? nullptr : &*found;
}

std::string cost_sentence(const Source& in, const sim::PlanOption& best) {
  const std::string tco = horizon_tco(in.plan, in.language), amount = amount_with_range(in, best);
  const sim::PlanOption* same = other_tenure(in.plan, best);
  if (same != nullptr && same->cost && same->feasible) {
    const std::string other = in.money(same->cost->total.units());
    return best.tenure == "owned" ? in.say("The {tco} is {amount}, against {other} for renting the same set-up.",
                                           {{"tco", tco}, {"amount", amount}, {"other", other}})
                                  : in.say("The {tco} is {amount}, against {other} for owning the same set-up.",
                                           {{"tco", tco}, {"amount", amount}, {"other", other}});
  }
  if (const sim::PlanOption* next = best_other_card(in.plan, best)) {
    return in.say("The {tco} is {amount}, against {other} for the best on other hardware, {card}.",
                  {{"tco", tco},
                   {"amount", amount},
                   {"other", in.money(next->cost->total.units())},
                   {"card", hardware_short(*next, in.language)}});
  }
  return in.say("The {tco} is {amount}.", {{"tco", tco}, {"amount", amount}});
}

std::string risk_sentence(const Source& in, const sim::PlanOption& best) {
  for (const Effect& effect : effects_of_inputs(best)) {
    const data::RangedQuantity& value = effect.input->value;
    const double more = std::max(effect.at_low, effect.at_high);
    if (!(more > 0)) continue;
    const double end = effect.at_high >= effect.at_low ? value.high : value.low;
    const int decimals = column_decimals({end, value.mid}, 3);
    return in.say("Main risk: {input}; at {end} instead of {middle} {unit} it adds {amount}.",
                  {{"input", words_of_key(effect.input->key, in.language)},
                   {"end", grouped_fixed(end, decimals, Spelling::typographic)},
                   {"middle", grouped_fixed(value.mid, decimals, Spelling::typographic)},
                   {"unit", translate(in.language, value.unit)},
                   {"amount", in.money(more)}});
  }
  return "";
}

Paragraph recommendation(const Source& in) {
  const std::string answer = headline(in.plan, Spelling::typographic, in.language);
  const sim::PlanOption* best = recommended(in.plan);
  if (best == nullptr || !best->cost) return {answer, Tone::lead};
  return {sentences({answer, cost_sentence(in, *best), risk_sentence(in, *best)}, in.language), Tone::lead};
}

KeyFigure payback_figure(const Source& in, const sim::PlanOption& best) {
  const sim::PlanOption* owned = best.tenure == "owned" ? &best : other_tenure(in.plan, best);
  const sim::PlanOption* rented = best.tenure == "owned" ? other_tenure(in.plan, best) : &best;
  if (owned == nullptr || rented == nullptr || !owned->cost || !rented->cost) return {};
  const std::string horizon =
      in.say("same set-up, within {months} months", {{"months", std::to_string(in.plan.horizon_months)}});
  return {in.say("Owning pays back against renting"),
          owned->break_even_month ? in.say("month {n}", {{"n", std::to_string(*owned->break_even_month)}})
                                  : in.say("never"),
          horizon};
}

KeyFigures key_figures(const Source& in, const sim::PlanOption& best) {
  KeyFigures all;
  const auto add = [&](KeyFigure figure) {
    if (!figure.name.empty()) all.figures.push_back(std::move(figure));
  };
  if (best.cost) {
    const auto range = best.range.find("tco");
    add({horizon_tco(in.plan, in.language), in.money(best.cost->total.units()),
         range == best.range.end() ? ""
                                   : in.say("P10\u2013P90: {range}",
                                            {{"range", money_range(range->second[0], range->second[2], in.plan.currency,
                                                                   Spelling::typographic, in.language)}})});
  }
  add(payback_figure(in, best));
  if (best.run && best.run->slo.attainment) {
    add({in.say("Requests within all limits"), in.share(*best.run->slo.attainment),
         in.say("at least {share} required",
                {{"share", shortest(best.run->slo.required_attainment * 100) + "\u00a0%"}})});
  }
  if (const auto per = cost_per_unit(in.plan, best)) {
    const double monthly = best.cost->total.units() / std::max(1, in.plan.horizon_months);
    add({is_generative(in.plan) ? in.say("A million output tokens") : in.say("A thousand inferences"), in.money(*per),
         in.say("{amount} a month on average", {{"amount", in.money(monthly)}})});
  }
  if (best.run) {
    add({in.say("Accelerators busy"), in.share(best.run->gpu_busy, 0),
         in.say("mean over {span}", {{"span", span_text(best.run->simulated_s, in.language)}})});
  }
  return all;
}

EvidenceBar evidence_bar(const Source& in) {
  std::map<data::Evidence, int> counts;
  int total = 0;
  for (const sim::CostInput& input : in.plan.cost_inputs) ++counts[input.value.evidence], ++total;
  for (const TimingNote& note : timing_notes(in)) ++counts[note.note->evidence], ++total;
  return {in.say("How the {n} inputs are known", {{"n", std::to_string(total)}}), {counts.begin(), counts.end()}};
}

std::vector<std::string> trust(const Source& in) {
  std::vector<std::string> all;
  double worst = 0;
  int compared = 0;
  for (const LayerCheck& check : in.decision.checks) {
    if (!(check.measured_s > 0)) continue;
    ++compared;
    worst = std::max(worst, std::abs(check.predicted_s / check.measured_s - 1));
  }
  if (compared > 0) {
    all.push_back(in.say("Layers run on this machine: {n}; the prediction is off by {error} at most.",
                         {{"n", std::to_string(compared)}, {"error", in.share(worst)}}));
  } else {
    all.push_back(in.say("Nothing was measured on this machine for this report."));
  }
  const sim::PlanOption* best = recommended(in.plan);
  if (best != nullptr) {
    all.push_back(in.say("Weakest part of the timing of {card}: {evidence}.",
                         {{"card", hardware_short(*best, in.language)},
                          {"evidence", evidence_long_word(timing_evidence(*best), in.language)}}));
  }
  if (best != nullptr && best->range.contains("tco")) {
    all.push_back(in.say(
        "P10\u2013P90 covers prices, economic inputs and timing error, not demand that differs from the trace."));
  }
  return all;
}

Paragraph frame(const Source& in) {
  std::vector<std::string> all = {
      in.say("Demand: {demand}.", {{"demand", demand_line(in.plan, Spelling::typographic, in.language)}})};
  for (const std::string& line : target_lines(in.plan, Spelling::typographic, in.language))
    all.push_back(in.say("Targets, {line}.", {{"line", line}}));
  all.push_back(in.say("Costs: {terms}.", {{"terms", cost_terms_line(in.plan, in.language)}}));
  return {sentences(all, in.language), Tone::quiet};
}

}  // namespace

Section cover(const Source& in) {
  Section section;
  section.title = in.say("Recommendation");
  section.blocks = {frame(in), recommendation(in)};
  const sim::PlanOption* best = recommended(in.plan);
  if (best != nullptr) {
    KeyFigures figures = key_figures(in, *best);
    if (!figures.figures.empty()) section.blocks.emplace_back(std::move(figures));
  }
  Table leaders = leaders_table(in);
  if (leaders.rows.size() > 1) {
    section.blocks.emplace_back(Heading{in.say("The main options"), 3});
    section.blocks.emplace_back(std::move(leaders));
  }
  if (auto figure = cost_figure(in)) {
    figure->wide = true;
    section.blocks.emplace_back(Figures{{std::move(*figure)}});
  }
  section.blocks.emplace_back(evidence_bar(in));
  section.blocks.emplace_back(Heading{in.say("How far to trust it"), 3});
  section.blocks.emplace_back(Paragraph{sentences(trust(in), in.language), Tone::body});
  return section;
}

}  // namespace weir::reports::document
