#include <gtest/gtest.h>

#include "sim/cost/cost.h"

namespace weir::sim {
namespace {

/// Total of a rented fleet of one A100 whose traffic doubles in a year; load_factor as in FleetUse.
double rented_total(int months, double growth_per_year, std::optional<double> load_factor) {
  FleetUse use;
  use.accelerator = data::Catalog::builtin().accelerator("a100-sxm4-80gb");
  use.busy_share = 0.5;
  use.power_share_x = 0.5;
  use.output_tokens_per_s = 100;
  use.growth_per_year = growth_per_year;
  use.load_factor = load_factor;
  data::CostChoice choice;
  choice.horizon_months = months;
  return price_cloud(use, choice, data::Catalog::builtin()).cost->total.units();
}

TEST(LoadFactor, AReplicaIsAddedWhenTheGrowthHasUsedUpWhatTheFleetCarries) {
  // Month m has 2^((m-1)/12) of today's traffic: 2 in month 13, more in month 14. A replica that carries 2 x today's
  // lasts 13 months; one of which nothing is known is doubled in month 2.
  EXPECT_DOUBLE_EQ(rented_total(13, 1.0, 2.0), rented_total(13, 0.0, {}));
  const double one_more_month = rented_total(14, 0.0, {}) - rented_total(13, 0.0, {});
  EXPECT_NEAR(rented_total(14, 1.0, 2.0) - rented_total(13, 1.0, 2.0), 2 * one_more_month, 1e-2 * one_more_month);
  EXPECT_GT(rented_total(2, 1.0, {}), 1.4 * rented_total(2, 0.0, {}));
}

TEST(LoadFactor, OfOneIsTheSameAsNotKnown) { EXPECT_DOUBLE_EQ(rented_total(24, 0.3, 1.0), rented_total(24, 0.3, {})); }

}  // namespace
}  // namespace weir::sim
