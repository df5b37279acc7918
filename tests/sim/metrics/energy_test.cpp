#include "sim/metrics/energy.h"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

/// 100 flop/s and 10 byte/s at most; a token takes 4 flop, a cached token that is read 1 byte.
class PlainTimer final : public StepTimer {
 public:
  Time iteration(const IterationShape&) const override { return Time::from_seconds(1); }
  Time batch(std::int64_t, std::int64_t) const override { return Time::from_seconds(1); }
  WorkRates work_rates() const override { return {.flops_per_token = 4, .bytes_per_context_token = 1}; }
  double peak_flops_per_s() const override { return 100; }
  double peak_bytes_per_s() const override { return bytes_per_s; }
  double relative_error() const override { return 0; }
  std::vector<EvidenceNote> evidence() const override { return {}; }
  double bytes_per_s = 10;
};

FleetWork work(double seconds, std::int64_t tokens, std::int64_t context) {
  FleetWork w;
  w.steps = 1;
  w.ticks = Time::from_seconds(seconds).ticks();
  w.tokens = tokens;
  w.context = context;
  return w;
}

// 2 s with 20 tokens: 80 flop of 200, a share of 0.4; 4 s with 30 bytes of 40: 0.75. At a = 0.5, b = 0.4 that is
// 2 x 0.66 + 4 x 0.8 = 4.52 s at full power.
TEST(Energy, TakesTheLargerShareOctaveByOctave) {
  PlainTimer timer;
  FleetTotals totals;
  totals.work[5] = work(2, 20, 0);
  totals.work[1] = work(4, 1, 30);
  EXPECT_NEAR(busy_power_share_seconds(totals, timer, 0.5, 0.4), 4.52, 1e-12);
  // Without a known bandwidth the second counts its 4 flop of 400: 2 x 0.66 + 4 x 0.504.
  timer.bytes_per_s = 0;
  EXPECT_NEAR(busy_power_share_seconds(totals, timer, 0.5, 0.4), 3.336, 1e-12);
}

TEST(Energy, PowerStaysBetweenAFifthAndAllOfTdp) {
  const PlainTimer timer;
  FleetTotals totals;
  totals.work[1] = work(3, 0, 0);
  EXPECT_NEAR(busy_power_share_seconds(totals, timer, 0.1, 1), 0.6, 1e-12);
  totals.work[1] = work(3, 75, 0);
  EXPECT_NEAR(busy_power_share_seconds(totals, timer, 0.5, 0.9), 3, 1e-12);
  EXPECT_EQ(busy_power_share_seconds(FleetTotals(), timer, 0.5, 0.9), 0);
}

}  // namespace
}  // namespace weir::sim
