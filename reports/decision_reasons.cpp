#include "reports/decision_view.h"
#include "reports/sentences.h"

/// The engine says why as data and as English sentences. Here they are worded from the data, so that names, amounts
/// and language are those of the rest of the report.
namespace weir::reports {
namespace {

class Wording {
 public:
  Wording(const sim::PlanResult& plan, const sim::PlanOption& best, Spelling spelling, Language language)
      : plan_(plan), best_(best), spelling_(spelling), language_(language) {}

  /// Empty when there is no wording for this key.
  std::string of(const sim::Reason& reason) const {
    if (reason.key == "cheapest" || reason.key == "no_price") return cheapest();
    if (reason.key == "meets_targets") return targets();
    if (reason.key == "break_even") return break_even();
    if (reason.key == "runner_up") return runner_up();
    if (reason.key == "range") return range();
    if (reason.key == "quality") {
      return say(language_, "What {precision} does to the answers is not known: test it before buying.",
                 {{"precision", precision_text(best_.precision)}});
    }
    const auto what = reason.values.find("what"), source = reason.values.find("source");
    if (reason.key != "assumption" || what == reason.values.end() || source == reason.values.end()) return "";
    return say(language_, "It rests on an assumption: {what} ({source}).",
               {{"what", engine_text(what->second, spelling_, language_)},
                {"source", engine_text(source->second, spelling_, language_)}});
  }

 private:
  std::string money(double amount) const { return money_full(amount, plan_.currency, spelling_, language_); }

  std::string deployment(const sim::PlanOption& o) const {
    const std::string count = std::to_string(o.accelerators.value_or(0));
    const std::string card = hardware_short(o, language_), precision = precision_text(o.precision);
    const std::string tenure = tenure_word(o, language_);
    if (o.pipeline_parallel * o.expert_parallel > 1) {
      return say(language_,
                 "{n} x {card} ({precision}, tensor x pipeline x expert parallel {tp} x {pp} x {ep}, {tenure})",
                 {{"n", count},
                  {"card", card},
                  {"precision", precision},
                  {"tp", std::to_string(o.tensor_parallel)},
                  {"pp", std::to_string(o.pipeline_parallel)},
                  {"ep", std::to_string(o.expert_parallel)},
                  {"tenure", tenure}});
    }
    if (o.tensor_parallel > 1) {
      return say(language_, "{n} x {card} ({precision}, tensor parallel {tp}, {tenure})",
                 {{"n", count},
                  {"card", card},
                  {"precision", precision},
                  {"tp", std::to_string(o.tensor_parallel)},
                  {"tenure", tenure}});
    }
    return say(language_, "{n} x {card} ({precision}, {tenure})",
               {{"n", count}, {"card", card}, {"precision", precision}, {"tenure", tenure}});
  }

  std::string cheapest() const {
    int feasible = 0, priced = 0;
    for (const sim::PlanOption& o : plan_.options) {
      feasible += o.feasible ? 1 : 0;
      priced += o.feasible && o.cost ? 1 : 0;
    }
    const std::string considered = std::to_string(plan_.considered), meet = std::to_string(feasible);
    const std::string what = deployment(best_);
    if (!best_.cost) {
      return say(language_,
                 "Of {considered} candidates {feasible} meet the targets, none with a known price; the fewest "
                 "accelerators: {deployment}.",
                 {{"considered", considered}, {"feasible", meet}, {"deployment", what}});
    }
    const std::string first =
        say(language_,
            "Of {considered} candidates {feasible} meet the targets; the cheapest of the {priced} with a price is "
            "{deployment}: {tco} over {months} months.",
            {{"considered", considered},
             {"feasible", meet},
             {"priced", std::to_string(priced)},
             {"deployment", what},
             {"tco", money(best_.cost->total.units())},
             {"months", std::to_string(plan_.horizon_months)}});
    return sentences({first, per_unit()}, language_);
  }

  std::string per_unit() const {
    const auto spelled = [&](double amount) { return money_short(amount, plan_.currency, spelling_, language_); };
    if (best_.cost->per_million_output_tokens) {
      return say(language_, "A million output tokens cost {amount}.",
                 {{"amount", spelled(*best_.cost->per_million_output_tokens)}});
    }
    if (best_.cost->per_thousand_inferences) {
      return say(language_, "A thousand inferences cost {amount}.",
                 {{"amount", spelled(*best_.cost->per_thousand_inferences)}});
    }
    return "";
  }

