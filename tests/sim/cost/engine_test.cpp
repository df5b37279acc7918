#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "sim/cost/closed_forms.h"
#include "sim/cost/economic_inputs.h"
#include "sim/cost/rates.h"
#include "sim/cost/readable_number.h"
#include "sim/cost/spares.h"
#include "tests/sim/cost/worked_example.h"

namespace weir::sim {
namespace {

TEST(Money, RoundsOnceAndRefusesToWrap) {
  EXPECT_EQ(Money::from_units(0.1) + Money::from_units(0.2), Money::from_units(0.3));
  EXPECT_EQ(Money::from_units(-1.0000005).micros(), -1000001);  // ties go away from zero
  EXPECT_THROW(Money::from_units(1e13), std::overflow_error);
  EXPECT_THROW(Money::from_units(std::nan("")), std::overflow_error);
  const Money most = Money::from_micros(std::numeric_limits<std::int64_t>::max());
  EXPECT_THROW(most + Money::from_micros(1), std::overflow_error);
  EXPECT_THROW(Money() - most - Money::from_micros(2), std::overflow_error);
}

RC_GTEST_PROP(Money, SumsAreExactInAnyOrder, (const std::vector<std::int32_t>& cents)) {
  Money forward, backward;
  for (auto it = cents.begin(); it != cents.end(); ++it) forward += Money::from_units(*it / 100.0);
  for (auto it = cents.rbegin(); it != cents.rend(); ++it) backward += Money::from_units(*it / 100.0);
  const std::int64_t exact = std::accumulate(cents.begin(), cents.end(), std::int64_t{0});
  RC_ASSERT(forward == backward);
  RC_ASSERT(forward.micros() == exact * 10000);
}

/// Months and lines are two views of the same amounts, to the last micro-unit, whatever the catalogue says.
RC_GTEST_PROP(CostEngine, MonthsAndLinesAddUpToTheTotal, ()) {
  FleetUse use = t4_fleet(*rc::gen::inRange(1, 40));
  use.busy_share = *rc::gen::inRange(0, 101) / 100.0;
  use.power_share_x = *rc::gen::inRange(0, 101) / 100.0;
  use.growth_per_year = *rc::gen::inRange(-50, 150) / 100.0;
  data::CostChoice choice;
  choice.horizon_months = *rc::gen::inRange(1, 80);
  for (const TenureCost& cost : {owned(use, choice), rented(use, choice)}) {
    Money months, lines;
    for (const MonthlyCash& m : cost.months) months += m.capex + m.opex - m.residual;
    for (const CostLine& l : cost.lines) lines += l.total;
    RC_ASSERT(cost.total == months);
    RC_ASSERT(cost.total == lines);
    RC_ASSERT(cost.months.size() == static_cast<std::size_t>(choice.horizon_months) + 1);
  }
}

TEST(BreakEven, ByHand) {
  // 18,000 against 4 x 365 = 1,460 a month: 12.33 months, so ahead from month 13 on.
  const FleetUse use = t4_fleet(4);
  EXPECT_EQ(break_even_month(owned(use, plain_choice(24)), rented(use, plain_choice(24))), 13);
  EXPECT_EQ(break_even_month(owned(use, plain_choice(12)), rented(use, plain_choice(12))), std::nullopt);
}

TEST(BreakEven, MustStayAhead) {
  // A new server in month 14 puts owning behind again for good.
  TenureCost own, rent;
  for (int m = 0; m <= 4; ++m) {
    own.months.push_back({m, Money::from_units(m == 0 ? 100 : m == 3 ? 500 : 0), Money(), Money()});
    rent.months.push_back({m, Money(), Money::from_units(m == 0 ? 0 : 100), Money()});
  }
  EXPECT_EQ(break_even_month(own, rent), std::nullopt);
  own.months[3].capex = Money::from_units(150);  // behind in month 3 only to draw level: 250 against 300
  EXPECT_EQ(break_even_month(own, rent), 1);
}

/// The monthly engine against payback = capex / (rent - running), where nothing grows or drifts.
RC_GTEST_PROP(BreakEven, AgreesWithTheClosedForm, ()) {
  const double price = *rc::gen::inRange(1000, 200000), internet = *rc::gen::inRange(0, 2000);
  const double hourly = *rc::gen::inRange(10, 500) / 100.0;
  data::CostChoice choice = plain_choice(120);
  choice.overrides["depreciation_years"] = 50;
  choice.overrides["server_price_usd.t4"] = price;
  choice.overrides["cloud_usd_per_hour.t4"] = hourly;
  choice.overrides["internet_usd_per_month"] = internet;
  const double months = payback_hours(price, 4 * hourly, 1, internet / kHoursPerMonth) / kHoursPerMonth;
  RC_PRE(std::abs(months - std::round(months)) > 1e-6);
  const auto found = break_even_month(owned(t4_fleet(4), choice), rented(t4_fleet(4), choice));
  if (months > 0 && months <= 120) {
    RC_ASSERT(found == static_cast<int>(std::ceil(months)));
  } else {
    RC_ASSERT(!found);
  }
}

TEST(CostEngine, UnitCostAgreesWithTheClosedForm) {
  FleetUse use = t4_fleet(4);
  use.output_tokens_per_s = 6827;
  const TenureCost cost = rented(use, plain_choice(36));
  EXPECT_NEAR(*cost.per_million_output_tokens, per_million_tokens(0.5, 4, 6827), 1e-9);
}

TEST(Spares, BinomialByHand) {
  // 1 needed, each up 99%: alone 0.99; with one spare 1 - 0.01^2 = 0.9999.
  EXPECT_EQ(spare_servers(1, 0.99, 0.99), 0);
  EXPECT_EQ(spare_servers(1, 0.99, 0.999), 1);
  // 2 needed, each up 90%: 0.81; 2 of 3: 0.9^3 + 3 x 0.9^2 x 0.1 = 0.972; 2 of 4: 0.9963.
  EXPECT_NEAR(probability_enough(2, 2, 0.9), 0.81, 1e-12);
  EXPECT_NEAR(probability_enough(2, 3, 0.9), 0.972, 1e-12);
  EXPECT_NEAR(probability_enough(2, 4, 0.9), 0.9963, 1e-12);
  EXPECT_EQ(spare_servers(2, 0.9, 0.95), 1);
  EXPECT_EQ(spare_servers(2, 0.9, 0.99), 2);
  // At least 3 of 5 coins.
  EXPECT_NEAR(probability_enough(3, 5, 0.5), 0.5, 1e-12);
  EXPECT_EQ(probability_enough(3, 2, 0.99), 0);
  EXPECT_EQ(spare_servers(5, 1.0, 0.9999), 0);
}

RC_GTEST_PROP(Spares, AreTheFewestThatReachTheTarget, ()) {
  const auto needed = *rc::gen::inRange<std::int64_t>(1, 5000);
  const double availability = 1 - *rc::gen::inRange(1, 400) / 1000.0;
  const double target = 1 - *rc::gen::inRange(1, 500) / 10000.0;
  const std::int64_t spares = spare_servers(needed, availability, target);
  RC_ASSERT(probability_enough(needed, needed + spares, availability) >= target);
  RC_ASSERT(spares == 0 || probability_enough(needed, needed + spares - 1, availability) < target);
}

TEST(Spares, StopsOfAServerByItsSize) {
  // 1.4 stops of an 8-GPU server, 0.72 of them its GPUs'; four GPUs bring half of that.
  EXPECT_NEAR(server_stops_per_year(1.4, 0.09, 8), 1.4, 1e-12);
  EXPECT_NEAR(server_stops_per_year(1.4, 0.09, 4), 0.68 + 0.36, 1e-12);
  // 1.4 stops x 24 h a year: 8760 / 8793.6.
  EXPECT_NEAR(server_availability(1.4, 24), 0.99617904, 1e-8);
}

TEST(Spares, AreBoughtAndNamedInTheFormula) {
  data::CostChoice choice = plain_choice(12);
  choice.overrides["target_availability"] = 0.999;
  choice.overrides["server_stops_per_server_year"] = 1.4;
  const TenureCost cost = owned(t4_fleet(4), choice);
  EXPECT_EQ(cost.servers, 2);
  EXPECT_EQ(cost.spare_servers, 1);
  EXPECT_NEAR(cost.capex.units(), 36000, 0.01);
}

TEST(Rates, TwelfthRoot) {
  constexpr double kUlps = 4e-16;
  EXPECT_NEAR(twelfth_root(2), 1.0594630943592953, 1.06 * kUlps);
  for (const double x : {1e-6, 0.5, 0.95, 1.0, 1.025, 1.21, 11.0}) {
    EXPECT_NEAR(twelfth_root(x) / std::pow(x, 1.0 / 12), 1, kUlps) << x;
  }
  EXPECT_EQ(monthly_factors(0.3, 24)[12], 1.3);
  EXPECT_EQ(monthly_factors(0.3, 24)[24], 1.3 * 1.3);
}

TEST(Range, IsSeededOrderedAndCollapsesWithoutUncertainty) {
  const data::Catalog& catalog = data::Catalog::builtin();
  const FleetUse use = t4_fleet(4);
  const auto range = tco_range(use, data::CostChoice{}, catalog, "owned", 1).value();
  EXPECT_LT(range[0], range[1]);
  EXPECT_LT(range[1], range[2]);
  EXPECT_EQ(range, tco_range(use, data::CostChoice{}, catalog, "owned", 1));
  EXPECT_NE(range, tco_range(use, data::CostChoice{}, catalog, "owned", 2));
  const data::CostChoice plain = plain_choice(12);
  const auto known = tco_range(use, plain, catalog, "owned", 1).value();
  EXPECT_EQ(known[0], owned(use, plain).total.units());
  EXPECT_EQ(known[2], owned(use, plain).total.units());
  // The timing's error moves the fleet's size even when every price is known.
  FleetUse uncertain = t4_fleet(100);
  uncertain.timing_relative_error = 0.3;
  const auto moved = tco_range(uncertain, plain, catalog, "cloud", 1).value();
  EXPECT_LT(moved[0], 0.85 * moved[1]);
  EXPECT_GT(moved[2], 1.2 * moved[1]);
}

TEST(Range, TrianglesHaveTheirTailsWhereTheRangeEnds) {
  // Half of the draws lie on each side of the middle; 1 in 10 of a half is beyond the end of the range, P5 or P95.
  const auto [lowest, highest] = triangle_ends(6, 10, 30);
  const double below = (6 - lowest) / (10 - lowest), above = (highest - 30) / (highest - 10);
  EXPECT_NEAR(0.5 * below * below, 0.05, 1e-12);
  EXPECT_NEAR(0.5 * above * above, 0.05, 1e-12);
}

TEST(Range, DrawsKeepTheRangesOfTheCatalogue) {
  const data::CostChoice choice;
  EconomicInputs inputs(choice, data::Catalog::builtin());
  inputs.load(Input::pue);
  inputs.load(Input::gpus_per_fte);
  inputs.load(Input::warranty_years);
  const data::RangedQuantity pue = data::Catalog::builtin().economic("pue", choice.region);
  const data::RangedQuantity warranty = data::Catalog::builtin().economic("warranty_years");
  constexpr int kDraws = 4000;
  int below = 0, under_middle = 0, above = 0;
  for (int i = 0; i < kDraws; ++i) {
    const InputValues v = inputs.draw(7, static_cast<std::uint64_t>(i));
    below += v[Input::pue] < pue.low ? 1 : 0;
    under_middle += v[Input::pue] < pue.mid ? 1 : 0;
    above += v[Input::pue] > pue.high ? 1 : 0;
    EXPECT_GE(v[Input::pue], 1);
    EXPECT_GE(v[Input::gpus_per_fte], 8);  // half of the low end, 16
    const double years = v[Input::warranty_years];
    EXPECT_TRUE(years == warranty.low || years == warranty.mid || years == warranty.high) << years;
  }
  // Four standard deviations of a binomial count: 4 sqrt(4000 x 0.05 x 0.95) = 55; for the median 4 sqrt(1000) = 126.
  EXPECT_NEAR(below, 0.05 * kDraws, 55);
  EXPECT_NEAR(above, 0.05 * kDraws, 55);
  EXPECT_NEAR(under_middle, 0.5 * kDraws, 126);
}

TEST(ReadableNumber, IsPlainAndShort) {
  EXPECT_EQ(readable_number(327500), "327,500");
  EXPECT_EQ(readable_number(1234567.4), "1,234,567");
  EXPECT_EQ(readable_number(0.083), "0.083");
  EXPECT_EQ(readable_number(1.3), "1.3");
  EXPECT_EQ(readable_number(0), "0");
  EXPECT_EQ(readable_number(-12.5), "-12.5");
  EXPECT_EQ(fixed_text(2.306, 2), "2.31");
  EXPECT_EQ(fixed_text(-0.001, 2), "0.00");
  EXPECT_EQ(signed_percent_text(-0.05), "-5%");
  EXPECT_EQ(signed_percent_text(0.4), "+40%");
}

}  // namespace
}  // namespace weir::sim
