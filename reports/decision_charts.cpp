#include "reports/decision_charts.h"

#include <algorithm>

namespace weir::reports {
namespace {

std::vector<double> cumulative(const sim::TenureCost& cost) {
  std::vector<double> sums;
  sim::Money sum;
  for (const sim::MonthlyCash& month : cost.months) {
    sum += month.capex + month.opex - month.residual;
    sums.push_back(sum.units());
  }
  return sums;
}

charts::CostCurve curve_of(const sim::PlanOption& option, bool chosen, Language language) {
  const charts::Role role = tenure_role(option);
  return {std::to_string(option.rank) + " " + tenure_word(option, language), role,
          role == charts::Role::owned ? charts::Dash::solid : charts::Dash::dashed, cumulative(*option.cost), chosen};
}

/// Where the owned curve falls to the rented one in the month that the cost engine names.
std::optional<charts::BreakEven> break_even_point(const sim::PlanOption& owned, const sim::PlanOption& rented,
                                                  Language language) {
  if (!owned.break_even_month) return std::nullopt;
  const int month = *owned.break_even_month;
  const std::vector<double> a = cumulative(*owned.cost);
  const std::vector<double> b = cumulative(*rented.cost);
  const auto m = static_cast<std::size_t>(month);
  if (m >= a.size() || m >= b.size()) return std::nullopt;
  charts::BreakEven event{static_cast<double>(month), a[m],
                          say(language, "Owning pays back in month {month}", {{"month", std::to_string(month)}})};
  if (m > 0) {
    const double before = a[m - 1] - b[m - 1];
    const double after = a[m] - b[m];
    if (before > 0 && after <= 0) {
      const double t = before / (before - after);
      event.month = static_cast<double>(month - 1) + t;
      event.amount = a[m - 1] + t * (a[m] - a[m - 1]);
    }
  }
  return event;
}

const sim::PlanOption* lead_option(const sim::PlanResult& plan, const Shortlist& list) {
  if (const sim::PlanOption* best = recommended(plan)) return best;
  if (!list.rows.empty()) return &plan.options[list.rows.front()];
  const sim::PlanOption* nearest = nearest_option(plan);
  if (nearest != nullptr && nearest->run) return nearest;
  return nullptr;
}

/// One of the three latencies that limits are stated on, in its several spellings.
struct Metric {
  const char* key;
  const char* name;
  std::vector<sim::TailPoint> sim::RunResult::*tail;
  data::PercentileLimits data::Slo::*limits;
};
const Metric kTtft{"ttft", "Time to first token", &sim::RunResult::ttft_tail, &data::Slo::ttft_s};
const Metric kTpot{"tpot", "Time per output token", &sim::RunResult::tpot_tail, &data::Slo::tpot_s};
const Metric kE2e{"e2e", "End-to-end latency", &sim::RunResult::e2e_tail, &data::Slo::e2e_s};

/// The latency to show: the one that is missed by most, else that of the first answer.
const Metric& telling_metric(const sim::PlanResult& plan, const sim::PlanOption& lead) {
  const Metric* metric = is_generative(plan) ? &kTtft : &kE2e;
  double worst = 1;
  for (const sim::SloTarget& target : lead.run->slo.targets) {
    if (!target.value_s || *target.value_s / target.limit_s <= worst) continue;
    worst = *target.value_s / target.limit_s;
    metric = target.metric == kTtft.key ? &kTtft : target.metric == kTpot.key ? &kTpot : &kE2e;
  }
  return *metric;
}

/// The strictest limit that a tail can be held against: the smallest of all classes'.
struct TailLimit {
  double limit_s = 0, share = 0.01;
};

std::optional<TailLimit> tail_limit(const sim::PlanResult& plan, const Metric& metric) {
  static const std::map<std::string, double> kShares = {
      {"p50", 0.5}, {"p90", 0.1}, {"p95", 0.05}, {"p99", 0.01}, {"p999", 0.001}};
  std::optional<TailLimit> strictest;
  for (const data::Workload& workload : plan.scenario.workloads) {
    for (const data::RequestClass& c : workload.classes) {
      for (const auto& [percentile, limit_s] : c.slo.*metric.limits) {
        const auto share = kShares.find(percentile);
        if (share == kShares.end() || (strictest && strictest->limit_s <= limit_s)) continue;
        strictest = TailLimit{limit_s, share->second};
      }
    }
  }
  return strictest;
}

std::string group_of(const std::string& key, Language language) {
  static const std::map<std::string, const char*> kGroups = {{"server", "Servers"},
                                                             {"network", "Network, storage, rack"},
                                                             {"storage", "Network, storage, rack"},
                                                             {"rack_setup", "Network, storage, rack"},
                                                             {"spare_stock", "Upkeep and parts"},
                                                             {"purchase_tax", "Tax"},
                                                             {"energy", "Energy"},
                                                             {"demand_charge", "Energy"},
                                                             {"colocation", "Colocation"},
                                                             {"maintenance", "Upkeep and parts"},
                                                             {"parts", "Upkeep and parts"},
                                                             {"insurance", "Insurance"},
                                                             {"staff", "Staff"},
                                                             {"software", "Software, internet"},
                                                             {"internet", "Software, internet"},
                                                             {"residual", "Resale, less disposal"},
                                                             {"disposal", "Resale, less disposal"},
                                                             {"cloud", "Rented hours"},
                                                             {"cloud_support", "Support"},
                                                             {"cloud_storage", "Storage"},
                                                             {"cloud_tax", "Tax"}};
  const auto found = kGroups.find(key);
  return found == kGroups.end() ? words_of_key(key, language) : say(language, found->second);
}

}  // namespace

std::optional<charts::CostOverTime> cost_over_time(const sim::PlanResult& plan, const Shortlist& list,
                                                   Language language) {
  const sim::PlanOption* best = recommended(plan);
  if (best == nullptr || !best->cost) return std::nullopt;
  charts::CostOverTime data;
  data.currency = plan.currency;
  data.curves.push_back(curve_of(*best, true, language));
  const sim::PlanOption* same = other_tenure(plan, *best);
  if (same != nullptr && same->cost && same->feasible) {
    data.curves.push_back(curve_of(*same, false, language));
    data.break_even =
        best->tenure == "owned" ? break_even_point(*best, *same, language) : break_even_point(*same, *best, language);
  }
  for (const std::size_t i : list.rows) {
    const sim::PlanOption& option = plan.options[i];
    if (option.tenure == best->tenure || !option.cost) continue;
    if (&option == same) break;  // the same set-up is the best of that tenure
    data.curves.push_back(curve_of(option, false, language));
    data.curves.back().dash = charts::Dash::dotted;
    break;
  }
  return data;
}

std::optional<charts::TailChart> tail_chart(const sim::PlanResult& plan, const Shortlist& list, Language language) {
  const sim::PlanOption* lead = lead_option(plan, list);
  if (lead == nullptr || !lead->run) return std::nullopt;
  const Metric& metric = telling_metric(plan, *lead);
  const auto has_tail = [&](const sim::PlanOption& option) {
    return option.run && !((*option.run).*metric.tail).empty();
  };
  if (!has_tail(*lead)) return std::nullopt;
  std::vector<const sim::PlanOption*> shown = {lead};
  const auto consider = [&](std::size_t i) {
    const sim::PlanOption& option = plan.options[i];
    const bool known = std::any_of(shown.begin(), shown.end(), [&](auto* o) { return o->hardware == option.hardware; });
    if (shown.size() < 4 && !known && has_tail(option)) shown.push_back(&option);
  };
  for (const std::size_t i : list.rows) consider(i);
  for (const std::size_t i : list.not_eligible) consider(i);

  charts::TailChart data;
  data.latency_name = say(language, metric.name);
  constexpr charts::Dash kDashes[] = {charts::Dash::solid, charts::Dash::dashed, charts::Dash::dash_dot,
                                      charts::Dash::dotted};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    charts::TailCurve curve;
    const std::string card = hardware_short(*shown[i], language);
    curve.label = shown[i]->feasible ? std::to_string(shown[i]->rank) + " " + card
                                     : say(language, "{card} (not eligible)", {{"card", card}});
    curve.role = i == 0 ? charts::Role::neutral : charts::Role::text_secondary;
    curve.dash = kDashes[i];
    curve.chosen = i == 0;
    for (const sim::TailPoint& p : (*shown[i]->run).*metric.tail) curve.points.push_back({p.latency_s, p.slower_share});
    data.curves.push_back(std::move(curve));
  }
  if (const auto limit = tail_limit(plan, metric)) {
    data.limit_s = limit->limit_s;
    data.limit_share = limit->share;
    data.limit_label = say(language, "misses SLO");
  }
  return data;
}