  std::string targets() const {
    if (!best_.run || !best_.run->slo.attainment) return "";
    const sim::RunResult& run = *best_.run;
    const std::string share = percent_text(*run.slo.attainment, spelling_);
    const std::string first =
        run.replicas == 1
            ? say(language_, "One replica meets every target: {share} of requests keep all their limits.",
                  {{"share", share}})
            : say(language_,
                  "{n} replicas meet every target, one fewer misses: {share} of requests keep all their limits.",
                  {{"n", std::to_string(run.replicas)}, {"share", share}});
    const std::string busy = say(language_, "The accelerators are busy {share} of the time.",
                                 {{"share", percent_text(run.gpu_busy, spelling_, 0)}});
    return sentences({first, tightest(run), busy}, language_);
  }

  std::string tightest(const sim::RunResult& run) const {
    const sim::SloTarget* tightest = nullptr;
    double share = 0;
    for (const sim::SloTarget& target : run.slo.targets) {
      if (!target.value_s || *target.value_s / target.limit_s <= share) continue;
      share = *target.value_s / target.limit_s;
      tightest = &target;
    }
    if (tightest == nullptr) return "";
    return say(language_, "The tightest target is {metric} of {class}: {value} of {limit}.",
               {{"metric", target_name(*tightest)},
                {"class", tightest->class_name},
                {"value", seconds_text(*tightest->value_s, spelling_)},
                {"limit", seconds_text(tightest->limit_s, spelling_)}});
  }

  std::string break_even() const {
    const sim::PlanOption* other = other_tenure(plan_, best_);
    if (other == nullptr || !other->cost || !best_.cost) return "";
    const std::string amount = money(other->cost->total.units());
    const bool owned = best_.tenure == "owned";
    const auto month = owned ? best_.break_even_month : other->break_even_month;
    if (!month) {
      return owned ? ""
                   : say(language_, "Owning the same hardware costs {amount} and does not pay back within the horizon.",
                         {{"amount", amount}});
    }
    const std::string since = std::to_string(*month);
    return owned ? say(language_, "Renting the same hardware costs {amount}; owning is ahead from month {month} on.",
                       {{"amount", amount}, {"month", since}})
                 : say(language_, "Owning the same hardware costs {amount}; it is ahead from month {month} on.",
                       {{"amount", amount}, {"month", since}});
  }

  std::string runner_up() const {
    if (!best_.cost) return "";
    for (const sim::PlanOption& o : plan_.options) {
      if (!o.feasible || !o.cost || o.hardware == best_.hardware) continue;
      const double more = o.cost->total.units() / best_.cost->total.units() - 1;
      return say(language_, "The best on other hardware is {deployment} at {tco} ({difference}).",
                 {{"deployment", deployment(o)},
                  {"tco", money(o.cost->total.units())},
                  {"difference", change_text(more, spelling_)}});
    }
    return "";
  }

  std::string range() const {
    const auto found = best_.range.find("tco");
    if (found == best_.range.end()) return "";
    return say(language_,
               "Over the ranges of prices, costs and timing 8 of 10 outcomes lie between {p10} and {p90}, half of all "
               "above {p50}; the plan's figure takes every input at its planning value.",
               {{"p10", money(found->second[0])}, {"p90", money(found->second[2])}, {"p50", money(found->second[1])}});
  }

  const sim::PlanResult& plan_;
  const sim::PlanOption& best_;
  Spelling spelling_;
  Language language_;
};

/// reason_data stands beside the sentences in the same order; without it every sentence is a main one.
std::vector<std::string> reasons_if(const sim::PlanResult& plan, bool assumption, Spelling spelling,
                                    Language language) {
  std::vector<std::string> some;
  const sim::PlanOption* best = recommended(plan);
  for (std::size_t i = 0; i < plan.recommendation.reasons.size(); ++i) {
    const sim::Reason* reason = i < plan.reason_data.size() ? &plan.reason_data[i] : nullptr;
    if ((reason != nullptr && reason->key == "assumption") != assumption) continue;
    std::string text;
    if (reason != nullptr && best != nullptr)
      text = typeset(Wording(plan, *best, spelling, language).of(*reason), spelling);
    some.push_back(text.empty() ? engine_text(plan.recommendation.reasons[i], spelling, language) : std::move(text));
  }
  return some;
}

}  // namespace

std::string target_name(const sim::SloTarget& target) {
  std::string text = target.metric + " " + target.percentile;
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::vector<std::string> main_reasons(const sim::PlanResult& plan, Spelling spelling, Language language) {
  return reasons_if(plan, false, spelling, language);
}

std::vector<std::string> assumption_reasons(const sim::PlanResult& plan, Spelling spelling, Language language) {
  return reasons_if(plan, true, spelling, language);
}

}  // namespace weir::reports
