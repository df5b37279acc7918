// Clients that wait for the answers of a simulated fleet.
#include <gtest/gtest.h>

#include <map>

#include "sim/workload/drawn_source.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

Time s(double seconds) { return Time::from_seconds(seconds); }

DrawnClass loop(int clients, const data::DurationDistribution& think, int requests_per_client) {
  DrawnClass drawn{.name = "all", .arrivals = {.process = "closed-loop"}};
  drawn.input_tokens = data::LengthDistribution{"fixed", 10};
  drawn.arrivals.closed_loop =
      data::ClosedLoop{.clients = clients, .think = think, .ramp_s = 0, .requests_per_client = requests_per_client};
  return drawn;
}

RunResult run(const Experiment& e, const DrawnClass& drawn, double horizon_s) {
  DrawnSource source({drawn}, s(horizon_s), 5);
  return simulate(e.workload, e.serving, source, e.fleet, e.timer, e.options);
}

// One at a time, 1 s for each answer of one token; two clients think 2 s. They are served in [0, 1) and [1, 2), ask
// again at 3 and 4, 6 and 7: of six requests the second alone waits, 1 s. The last leaves at 8 s.
TEST(ClosedLoopFleet, ByHand) {
  Experiment e;
  e.timer.per_step_s = 1;
  e.serving.max_batch = 1;
  DrawnClass drawn = loop(2, {"fixed", 2}, 3);
  drawn.output_tokens = data::LengthDistribution{"fixed", 1};
  const RunResult result = run(e, drawn, 1000);
  EXPECT_EQ(result.requests.offered, 6);
  EXPECT_EQ(result.requests.completed, 6);
  EXPECT_DOUBLE_EQ(result.latency.e2e.mean, 7.0 / 6);
}

// The machine repairman of ClosedLoop.IsTheMachineRepairman on the whole simulator: answers have a geometric number of
// tokens of mean 1,000, each a step of 1 ms, one at a time. 8 clients think 5 s: answers take 3.60258 s.
TEST(ClosedLoopFleet, IsTheMachineRepairman) {
  Experiment e;
  e.timer.per_step_s = 0.001;
  e.serving.max_batch = 1;
  DrawnClass drawn = loop(8, {"exponential", 5}, 1'000'000);
  drawn.output_tokens = data::LengthDistribution{"geometric", 1000};
  const RunResult result = run(e, drawn, 200'000);
  EXPECT_NEAR(static_cast<double>(result.requests.completed) / 200'000, 0.929953, 0.007);
  EXPECT_NEAR(result.latency.e2e.mean, 3.60258, 0.04);
}

// More replicas never slow clients down; with as many as clients nobody waits.
TEST(ClosedLoopFleet, MoreReplicasServeMore) {
  double before = 0;
  for (const int replicas : {1, 2, 8}) {
    Experiment e;
    e.timer.per_step_s = 0.01;
    e.serving.max_batch = 1;
    e.fleet.replicas = replicas;
    DrawnClass drawn = loop(8, {"exponential", 1}, 1'000'000);
    drawn.output_tokens = data::LengthDistribution{"geometric", 100};
    const auto served = static_cast<double>(run(e, drawn, 2000).requests.completed);
    EXPECT_GT(served, before);
    before = served;
  }
  EXPECT_NEAR(before, 8 * 2000 / 2.0, 8 * 30);  // think 1 s, served 1 s
}

// A conversation of four turns: 64 new tokens and 32 written a turn, so inputs of 64, 160, 256, 352. A prefix cache of
// 16-token blocks finds what was written before, all but the last token written, which is never read: 80, 176, 272.
TEST(ConversationsFleet, FindWhatTheyWrote) {
  Experiment e;
  e.timer.per_step_s = 0.001;
  e.timer.per_prompt_token_s = 0.001;
  e.serving.prefix_cache = true;
  DrawnClass drawn = loop(1, {"fixed", 1}, 4);
  drawn.input_tokens = data::LengthDistribution{"fixed", 64};
  drawn.output_tokens = data::LengthDistribution{"fixed", 32};
  drawn.sessions = data::Sessions{.turns = {"fixed", 4}, .think = {"fixed", 2}};
  const RunResult result = run(e, drawn, 1000);
  EXPECT_EQ(result.requests.completed, 4);
  ASSERT_TRUE(result.prefix_cache_hit_rate.has_value());
  EXPECT_DOUBLE_EQ(*result.prefix_cache_hit_rate, (80.0 + 176 + 272) / (64 + 160 + 256 + 352));
  e.serving.prefix_cache = false;
  EXPECT_GT(run(e, drawn, 1000).latency.e2e.mean, result.latency.e2e.mean);
}

}  // namespace
}  // namespace weir::sim