std::optional<charts::ScatterChart> scatter_chart(const sim::PlanResult& plan, const Shortlist& list,
                                                  Language language) {
  const bool generative = is_generative(plan);
  charts::ScatterChart data;
  data.currency = plan.currency;
  data.latency_name = generative ? "TTFT P99" : "E2E P99";
  data.cost_name = horizon_tco(plan, language);
  std::vector<std::size_t> shown = list.rows;
  for (const std::size_t i : plan.pareto) {
    if (shown.size() < 12 && std::find(shown.begin(), shown.end(), i) == shown.end()) shown.push_back(i);
  }
  for (const std::size_t i : shown) {
    const sim::PlanOption& option = plan.options[i];
    if (!option.run || !option.cost) continue;
    const auto latency = p99(generative ? option.run->latency.ttft : option.run->latency.e2e);
    if (!latency || !(*latency > 0)) continue;
    const bool front = std::find(plan.pareto.begin(), plan.pareto.end(), i) != plan.pareto.end();
    data.points.push_back({std::to_string(option.rank), *latency, option.cost->total.units(),
                           hardware_shape(option.hardware), tenure_role(option), !option.feasible,
                           &option == recommended(plan), front});
  }
  if (data.points.size() < 2) return std::nullopt;
  if (const auto limit = tail_limit(plan, generative ? kTtft : kE2e)) data.limit_s = limit->limit_s;
  return data;
}

