#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/sim/cost/worked_example.h"

namespace weir::sim {
namespace {

constexpr double kCent = 0.01;

TEST(OwnedCost, CapexOfWholeServersByHand) {
  data::CostChoice choice = plain_choice(12);
  choice.overrides["purchase_discount"] = 0.05;
  choice.overrides["network_share_of_server_capex"] = 0.10;
  choice.overrides["storage_share_of_server_capex"] = 0.02;
  choice.overrides["rack_setup_per_server_usd"] = 1000;
  choice.overrides["spare_stock_share_of_capex"] = 0.01;
  choice.overrides["unrecovered_tax_rate"] = 0.05;
  // 6 T4 in servers of 4: 2 servers. One: 18,000 x 0.95 = 17,100; network 1,710; storage 342; rack 1,000;
  // spare stock (17,100 + 1,710 + 342) x 0.01 = 191.52; tax 0.05 x 20,343.52 = 1,017.176.
  const TenureCost cost = owned(t4_fleet(6), choice);
  EXPECT_EQ(cost.servers, 2);
  EXPECT_EQ(cost.spare_servers, 0);
  EXPECT_EQ(cost.accelerators, 8);
  EXPECT_NEAR(line(cost, "server"), 34200, kCent);
  EXPECT_NEAR(line(cost, "network"), 3420, kCent);
  EXPECT_NEAR(line(cost, "storage"), 684, kCent);
  EXPECT_NEAR(line(cost, "rack_setup"), 2000, kCent);
  EXPECT_NEAR(line(cost, "spare_stock"), 383.04, kCent);
  EXPECT_NEAR(line(cost, "purchase_tax"), 2034.352, kCent);
  EXPECT_NEAR(cost.capex.units(), 42721.392, kCent);
  EXPECT_NEAR(cost.total.units(), 42721.392, kCent);
}

TEST(OwnedCost, EnergyFollowsTheMeasuredPowerCurveNotUtilisation) {
  data::CostChoice choice = plain_choice(12);
  choice.overrides["pue"] = 1.5;
  choice.overrides["electricity_usd_per_kwh"] = 0.1;
  choice.overrides["demand_charge_usd_per_kw_month"] = 10;
  choice.overrides["colo_usd_per_kw_month"] = 100;
  FleetUse use = t4_fleet(6);
  use.busy_share = 0.5;
  use.power_share_x = 0.5;
  const TenureCost cost = owned(use, choice);
  // Busy: 70 W x (0.6 + 0.3 x 0.5) = 52.5 W. 3 of the 8 installed are busy on average, 5 idle at 10 W, hosts 2 x 0.3
  // kW: 0.6 + 0.1575 + 0.05 = 0.8075 kW; x 1.5 x 730 h x 0.1 x 12 months = 1,061.055.
  EXPECT_NEAR(line(cost, "energy"), 1061.055, kCent);
  EXPECT_NEAR(cost.average_kw, 0.8075 * 1.5, 1e-9);
  // Peak: 6 busy, 2 idle: 0.6 + 0.315 + 0.02 = 0.935 kW x 1.5 x 10 x 12 = 168.3.
  EXPECT_NEAR(line(cost, "demand_charge"), 168.3, kCent);
  // Contract: hosts and nameplate: 0.6 + 8 x 0.07 = 1.16 kW x 100 x 12 = 1,392.
  EXPECT_NEAR(line(cost, "colocation"), 1392, kCent);
}

TEST(OwnedCost, PowerIsClippedAtBothEnds) {
  data::CostChoice choice = plain_choice(1);
  choice.overrides["electricity_usd_per_kwh"] = 1;
  FleetUse use = t4_fleet(4);
  use.busy_share = 1;
  choice.overrides["gpu_power_a"] = 0.05;
  // clip(0.05, 0.2, 1) = 0.2: 0.3 + 4 x 0.014 = 0.356 kW x 730 h.
  EXPECT_NEAR(line(owned(use, choice), "energy"), 0.356 * 730, kCent);
  choice.overrides["gpu_power_a"] = 1;
  use.power_share_x = 1;
  // clip(1.3) = 1: 0.3 + 4 x 0.07 = 0.58 kW.
  EXPECT_NEAR(line(owned(use, choice), "energy"), 0.58 * 730, kCent);
}

TEST(OwnedCost, YearlyCostsWithInflationByHand) {
  data::CostChoice choice = plain_choice(24);
  choice.overrides["maintenance_share_of_capex_per_year"] = 0.08;
  choice.overrides["insurance_share_of_capex_per_year"] = 0.01;
  choice.overrides["engineer_usd_per_year"] = 100000;
  choice.overrides["min_fte"] = 0.25;
  choice.overrides["software_usd_per_gpu_year"] = 300;
  choice.overrides["internet_usd_per_month"] = 50;
  const TenureCost cost = owned(t4_fleet(4), choice);
  EXPECT_NEAR(line(cost, "maintenance"), 2 * 18000 * 0.08, kCent);
  EXPECT_NEAR(line(cost, "insurance"), 2 * 18000 * 0.01, kCent);
  EXPECT_NEAR(line(cost, "staff"), 2 * 0.25 * 100000, kCent);  // 4 / 50 = 0.08 FTE is below the floor
  EXPECT_NEAR(line(cost, "software"), 2 * 4 * 300, kCent);
  EXPECT_NEAR(line(cost, "internet"), 24 * 50, kCent);
  EXPECT_NEAR(cost.opex_first_year.units() * 2, cost.total.units() - 18000, kCent);
  // 21% a year: the second year costs 1.21 times the first, month by month.
  choice.overrides["inflation"] = 0.21;
  const TenureCost inflated = owned(t4_fleet(4), choice);
  const double first = inflated.opex_first_year.units();
  EXPECT_NEAR(inflated.total.units() - 18000 - first, 1.21 * first, kCent);
}

TEST(OwnedCost, ResidualAndPartsByHand) {
  data::CostChoice choice = plain_choice(18);
  choice.overrides["residual_share_year_1"] = 0.6;
  choice.overrides["residual_share_year_2"] = 0.4;
  choice.overrides["residual_share_non_gpu"] = 0.1;
  choice.overrides["disposal_share_of_capex"] = 0.01;
  choice.overrides["warranty_years"] = 1;
  choice.overrides["replaced_parts_per_gpu_year"] = 0.06;
  const TenureCost cost = owned(t4_fleet(4), choice);
  // 18,000 - 10,000 of chassis = 8,000 of accelerators, worth 0.5 after 18 months; the rest 0.1: 4,000 + 1,000.
  EXPECT_NEAR(line(cost, "residual"), -5000, kCent);
  EXPECT_NEAR(line(cost, "disposal"), 180, kCent);
  EXPECT_NEAR(cost.months.back().residual.units(), 4820, kCent);
  // Months 13 to 18 are out of warranty: 4 x 0.06 / 12 x 6 x 2,000 an accelerator.
  EXPECT_NEAR(line(cost, "parts"), 240, kCent);
}

TEST(OwnedCost, ServersAreBoughtInTheMonthTheyAreNeeded) {
  FleetUse use = t4_fleet(4);
  use.growth_per_year = 1.0;
  const TenureCost cost = owned(use, plain_choice(24));
  // Replicas 4 x 2^((m-1)/12): 4 in month 1, 5 from month 2, exactly 8 in month 13, 9 from month 14, 13 from month
  // 21 (4 x 2^(20/12) = 12.7); 4 fit a server.
  for (const MonthlyCash& month : cost.months) {
    const bool buys = month.month == 0 || month.month == 2 || month.month == 14 || month.month == 21;
    EXPECT_NEAR(month.capex.units(), buys ? 18000 : 0, kCent) << "month " << month.month;
  }
  EXPECT_EQ(cost.servers, 1);
  EXPECT_NEAR(cost.capex.units(), 18000, kCent);
}

TEST(OwnedCost, ServersAreReplacedAtTheEndOfTheirLife) {
  data::CostChoice choice = plain_choice(24);
  choice.overrides["depreciation_years"] = 1;
  choice.overrides["residual_share_non_gpu"] = 0.1;
  const TenureCost cost = owned(t4_fleet(4), choice);
  EXPECT_NEAR(cost.months[0].capex.units(), 18000, kCent);
  EXPECT_NEAR(cost.months[13].capex.units(), 18000, kCent);
  EXPECT_NEAR(cost.months[13].residual.units(), 1000, kCent);
  EXPECT_NEAR(cost.months[24].residual.units(), 1000, kCent);
}

TEST(OwnedCost, ATensorParallelGroupStaysInOneServer) {
  FleetUse use = t4_fleet(3);
  use.accelerators_per_replica = 3;  // one group of 3 in a server of 4
  EXPECT_EQ(owned(use, plain_choice(12)).servers, 3);
  use.accelerators_per_replica = 2;  // two groups of 2
  EXPECT_EQ(owned(use, plain_choice(12)).servers, 2);
}

TEST(OwnedCost, UnitCostCountsTokensServedAsTrafficGrows) {
  FleetUse use = t4_fleet(4);
  use.output_tokens_per_s = 100;
  const double tokens = 100.0 * 730 * 3600 * 12;
  EXPECT_NEAR(*owned(use, plain_choice(12)).per_million_output_tokens, 18000 / (tokens / 1e6), 1e-9);
  EXPECT_FALSE(owned(use, plain_choice(12)).per_thousand_inferences);
  use.output_tokens_per_s = 0;
  EXPECT_FALSE(owned(use, plain_choice(12)).per_million_output_tokens);
  use.inferences_per_s = 10;
  EXPECT_NEAR(*owned(use, plain_choice(12)).per_thousand_inferences, 18000 / (tokens / 10 / 1e3), 1e-9);
}

TEST(OwnedCost, AmountsAreInTheChosenCurrency) {
  data::CostChoice choice = plain_choice(12);
  choice.currency = "CNY";
  const double rate = data::Catalog::builtin().convert(1, "USD", "CNY");
  const TenureCost cost = owned(t4_fleet(4), choice);
  EXPECT_EQ(cost.currency, "CNY");
  EXPECT_NEAR(cost.capex.units(), 18000 * rate, kCent);
  EXPECT_THAT(cost.lines.front().formula, testing::HasSubstr("CNY"));
}

TEST(OwnedCost, AnUnknownPriceIsAnAnswerThatSaysWhatToDo) {
  FleetUse use = t4_fleet(1);
  use.accelerator.id = "this-machine";
  use.accelerator.name = "This machine";
  data::CostChoice choice;
  const CostResult unpriced = price_owned(use, choice, data::Catalog::builtin());
  EXPECT_FALSE(unpriced.cost);
  EXPECT_THAT(unpriced.why_not, testing::HasSubstr("server_price_usd.this-machine"));
  EXPECT_FALSE(tco_range(use, choice, data::Catalog::builtin(), "owned", 1));
  choice.overrides["server_price_usd.this-machine"] = 4000;
  EXPECT_TRUE(price_owned(use, choice, data::Catalog::builtin()).cost);
}

TEST(OwnedCost, RefusesOverridesThatCannotBe) {
  const auto with = [](const std::string& key, double value) {
    data::CostChoice choice;
    choice.overrides[key] = value;
    return price_owned(t4_fleet(1), choice, data::Catalog::builtin());
  };
  EXPECT_THROW(with("server_price_usd.t4", -1), data::InputError);
  EXPECT_THROW(with("electricity_usd_per_kwh", -0.1), data::InputError);
  EXPECT_THROW(with("pue", 0.5), data::InputError);
  EXPECT_THROW(with("electricity_usd_per_kw", 0.1), data::InputError);
  EXPECT_THROW(with("server_price_usd.t44", 10), data::InputError);
  EXPECT_NO_THROW(with("electricity_usd_per_kwh", 0.2));
  // Amounts beyond what can be counted are an error of the input, not a wrapped number.
  data::CostChoice dear;
  dear.overrides["server_price_usd.t4"] = 1e12;
  EXPECT_THROW(price_owned(t4_fleet(100), dear, data::Catalog::builtin()), data::InputError);
  EXPECT_THROW(tco_range(t4_fleet(100), dear, data::Catalog::builtin(), "owned", 1), data::InputError);
  FleetUse explosive = t4_fleet(1);
  explosive.growth_per_year = 1e6;
  EXPECT_THROW(price_cloud(explosive, data::CostChoice{}, data::Catalog::builtin()), data::InputError);
}

TEST(OwnedCost, ListsEveryInputWithItsSource) {
  data::CostChoice choice;
  choice.overrides["pue"] = 1.25;
  const TenureCost cost = owned(t4_fleet(4), choice);
  bool found = false;
  for (const CostInput& input : cost.inputs) {
    EXPECT_FALSE(input.value.source.empty()) << input.key;
    EXPECT_LE(input.value.low, input.value.mid) << input.key;
    EXPECT_GE(input.value.high, input.value.mid) << input.key;
    if (input.key != "pue") continue;
    found = true;
    EXPECT_TRUE(input.overridden);
    EXPECT_EQ(input.value.mid, 1.25);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace weir::sim
