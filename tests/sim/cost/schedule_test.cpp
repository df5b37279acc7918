#include <gtest/gtest.h>

#include "tests/sim/cost/worked_example.h"

namespace weir::sim {
namespace {

TEST(FleetSchedule, ServersAreBoughtReplacedAndSoldByHand) {
  data::CostChoice choice = plain_choice(36);
  choice.overrides["depreciation_years"] = 2;
  choice.overrides["warranty_years"] = 1;
  FleetUse use = t4_fleet(4);
  use.growth_per_year = 1;  // 4 T4 today, 8 after a year, 16 after two: 1, 2, then 4 servers of four
  const FleetSchedule schedule = owned(use, choice).schedule;
  ASSERT_EQ(schedule.months.size(), 36U);
  EXPECT_EQ(schedule.accelerators_per_server, 4);
  EXPECT_TRUE(schedule.accelerators_resold);
  EXPECT_EQ(schedule.months[0].servers_bought, 1);
  // 4 x 2^(1/12) = 4.24 accelerators in month 2: a second server.
  EXPECT_EQ(schedule.months[1].servers, 2);
  EXPECT_EQ(schedule.months[1].servers_bought, 1);
  EXPECT_EQ(schedule.months[12].servers, 2);  // 8.0 after a year, still two
  EXPECT_EQ(schedule.months[12].traffic, 2);
  EXPECT_EQ(schedule.months[13].servers, 3);
  EXPECT_EQ(schedule.months[13].out_of_warranty, 8);  // both older servers have seen their 13th month
  EXPECT_EQ(schedule.months[12].out_of_warranty, 4);
  // The first server is two years old when month 25 begins.
  ASSERT_FALSE(schedule.lots.empty());
  EXPECT_EQ(schedule.lots[0].paid_month, 0);
  EXPECT_EQ(schedule.lots[0].sold_month, 25);
  EXPECT_EQ(schedule.lots[0].age_months, 24);
  EXPECT_EQ(schedule.lots[1].paid_month, 2);
  EXPECT_EQ(schedule.lots[1].sold_month, 26);
}

TEST(FleetSchedule, EveryServerBoughtIsSold) {
  data::CostChoice choice = plain_choice(50);
  choice.overrides["depreciation_years"] = 1;
  FleetUse use = t4_fleet(7);
  use.growth_per_year = 0.4;
  const FleetSchedule schedule = owned(use, choice).schedule;
  double bought = 0, sold = 0;
  for (const FleetMonth& month : schedule.months) bought += month.servers_bought;
  for (const ServerLot& lot : schedule.lots) {
    sold += lot.servers;
    EXPECT_LE(lot.age_months, 12);
    EXPECT_LE(lot.sold_month, 50);
  }
  EXPECT_EQ(bought, sold);
}

TEST(FleetSchedule, RentedPriceIsAgreedAgainWhenTheTermEnds) {
  data::CostChoice choice = plain_choice(30);
  choice.cloud_term = "reserved-1y";
  const FleetSchedule schedule = rented(t4_fleet(3), choice).schedule;
  ASSERT_EQ(schedule.months.size(), 30U);
  EXPECT_EQ(schedule.months[11].signed_month, 1);
  EXPECT_EQ(schedule.months[12].signed_month, 13);
  EXPECT_EQ(schedule.months[29].signed_month, 25);
  EXPECT_EQ(schedule.months[0].accelerators, 3);
}

TEST(FleetSchedule, LinesByMonthAddUpToTheLineAndToTheMonth) {
  data::CostChoice choice;
  choice.horizon_months = 40;
  FleetUse use = t4_fleet(9);
  use.growth_per_year = 0.3;
  for (const TenureCost& cost : {owned(use, choice), rented(use, choice)}) {
    std::vector<Money> months(41);
    for (const CostLine& line : cost.lines) {
      ASSERT_EQ(line.by_month.size(), 41U) << line.key;
      Money sum;
      for (std::size_t m = 0; m < months.size(); ++m) {
        sum += line.by_month[m];
        months[m] += line.by_month[m];
      }
      EXPECT_EQ(sum, line.total) << line.key;
    }
    for (const MonthlyCash& month : cost.months) {
      EXPECT_EQ(months[static_cast<std::size_t>(month.month)], month.capex + month.opex - month.residual);
    }
  }
}

}  // namespace
}  // namespace weir::sim