charts::BarChart cost_parts_chart(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  charts::BarChart data;
  data.currency = plan.currency;
  data.role = tenure_role(option);
  data.title = say(language, "Option {rank}, {card} {tenure} ({currency})",
                   {{"rank", std::to_string(option.rank)},
                    {"card", hardware_short(option, language)},
                    {"tenure", tenure_words(option, plan.scenario, language)},
                    {"currency", currency_name(plan.currency, language)}});
  std::vector<std::pair<std::string, sim::Money>> groups;
  for (const sim::CostLine& line : option.cost->lines) {
    const std::string group = group_of(line.key, language);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == group; });
    if (found == groups.end()) {
      groups.emplace_back(group, line.total);
    } else {
      found->second += line.total;
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [label, total] : groups) {
    if (total.micros() != 0) data.bars.push_back({label, total.units()});
  }
  return data;
}

std::optional<charts::LoadChart> load_chart(const sim::PlanResult& plan, const Shortlist& list, Language language) {
  const sim::PlanOption* lead = lead_option(plan, list);
  if (lead == nullptr || !lead->feasible || !lead->run || lead->run->series.size() < 2) return std::nullopt;
  const std::vector<sim::SeriesPoint>& series = lead->run->series;
  const double step = series[1].begin_s - series[0].begin_s;
  if (!(step > 0)) return std::nullopt;
  charts::LoadChart data;
  data.option = say(language, "option {rank}", {{"rank", std::to_string(lead->rank)}});
  for (const sim::SeriesPoint& point : series) {
    data.begin_s.push_back(point.begin_s);
    // The last arrival ends its cell early: its rate is over the part that the demand covers.
    const double covered = std::clamp(plan.span_s - point.begin_s, 0.2 * step, step);
    data.arrivals_per_s.push_back(static_cast<double>(point.arrivals) / covered);
    data.busy_share.push_back(point.busy);
  }
  data.end_s = series.back().begin_s + step;
  return data;
}

}  // namespace weir::reports
