#include <algorithm>
#include <cmath>

#include "data/errors.h"
#include "sim/cost/cloud_model.h"
#include "sim/cost/cost.h"
#include "sim/cost/cost_formulas.h"
#include "sim/cost/owned_model.h"
#include "sim/cost/rates.h"
#include "sim/cost/readable_number.h"

namespace weir::sim {
namespace {

constexpr double kSecondsPerMonth = kHoursPerMonth * 3600;

void check_choice(const data::CostChoice& choice) {
  if (choice.horizon_months < 1 || choice.horizon_months > 600) {
    throw data::InputError("", "/cost/horizon_months", readable_number(choice.horizon_months),
                           "expected a whole number from 1 to 600");
  }
}

/// Amounts beyond what money can hold come from an input, so the input is named instead of a lost invariant.
template <class Work>
auto within_money_range(const Work& work) {
  try {
    return work();
  } catch (const std::overflow_error&) {
    throw data::InputError("", "/cost", "", "the amounts of this scenario exceed 9.2e12; check prices and growth");
  }
}

void fill_sums(TenureCost& cost, const Ledger& ledger, double discount_rate, const FleetUse& use,
               const std::vector<double>& traffic) {
  cost.months = ledger.months();
  cost.total = ledger.total();
  cost.capex = cost.months.front().capex;
  const std::vector<double> discount = monthly_factors(discount_rate, static_cast<int>(cost.months.size()) - 1);
  for (std::size_t m = 0; m < cost.months.size(); ++m) {
    const MonthlyCash& cash = cost.months[m];
    if (m >= 1 && m <= kMonthsPerYear) cost.opex_first_year += cash.opex;
    cost.npv += Money::from_units((cash.capex + cash.opex - cash.residual).units() / discount[m]);
  }
  double traffic_months = 0;
  for (const double factor : traffic) traffic_months += factor;
  const auto per = [&](double per_s, double units) -> std::optional<double> {
    if (!(per_s > 0)) return std::nullopt;
    return cost.total.units() / (per_s * traffic_months * kSecondsPerMonth / units);
  };
  cost.per_million_output_tokens = per(use.output_tokens_per_s, 1e6);
  cost.per_thousand_inferences = per(use.inferences_per_s, 1e3);
}

}  // namespace

CostResult price_owned(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog) {
  check_choice(choice);
  const PreparedOwned prepared = prepare_owned(use, choice, catalog);
  if (!prepared.why_not.empty()) return {std::nullopt, prepared.why_not};
  return within_money_range([&]() -> CostResult {
    const InputValues values = prepared.inputs.middle();
    Ledger ledger(choice.horizon_months, true);
    TenureCost cost;
    const OwnedDetails details = evaluate_owned(prepared.model, values, ledger, &cost.schedule);
    cost.tenure = "owned";
    cost.currency = choice.currency;
    cost.servers = static_cast<int>(details.servers);
    cost.spare_servers = static_cast<int>(details.spares);
    cost.accelerators = static_cast<int>(details.servers * prepared.model.accelerators_per_server);
    cost.average_kw = details.it_kw * values[Input::pue];
    fill_sums(cost, ledger, values[Input::discount_rate], use, prepared.model.traffic);
    cost.lines = owned_lines(prepared, details, values, ledger, use, choice);
    cost.inputs = prepared.inputs.list();
    cost.evidence = prepared.inputs.weakest_that_matters(ledger);
    return {std::move(cost), ""};
  });
}

CostResult price_cloud(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog) {
  check_choice(choice);
  const PreparedCloud prepared = prepare_cloud(use, choice, catalog);
  if (!prepared.why_not.empty()) return {std::nullopt, prepared.why_not};
  return within_money_range([&]() -> CostResult {
    const InputValues values = prepared.inputs.middle();
    Ledger ledger(choice.horizon_months, true);
    TenureCost cost;
    evaluate_cloud(prepared.model, values, ledger, &cost.schedule);
    cost.tenure = "cloud";
    cost.currency = choice.currency;
    cost.accelerators = use.replicas * use.accelerators_per_replica;
    fill_sums(cost, ledger, values[Input::discount_rate], use, prepared.model.traffic);
    cost.lines = cloud_lines(prepared, values, ledger, use, choice);
    cost.inputs = prepared.inputs.list();
    cost.evidence = prepared.inputs.weakest_that_matters(ledger);
    return {std::move(cost), ""};
  });
}

std::optional<std::array<double, 3>> tco_range(const FleetUse& use, const data::CostChoice& choice,
                                               const data::Catalog& catalog, std::string_view tenure,
                                               std::uint64_t seed, int draws) {
  check_choice(choice);
  std::vector<double> totals;
  totals.reserve(static_cast<std::size_t>(draws));
  const auto draw_all = [&](auto prepared, auto evaluate) {
    for (int i = 0; i < draws; ++i) {
      const auto index = static_cast<std::uint64_t>(i);
      prepared.model.needed = drawn_need(use, seed, index);
      Ledger ledger(choice.horizon_months);
      evaluate(prepared.model, prepared.inputs.draw(seed, index), ledger);
      totals.push_back(ledger.total().units());
    }
  };
  within_money_range([&] {
    if (tenure == "owned") {
      const PreparedOwned prepared = prepare_owned(use, choice, catalog);
      if (prepared.why_not.empty()) draw_all(prepared, [](auto&&... all) { evaluate_owned(all...); });
    } else {
      const PreparedCloud prepared = prepare_cloud(use, choice, catalog);
      if (prepared.why_not.empty()) draw_all(prepared, [](auto&&... all) { evaluate_cloud(all...); });
    }
    return 0;
  });
  if (totals.empty()) return std::nullopt;
  std::ranges::sort(totals);
  const auto percentile = [&](double p) {
    const double at = p * static_cast<double>(totals.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, totals.size() - 1);
    return totals[below] + (totals[above] - totals[below]) * (at - static_cast<double>(below));
  };
  return std::array<double, 3>{percentile(0.1), percentile(0.5), percentile(0.9)};
}

std::optional<int> break_even_month(const TenureCost& owned, const TenureCost& cloud) {
  const std::size_t months = std::min(owned.months.size(), cloud.months.size());
  std::optional<int> since;
  Money lead;  // what owning has cost more than renting so far
  for (std::size_t m = 0; m < months; ++m) {
    const MonthlyCash &own = owned.months[m], &rent = cloud.months[m];
    lead += own.capex + own.opex - own.residual;
    lead -= rent.capex + rent.opex - rent.residual;
    if (lead > Money()) {
      since.reset();
    } else if (!since) {
      since = static_cast<int>(m);
    }
  }
  return since;
}

}  // namespace weir::sim
