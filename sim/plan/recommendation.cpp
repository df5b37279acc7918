#include "sim/plan/recommendation.h"

#include <cmath>
#include <string>

#include "sim/cost/readable_number.h"
#include "sim/plan/capacity.h"

namespace weir::sim {
namespace {

std::string count_text(double value) { return readable_number(value); }

std::string money_text(double units) { return fixed_text(units, std::abs(units) < 100 ? 2 : 0); }

std::string deployment_text(const PlanOption& o) {
  std::string text = count_text(o.accelerators.value_or(0)) + " x " + o.hardware_name + " (" +
                     std::string(data::to_string(o.precision));
  if (o.tensor_parallel > 1) text += ", tensor parallel " + count_text(o.tensor_parallel);
  if (o.pipeline_parallel > 1) text += ", pipeline parallel " + count_text(o.pipeline_parallel);
  if (o.expert_parallel > 1) text += ", expert parallel " + count_text(o.expert_parallel);
  return text + ", " + o.tenure + ")";
}

class Reasons {
 public:
  explicit Reasons(PlanResult& result) : result_(result) {}
  void add(std::string key, std::map<std::string, std::string> values, std::string sentence) {
    result_.reason_data.push_back({std::move(key), std::move(values)});
    result_.recommendation.reasons.push_back(std::move(sentence));
  }

