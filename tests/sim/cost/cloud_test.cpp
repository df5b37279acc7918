#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/cost/worked_example.h"

namespace weir::sim {
namespace {

constexpr double kCent = 0.01;

TEST(CloudCost, RentByHand) {
  data::CostChoice choice = plain_choice(12);
  FleetUse use = t4_fleet(3);
  // 3 x 730 h x 12 x 0.5 = 13,140.
  const TenureCost plain = rented(use, choice);
  EXPECT_NEAR(plain.total.units(), 13140, kCent);
  EXPECT_EQ(plain.accelerators, 3);
  EXPECT_EQ(plain.capex, Money());
  choice.overrides["contention_jitter_share"] = 0.2;
  choice.overrides["storage_usd_per_gb_month"] = 0.1;
  choice.overrides["cloud_support_share"] = 0.1;
  choice.overrides["cloud_tax_rate"] = 0.06;
  use.stored_bytes = 16e9;
  const TenureCost full = rented(use, choice);
  // 13,140 / 0.8 = 16,425; storage 16 x 0.1 x 12 = 19.2; support 10%; tax 6% of all.
  EXPECT_NEAR(line(full, "cloud"), 16425, kCent);
  EXPECT_NEAR(line(full, "cloud_storage"), 19.2, kCent);
  EXPECT_NEAR(line(full, "cloud_support"), 1644.42, kCent);
  EXPECT_NEAR(line(full, "cloud_tax"), 1085.3172, kCent);
  EXPECT_NEAR(full.total.units(), 16444.2 * 1.1 * 1.06, kCent);
  EXPECT_THAT(full.lines.front().formula, testing::HasSubstr("always on at fleet size"));
}

TEST(CloudCost, TheFleetFollowsTrafficBothWays) {
  FleetUse use = t4_fleet(4);
  use.growth_per_year = 1.0;
  const TenureCost up = rented(use, plain_choice(13));
  EXPECT_NEAR(up.months[1].opex.units(), 4 * 365, kCent);
  EXPECT_NEAR(up.months[2].opex.units(), 5 * 365, kCent);
  EXPECT_NEAR(up.months[13].opex.units(), 8 * 365, kCent);
  use.growth_per_year = -0.5;
  const TenureCost down = rented(use, plain_choice(13));
  EXPECT_NEAR(down.months[13].opex.units(), 2 * 365, kCent);
  // Owned servers are not given back when traffic falls.
  EXPECT_EQ(owned(use, plain_choice(13)).months[13].capex, Money());
}

TEST(CloudCost, AReservedPriceChangesOnlyAtRenewal) {
  data::CostChoice choice = plain_choice(25);
  choice.overrides["cloud_price_drift"] = -0.5;
  choice.cloud_term = "reserved-1y";
  const TenureCost cost = rented(t4_fleet(1), choice);
  for (int month = 1; month <= 25; ++month) {
    const double price = month <= 12 ? 0.5 : month <= 24 ? 0.25 : 0.125;
    EXPECT_NEAR(cost.months[static_cast<std::size_t>(month)].opex.units(), price * 730, kCent) << month;
  }
  choice.cloud_term = "on-demand";
  EXPECT_NEAR(rented(t4_fleet(1), choice).months[7].opex.units(), std::sqrt(0.5) * 0.5 * 730, kCent);
}

TEST(CloudCost, NetPresentValueIsTheGeometricSum) {
  data::CostChoice choice = plain_choice(24);
  choice.discount_rate = 0.21;
  const TenureCost cost = rented(t4_fleet(1), choice);
  const double q = std::pow(1.21, -1.0 / 12);
  EXPECT_NEAR(cost.npv.units(), 365 * q * (1 - std::pow(q, 24)) / (1 - q), kCent);
  choice.discount_rate = 0;
  EXPECT_EQ(rented(t4_fleet(1), choice).npv, rented(t4_fleet(1), choice).total);
}

TEST(CloudCost, AnUnknownPriceSaysWhatToDo) {
  FleetUse use = t4_fleet(1);
  use.accelerator.id = "this-machine";
  const CostResult unpriced = price_cloud(use, data::CostChoice{}, data::Catalog::builtin());
  EXPECT_FALSE(unpriced.cost);
  EXPECT_THAT(unpriced.why_not, testing::HasSubstr("cloud_usd_per_hour.this-machine"));
}

}  // namespace
}  // namespace weir::sim
