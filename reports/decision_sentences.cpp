#include "reports/decision_view.h"
#include "reports/sentences.h"

namespace weir::reports {
namespace {

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

void append_limits(std::vector<std::string>& to, const char* name, const data::PercentileLimits& limits,
                   Spelling spelling) {
  const std::string at_most = spelling == Spelling::typographic ? "\u00a0\u2264\u00a0" : " <= ";
  for (const auto& [percentile, limit_s] : limits)
    to.push_back(std::string(name) + " " + upper(percentile) + at_most + seconds_text(limit_s, spelling));
}

/// A share as it was given, without rounding; the sign never begins a line.
std::string whole_percent(double share, Spelling spelling) {
  return shortest(share * 100) + (spelling == Spelling::typographic ? "\u00a0%" : " %");
}

/// The reason without the words that the sentence around it says.
std::string bare_reason(const sim::PlanOption& option) {
  constexpr std::string_view kPrefix = "cannot meet: ";
  return option.why_not.starts_with(kPrefix) ? option.why_not.substr(kPrefix.size()) : option.why_not;
}

std::string no_option_meets(const sim::PlanResult& plan, Spelling spelling, Language language) {
  const std::string count = std::to_string(plan.options.size());
  const sim::PlanOption* nearest = nearest_option(plan);
  if (nearest == nullptr || nearest->why_not.empty())
    return say(language, "None of the {n} options meets the targets.", {{"n", count}});
  return say(language, "None of the {n} options meets the targets. Nearest: {card} at {precision}, {why}.",
             {{"n", count},
              {"card", hardware_short(*nearest, language)},
              {"precision", precision_text(nearest->precision)},
              {"why", engine_text(bare_reason(*nearest), spelling, language)}});
}

std::string what_to_own(const sim::PlanOption& best, const std::string& card, const std::string& precision,
                        Language language) {
  const int servers = best.cost->servers;
  if (servers < 1) {
    return say(language, "Own {n} x {card} at {precision}.",
               {{"n", std::to_string(best.accelerators.value_or(0))}, {"card", card}, {"precision", precision}});
  }
  const std::string each = std::to_string(best.cost->accelerators / servers);
  if (servers == 1) {
    return say(language, "Own 1 server of {n} x {card} at {precision}.",
               {{"n", each}, {"card", card}, {"precision", precision}});
  }
  return say(language, "Own {servers} servers of {n} x {card} at {precision}.",
             {{"servers", std::to_string(servers)}, {"n", each}, {"card", card}, {"precision", precision}});
}

}  // namespace

std::string join(const std::vector<std::string>& items, Language language) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : language == Language::zh_CN ? "，" : ", ") + item;
  return text;
}

std::string sentences(const std::vector<std::string>& all, Language language) {
  std::string text;
  for (const std::string& one : all) {
    if (one.empty()) continue;
    text += (text.empty() || language == Language::zh_CN ? "" : " ") + one;
  }
  return text;
}

std::string full_stop(const std::string& text, Language language) {
  if (text.empty() || text.ends_with('.') || text.ends_with("。")) return text;
  return text + (language == Language::zh_CN ? "。" : ".");
}

std::string headline(const sim::PlanResult& plan, Spelling spelling, Language language) {
  const sim::PlanOption* best = recommended(plan);
  if (best == nullptr) return no_option_meets(plan, spelling, language);
  const std::string card = hardware_short(*best, language);
  const std::string precision = precision_text(best->precision);
  const std::string count = std::to_string(best->accelerators.value_or(0));
  std::string text;
  if (!best->cost) {
    text = say(language, "Use {n} x {card} at {precision}: it meets the targets, but its price is not known.",
               {{"n", count}, {"card", card}, {"precision", precision}});
  } else if (best->tenure == "owned") {
    text = what_to_own(*best, card, precision, language);
  } else {
    text = say(language, "Rent {n} x {card} at {precision}, {term}.",
               {{"n", count},
                {"card", card},
                {"precision", precision},
                {"term", term_words(plan.scenario.cost.cloud_term, language)}});
  }
  return typeset(std::move(text), spelling);
}

std::vector<std::string> target_lines(const sim::PlanResult& plan, Spelling spelling, Language language) {
  std::vector<std::string> lines;
  for (const data::Workload& workload : plan.scenario.workloads) {
    for (const data::RequestClass& c : workload.classes) {
      if (c.slo.empty()) continue;
      std::vector<std::string> limits;
      append_limits(limits, "TTFT", c.slo.ttft_s, spelling);
      append_limits(limits, "TPOT", c.slo.tpot_s, spelling);
      append_limits(limits, "E2E", c.slo.e2e_s, spelling);
      lines.push_back(say(language, "{class}: {limits}; {share} of requests within all limits",
                          {{"class", c.name},
                           {"limits", join(limits, language)},
                           {"share", whole_percent(c.slo.attainment, spelling)}}));
    }
  }
  return lines;
}

std::string why_not_eligible(const sim::PlanOption& option, Spelling spelling, Language language) {
  return say(language, "{precision}, TP {tp}: {why}",
             {{"precision", precision_text(option.precision)},
              {"tp", std::to_string(option.tensor_parallel)},
              {"why", engine_text(bare_reason(option), spelling, language)}});
}

std::string demand_line(const sim::PlanResult& plan, Spelling spelling, Language language) {
  const std::string requests = grouped(plan.requests);
  const std::string span = span_text(plan.span_s, language);
  std::vector<std::string> parts;
  if (plan.span_s > 0) {
    parts.push_back(say(language, "{requests} requests in {span} ({rate}/s)",
                        {{"requests", requests},
                         {"span", span},
                         {"rate", significant(static_cast<double>(plan.requests) / plan.span_s, 3)}}));
  } else {
    parts.push_back(say(language, "{requests} requests in {span}", {{"requests", requests}, {"span", span}}));
  }
  if (!plan.trace_name.empty()) parts.push_back(say(language, "trace {file}", {{"file", plan.trace_name}}));
  if (!plan.scenario.workloads.empty()) {
    const data::Workload& workload = plan.scenario.workloads.front();
    parts.push_back(say(language, "model {name}", {{"name", workload.model.id}}));
    if (workload.growth_per_year != 0) {
      parts.push_back(
          say(language, "growing {share} a year", {{"share", whole_percent(workload.growth_per_year, spelling)}}));
    }
  }
  return join(parts, language);
}

std::string considered_line(const sim::PlanResult& plan, Language language) {
  std::vector<std::string> parts = {say(language, "{n} options considered", {{"n", std::to_string(plan.considered)}})};
  for (const auto& [reason, count] : plan.pruned) {
    parts.push_back(say(language, "{n} left out: {reason}",
                        {{"n", std::to_string(count)}, {"reason", translate(language, reason)}}));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : language == Language::zh_CN ? "；" : "; ") + part;
  return text;
}

std::string cost_terms_line(const sim::PlanResult& plan, Language language) {
  return say(language, "{currency}, {months} months, undiscounted, region {region}, rented {term}",
             {{"currency", currency_name(plan.currency, language)},
              {"months", std::to_string(plan.horizon_months)},
              {"region", plan.scenario.cost.region},
              {"term", term_words(plan.scenario.cost.cloud_term, language)}});
}

}  // namespace weir::reports