 private:
  PlanResult& result_;
};

void say_cheapest(const PlanResult& r, const PlanOption& best, Reasons& reasons) {
  int feasible = 0, priced = 0;
  for (const PlanOption& o : r.options) {
    feasible += o.feasible ? 1 : 0;
    priced += o.feasible && o.cost ? 1 : 0;
  }
  std::map<std::string, std::string> values = {{"deployment", deployment_text(best)},
                                               {"considered", count_text(r.considered)},
                                               {"feasible", count_text(feasible)},
                                               {"currency", r.currency}};
  const std::string of = "Of " + values["considered"] + " candidates " + values["feasible"] + " meet the targets";
  if (!best.cost) {
    reasons.add("no_price", values,
                of + ", none with a known price; the fewest accelerators: " + deployment_text(best) + ".");
    return;
  }
  values["priced"] = count_text(priced);
  values["tco"] = money_text(best.cost->total.units());
  values["horizon_months"] = count_text(r.horizon_months);
  std::string sentence = of + "; the cheapest of the " + values["priced"] + " with a price is " +
                         deployment_text(best) + ": " + values["tco"] + " " + r.currency + " over " +
                         values["horizon_months"] + " months";
  if (best.cost->per_million_output_tokens) {
    values["per_million_output_tokens"] = readable_number(*best.cost->per_million_output_tokens);
    sentence += ", " + values["per_million_output_tokens"] + " " + r.currency + " per million output tokens";
  }
  if (best.cost->per_thousand_inferences) {
    values["per_thousand_inferences"] = readable_number(*best.cost->per_thousand_inferences);
    sentence += ", " + values["per_thousand_inferences"] + " " + r.currency + " per thousand inferences";
  }
  reasons.add("cheapest", std::move(values), sentence + ".");
}

void say_targets(const PlanOption& best, Reasons& reasons) {
  const RunResult& run = *best.run;
  const SloTarget* tightest = nullptr;
  double share = 0;
  for (const SloTarget& target : run.slo.targets) {
    if (!target.value_s || *target.value_s / target.limit_s <= share) continue;
    share = *target.value_s / target.limit_s;
    tightest = &target;
  }
  std::map<std::string, std::string> values = {
      {"replicas", count_text(run.replicas)},
      {"gpu_busy_percent", readable_number(std::round(run.gpu_busy * 1000) / 10)}};
  std::string sentence =
      values["replicas"] + (run.replicas == 1 ? " replica meets" : " replicas meet") + " every target";
  if (run.slo.attainment) {
    values["attainment_percent"] = fixed_text(*run.slo.attainment * 100, 2);
    sentence += ": " + values["attainment_percent"] + "% of requests keep all their limits";
  }
  if (tightest != nullptr) {
    values["metric"] = upper_case(tightest->metric);
    values["percentile"] = tightest->percentile;
    values["class"] = tightest->class_name;
    values["value"] = seconds_text(*tightest->value_s);
    values["limit"] = seconds_text(tightest->limit_s);
    sentence += ", the tightest target is " + values["metric"] + " " + values["percentile"] + " of " + values["class"] +
                " at " + values["value"] + " of " + values["limit"];
  }
  if (run.replicas > 1) sentence += "; one replica fewer misses";
  reasons.add("meets_targets", values,
              sentence + ". The accelerators are busy " + values["gpu_busy_percent"] + "% of the time.");
}

const PlanOption* same_in(const PlanResult& r, const PlanOption& o, const std::string& tenure) {
  for (const PlanOption& other : r.options) {
    if (other.tenure == tenure && other.cost && other.hardware == o.hardware && other.precision == o.precision &&
        other.tensor_parallel == o.tensor_parallel && other.pipeline_parallel == o.pipeline_parallel &&
        other.expert_parallel == o.expert_parallel) {
      return &other;
    }
  }
  return nullptr;
}

void say_break_even(const PlanResult& r, const PlanOption& best, Reasons& reasons) {
  const bool owned = best.tenure == "owned";
  const PlanOption* other = same_in(r, best, owned ? "cloud" : "owned");
  if (other == nullptr || !best.cost) return;
  const auto month = owned ? best.break_even_month : other->break_even_month;
  std::map<std::string, std::string> values = {{"tenure", best.tenure},
                                               {"other_tco", money_text(other->cost->total.units())},
                                               {"currency", r.currency},
                                               {"month", month ? count_text(*month) : "never"}};
  const std::string amount = values["other_tco"] + " " + r.currency;
  std::string sentence;
  if (owned) {
    sentence = "Renting the same hardware costs " + amount + "; owning is ahead from month " + values["month"] + " on.";
  } else {
    sentence =
        "Owning the same hardware costs " + amount +
        (month ? "; it is ahead from month " + values["month"] + " on." : " and does not pay back within the horizon.");
  }
  reasons.add("break_even", std::move(values), sentence);
}

void say_runner_up(const PlanResult& r, const PlanOption& best, Reasons& reasons) {
  if (!best.cost) return;
  for (const PlanOption& o : r.options) {
    if (!o.feasible || !o.cost || o.hardware == best.hardware) continue;
    const double more = o.cost->total.units() / best.cost->total.units() - 1;
    std::map<std::string, std::string> values = {{"deployment", deployment_text(o)},
                                                 {"tco", money_text(o.cost->total.units())},
                                                 {"currency", r.currency},
                                                 {"difference", signed_percent_text(more)}};
    const std::string sentence = "The best on other hardware is " + values["deployment"] + " at " + values["tco"] +
                                 " " + r.currency + " (" + values["difference"] + ").";
    reasons.add("runner_up", std::move(values), sentence);
    return;
  }
}

void say_range(const PlanResult& r, const PlanOption& best, Reasons& reasons) {
  const auto range = best.range.find("tco");
  if (range == best.range.end()) return;
  std::map<std::string, std::string> values = {{"p10", money_text(range->second[0])},
                                               {"p50", money_text(range->second[1])},
                                               {"p90", money_text(range->second[2])},
                                               {"currency", r.currency}};
  const std::string sentence = "Over the ranges of prices, costs and timing 8 of 10 outcomes lie between " +
                               values["p10"] + " and " + values["p90"] + " " + r.currency + ", half of all above " +
                               values["p50"] + "; the plan's figure takes every input at its planning value.";
  reasons.add("range", std::move(values), sentence);
}

void say_assumptions(const PlanOption& best, Reasons& reasons) {
  for (const EvidenceNote& note : best.evidence) {
    if (note.evidence != data::Evidence::assumption) continue;
    reasons.add("assumption", {{"what", note.what}, {"source", note.source}},
                "It rests on an assumption: " + note.what + " (" + note.source + ").");
  }
  if (best.quality.starts_with("unknown")) {
    const std::string precision(data::to_string(best.precision));
    reasons.add("quality", {{"precision", precision}},
                "What " + precision + " does to the answers is not known: test it before buying.");
  }
}

}  // namespace

void recommend(PlanResult& result) {
  if (result.options.empty() || !result.options.front().feasible) return;
  const PlanOption& best = result.options.front();
  result.recommendation.option = 0;
  Reasons reasons(result);
  say_cheapest(result, best, reasons);
  say_targets(best, reasons);
  say_break_even(result, best, reasons);
  say_runner_up(result, best, reasons);
  say_range(result, best, reasons);
  say_assumptions(best, reasons);
}

}  // namespace weir::sim
