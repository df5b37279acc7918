#include "reports/decision_view.h"

#include <algorithm>
#include <set>

namespace weir::reports {
namespace {

/// Id of the device of a calibration.
constexpr std::string_view kMeasuredMachine = "this-machine";

std::string_view times(Spelling spelling) { return spelling == Spelling::typographic ? " \u00d7 " : " x "; }
std::string_view at_most(Spelling spelling) { return spelling == Spelling::typographic ? " \u2264 " : " <= "; }

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

/// How near an option that cannot meet the targets came: not at all when it does not fit, else by its worst miss.
double nearness(const sim::PlanOption& option) {
  if (!option.run) return 0;
  double worst = 1;  // value over limit
  for (const sim::SloTarget& target : option.run->slo.targets) {
    if (target.value_s && target.limit_s > 0) worst = std::max(worst, *target.value_s / target.limit_s);
  }
  return 1 / worst + option.run->slo.attainment.value_or(0) * 1e-6;
}

void append_limits(std::string& text, const char* name, const data::PercentileLimits& limits, Spelling spelling) {
  for (const auto& [percentile, limit_s] : limits) {
    if (!text.empty()) text += ", ";
    text +=
        std::string(name) + " " + upper(percentile) + std::string(at_most(spelling)) + seconds_text(limit_s, spelling);
  }
}

/// reason_data stands beside the sentences in the same order; without it every sentence is a main one.
std::vector<std::string> reasons_if(const sim::PlanResult& plan, bool assumption) {
  std::vector<std::string> some;
  for (std::size_t i = 0; i < plan.recommendation.reasons.size(); ++i) {
    const bool is_one = i < plan.reason_data.size() && plan.reason_data[i].key == "assumption";
    if (is_one == assumption) some.push_back(plan.recommendation.reasons[i]);
  }
  return some;
}

std::string term_words(const std::string& term) {
  if (term == "reserved-1y") return "1 y";
  if (term == "reserved-3y") return "3 y";
  return term == "on-demand" ? "on demand" : term;
}

std::string plural(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

Shortlist shortlist(const sim::PlanResult& plan) {
  Shortlist list;
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> eligible;
  for (std::size_t i = 0; i < plan.options.size(); ++i) {
    const sim::PlanOption& option = plan.options[i];
    if (!option.feasible) continue;
    eligible.insert(option.hardware);
    if (seen.emplace(option.hardware, option.tenure).second) list.rows.push_back(i);
  }
  for (std::size_t i = 0; i < plan.options.size(); ++i) {
    const sim::PlanOption& option = plan.options[i];
    if (option.feasible || eligible.contains(option.hardware)) continue;
    const auto same = std::find_if(list.not_eligible.begin(), list.not_eligible.end(),
                                   [&](std::size_t other) { return plan.options[other].hardware == option.hardware; });
    if (same == list.not_eligible.end()) {
      list.not_eligible.push_back(i);
    } else if (nearness(option) > nearness(plan.options[*same])) {
      *same = i;
    }
  }
  for (const std::size_t i : list.not_eligible) {
    if (plan.options[i].hardware == kMeasuredMachine) list.measured = i;
  }
  return list;
}

const sim::PlanOption* other_tenure(const sim::PlanResult& plan, const sim::PlanOption& option) {
  for (const sim::PlanOption& other : plan.options) {
    if (other.tenure != option.tenure && other.hardware == option.hardware && other.precision == option.precision &&
        other.engine == option.engine && other.tensor_parallel == option.tensor_parallel &&
        other.pipeline_parallel == option.pipeline_parallel) {
      return &other;
    }
  }
  return nullptr;
}

const sim::PlanOption* nearest_option(const sim::PlanResult& plan) {
  const sim::PlanOption* nearest = nullptr;
  for (const sim::PlanOption& option : plan.options) {
    if (!option.feasible && (nearest == nullptr || nearness(option) > nearness(*nearest))) nearest = &option;
  }
  return nearest;
}

const sim::PlanOption* recommended(const sim::PlanResult& plan) {
  const auto& index = plan.recommendation.option;
  return index && *index < plan.options.size() ? &plan.options[*index] : nullptr;
}

std::string hardware_short(const sim::PlanOption& option) {
  if (option.hardware == kMeasuredMachine) return "This machine";
  for (const std::string_view vendor : {"NVIDIA ", "AMD ", "Intel "}) {
    if (option.hardware_name.starts_with(vendor)) {
      return option.hardware_name.substr(vendor.size());
    }
  }
  return option.hardware_name.empty() ? option.hardware : option.hardware_name;
}

std::string tenure_words(const sim::PlanOption& option, const data::Scenario& scenario) {
  if (option.tenure != "cloud") return option.tenure;
  return "rented " + term_words(scenario.cost.cloud_term);
}

charts::Role tenure_role(const sim::PlanOption& option) {
  return option.tenure == "owned" ? charts::Role::owned : charts::Role::rented;
}

charts::Shape hardware_shape(const std::string& id) {
  using charts::Shape;
  if (id.starts_with("h800") || id.starts_with("h100")) return Shape::circle;
  if (id.starts_with("a100") || id.starts_with("a800")) return Shape::square;
  if (id == "l4") return Shape::diamond;
  if (id == "a10" || id == "a10g") return Shape::triangle_down;
  if (id == "t4") return Shape::triangle_up;
  if (id == kMeasuredMachine) return Shape::cross;
  return Shape::pentagon;
}

bool is_generative(const sim::PlanResult& plan) {
  return plan.scenario.workloads.empty() || plan.scenario.workloads.front().kind == data::WorkloadKind::generative;
}

data::Evidence timing_evidence(const sim::PlanOption& option) {
  data::Evidence weakest = data::Evidence::measured_here;
  const std::vector<sim::EvidenceNote>& notes =
      option.run && !option.run->evidence.empty() ? option.run->evidence : option.evidence;
  if (notes.empty()) return data::Evidence::assumption;
  for (const sim::EvidenceNote& note : notes) weakest = std::max(weakest, note.evidence);
  return weakest;
}

std::string_view evidence_word(data::Evidence evidence) {
  switch (evidence) {
    case data::Evidence::measured_here:
      return "measured";
    case data::Evidence::measured_elsewhere:
      return "published";
    case data::Evidence::fitted:
      return "fitted";
    case data::Evidence::datasheet:
      return "datasheet";
    case data::Evidence::assumption:
      return "assumed";
  }
  return "assumed";
}

std::optional<double> p99(const sim::Distribution& distribution) {
  if (distribution.n == 0) return std::nullopt;
  return distribution.p99;
}

namespace {

/// " Nearest: A100 SXM4 80GB at int8, TPOT p99 is 4.65 ms ...; target 2 ms."
std::string nearest_miss(const sim::PlanResult& plan) {
  const sim::PlanOption* nearest = nearest_option(plan);
  if (nearest == nullptr || nearest->why_not.empty()) return "";
  constexpr std::string_view kPrefix = "cannot meet: ";
  const std::string& why = nearest->why_not;
  return " Nearest: " + hardware_short(*nearest) + " at " + std::string(data::to_string(nearest->precision)) + ", " +
         (why.starts_with(kPrefix) ? why.substr(kPrefix.size()) : why) + ".";
}

}  // namespace

std::string headline(const sim::PlanResult& plan, Spelling spelling) {
  const sim::PlanOption* best = recommended(plan);
  if (best == nullptr) {
    return "None of the " + std::to_string(plan.options.size()) + " options meets the targets." + nearest_miss(plan);
  }
  const std::string card = std::string(times(spelling)) + hardware_short(*best);
  const std::string how = " at " + std::string(data::to_string(best->precision));
  const std::string cards = std::to_string(best->accelerators.value_or(0)) + card + how;
  if (!best->cost) return "Use " + cards + ": it meets the targets, but its price is not known.";
  if (best->tenure != "owned") return "Rent " + cards + ", " + term_words(plan.scenario.cost.cloud_term) + ".";
  const int servers = best->cost->servers;
  if (servers < 1) return "Own " + cards + ".";
  return "Own " + plural(servers, "server") + " of " + std::to_string(best->cost->accelerators / servers) + card + how +
         ".";
}

std::vector<std::string> target_lines(const sim::PlanResult& plan, Spelling spelling) {
  std::vector<std::string> lines;
  for (const data::Workload& workload : plan.scenario.workloads) {
    for (const data::RequestClass& c : workload.classes) {
      if (c.slo.empty()) continue;
      std::string limits;
      append_limits(limits, "TTFT", c.slo.ttft_s, spelling);
      append_limits(limits, "TPOT", c.slo.tpot_s, spelling);
      append_limits(limits, "E2E", c.slo.e2e_s, spelling);
      lines.push_back(c.name + ": " + limits + "; " + shortest(c.slo.attainment * 100) +
                      " % of requests within all limits");
    }
  }
  return lines;
}

std::vector<std::string> main_reasons(const sim::PlanResult& plan) { return reasons_if(plan, false); }
std::vector<std::string> assumption_reasons(const sim::PlanResult& plan) { return reasons_if(plan, true); }

std::optional<double> cost_per_unit(const sim::PlanResult& plan, const sim::PlanOption& option) {
  if (!option.cost) return std::nullopt;
  return is_generative(plan) ? option.cost->per_million_output_tokens : option.cost->per_thousand_inferences;
}

TableScale table_scale(const sim::PlanResult& plan, const std::vector<std::size_t>& rows) {
  std::vector<double> totals, per_unit, ttft, tpot, e2e;
  TableScale scale;
  for (const std::size_t i : rows) {
    const sim::PlanOption& option = plan.options[i];
    if (option.run) {
      ttft.push_back(p99(option.run->latency.ttft).value_or(0));
      tpot.push_back(p99(option.run->latency.tpot).value_or(0) * 1e3);
      e2e.push_back(p99(option.run->latency.e2e).value_or(0) * 1e3);
    }
    if (!option.cost) continue;
    const double total = option.cost->total.units();
    scale.low = totals.empty() ? total : std::min(scale.low, total);
    totals.push_back(total);
    per_unit.push_back(cost_per_unit(plan, option).value_or(0));
    if (const auto range = option.range.find("tco"); range != option.range.end()) {
      scale.low = std::min(scale.low, range->second[0]);
      scale.high = std::max(scale.high, range->second[2]);
    }
  }
  const double largest = totals.empty() ? 0 : *std::max_element(totals.begin(), totals.end());
  scale.divisor = largest >= 1e8 ? 1e6 : largest >= 1e4 ? 1e3 : 1;
  scale.unit = (scale.divisor == 1e6 ? "M " : scale.divisor == 1e3 ? "k " : "") + plan.currency;
  for (double& total : totals) total /= scale.divisor;
  scale.amount = std::min(column_decimals(totals, 3), 2);
  scale.per_unit = column_decimals(per_unit, 3, 6);
  scale.ttft_s = column_decimals(ttft, 2);
  scale.tpot_ms = column_decimals(tpot, 2);
  scale.e2e_ms = column_decimals(e2e, 2);
  return scale;
}

std::string demand_line(const sim::PlanResult& plan) {
  std::string text = grouped(plan.requests) + " requests in " + span_text(plan.span_s);
  if (plan.span_s > 0) text += " (" + significant(static_cast<double>(plan.requests) / plan.span_s, 3) + "/s)";
  if (!plan.trace_name.empty()) text += ", trace " + plan.trace_name;
  if (!plan.scenario.workloads.empty()) {
    text += ", model " + plan.scenario.workloads.front().model.id;
    const double growth = plan.scenario.workloads.front().growth_per_year;
    if (growth != 0) text += ", growing " + shortest(growth * 100) + " % a year";
  }
  return text;
}

std::string considered_line(const sim::PlanResult& plan) {
  std::string text = std::to_string(plan.considered) + " options considered";
  const char* separator = "; left out: ";
  for (const auto& [reason, count] : plan.pruned) {
    text += separator + std::to_string(count) + " " + reason;
    separator = ", ";
  }
  return text;
}

std::string words_of_key(const std::string& key) {
  static const std::map<std::string, std::string> kSpelled = {
      {"usd", "USD"},        {"gpu", "GPU"},         {"gpus", "GPUs"},  {"fte", "FTE"},
      {"kw", "kW"},          {"kwh", "kWh"},         {"gb", "GB"},      {"pcie", "PCIe"},
      {"sxm", "SXM"},        {"pue", "PUE"},         {"8gpu", "8-GPU"}, {"4gpu", "4-GPU"},
      {"non", "other than"}, {"colo", "colocation"}, {"npv", "NPV"},    {"tdp", "TDP"}};
  const std::size_t dot = key.find('.');
  const std::string words = key.substr(0, dot);
  std::string text;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('_', at), words.size());
    const std::string word = words.substr(at, end - at);
    const auto spelled = kSpelled.find(word);
    text += (text.empty() ? "" : " ") + (spelled == kSpelled.end() ? word : spelled->second);
    at = end + 1;
  }
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z' && !text.starts_with("kW")) {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return dot == std::string::npos ? text : text + ", " + key.substr(dot + 1);
}

std::string payback_text(const sim::PlanOption& option) {
  if (option.tenure != "owned" || !option.cost) return "";
  return option.break_even_month ? std::to_string(*option.break_even_month) : "never";
}

}  // namespace weir::reports
