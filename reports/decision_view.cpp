#include "reports/decision_view.h"

#include <algorithm>
#include <set>

namespace weir::reports {
namespace {

/// Id of the device of a calibration.
constexpr std::string_view kMeasuredMachine = "this-machine";

/// How near an option that cannot meet the targets came: not at all when it does not fit, else by its worst miss.
double nearness(const sim::PlanOption& option) {
  if (!option.run) return 0;
  double worst = 1;  // value over limit
  for (const sim::SloTarget& target : option.run->slo.targets) {
    if (target.value_s && target.limit_s > 0) worst = std::max(worst, *target.value_s / target.limit_s);
  }
  return 1 / worst + option.run->slo.attainment.value_or(0) * 1e-6;
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
        other.pipeline_parallel == option.pipeline_parallel && other.expert_parallel == option.expert_parallel) {
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

bool is_this_machine(const sim::PlanOption& option) { return option.hardware == kMeasuredMachine; }

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

std::optional<double> p99(const sim::Distribution& distribution) {
  if (distribution.n == 0) return std::nullopt;
  return distribution.p99;
}

std::optional<double> cost_per_unit(const sim::PlanResult& plan, const sim::PlanOption& option) {
  if (!option.cost) return std::nullopt;
  return is_generative(plan) ? option.cost->per_million_output_tokens : option.cost->per_thousand_inferences;
}

TableScale table_scale(const sim::PlanResult& plan, const std::vector<std::size_t>& rows, Language language) {
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
  const MoneyUnit unit = money_unit(largest, plan.currency, language);
  scale.divisor = unit.divisor;
  scale.unit = unit.name;
  for (double& total : totals) total /= scale.divisor;
  const int least = language == Language::zh_CN && scale.divisor > 1 ? 1 : 0;  // amounts in 10,000 keep a decimal
  scale.amount = std::clamp(column_decimals(totals, 3), least, 2);
  scale.per_unit = column_decimals(per_unit, 3, 6);
  scale.ttft_s = column_decimals(ttft, 2);
  scale.tpot_ms = column_decimals(tpot, 2);
  scale.e2e_ms = column_decimals(e2e, 2);
  return scale;
}

}  // namespace weir::reports
