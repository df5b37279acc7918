// Replicas of different kinds in one fleet.
#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;
using testing::FormulaTimer;

/// A fast replica, a step of which lasts 1 s, and a slow one of 3 s, at 100 W and 20 W when idle.
struct TwoPools {
  Experiment e;
  FormulaTimer fast, slow;

  TwoPools() {
    e.serving.max_batch = 1;
    fast.per_step_s = 1, slow.per_step_s = 3;
    fast.flops_per_step = 5e11, slow.flops_per_step = 3e11;
    PoolSpec pool{.accelerator = "fast", .kv_tokens = 1600, .timer = &fast, .speed = 3};
    pool.power = {.tdp_w = 100, .idle_w = 100};
    PoolSpec other{.accelerator = "slow", .cloud = true, .kv_tokens = 160'000, .timer = &slow, .speed = 1};
    other.accelerators_per_replica = 2;
    other.power = {.tdp_w = 20, .idle_w = 20};
    e.fleet.pools = {pool, other};
  }
};

// Loads are (requests + 1) / speed: with four at once the fast one takes the first three (1/3, 2/3, 3/3 against 1) and,
// when equals take turns, the slow one at the latest the fourth. All are done at 3 s.
TEST(Pools, LoadIsRelativeToSpeedByHand) {
  TwoPools two;
  for (int i = 0; i < 4; ++i) two.e.add(0, 10, 1);
  const RunResult r = two.e.run();
  EXPECT_DOUBLE_EQ(r.simulated_s, 3);
  ASSERT_EQ(r.pools.size(), 2u);
  EXPECT_EQ(r.replicas, 2);
  EXPECT_EQ(r.pools[0].output_tokens, 3);
  EXPECT_EQ(r.pools[1].output_tokens, 1);
  EXPECT_DOUBLE_EQ(r.pools[0].gpu_busy, 1);
  EXPECT_DOUBLE_EQ(r.pools[1].gpu_busy, 1);
  EXPECT_TRUE(r.pools[1].cloud);
  // 3 x 5e11 and 3e11 in 3 s of 1e12/s.
  EXPECT_DOUBLE_EQ(r.pools[0].mfu, 0.5);
  EXPECT_DOUBLE_EQ(r.pools[1].mfu, 0.1);
  EXPECT_DOUBLE_EQ(r.mfu, 0.3);
  EXPECT_DOUBLE_EQ(*r.pools[0].joules, 300);
  EXPECT_DOUBLE_EQ(*r.pools[1].joules, 120);
  EXPECT_DOUBLE_EQ(*r.joules, 420);
}

TEST(Pools, WithoutSpeedsTheyAreDealtAlike) {
  TwoPools two;
  two.e.serving.routing.by_speed = false;
  for (int i = 0; i < 4; ++i) two.e.add(0, 10, 1);
  const RunResult r = two.e.run();
  EXPECT_EQ(r.pools[0].output_tokens, 2);
  EXPECT_DOUBLE_EQ(r.simulated_s, 6);
}

// Each has its own cache: 2,000 tokens fit into that of the slow one alone.
TEST(Pools, EachHasItsOwnCache) {
  TwoPools two;
  two.e.serving.router = "round-robin";
  for (int i = 0; i < 6; ++i) two.e.add(10 * i, 2000, 1);
  const RunResult r = two.e.run();
  EXPECT_EQ(r.requests.completed, 3);
  EXPECT_EQ(r.requests.failed, 3);
}

// Two pools of the same replicas are one pool of both.
TEST(PoolsProperty, EqualPoolsAreOne) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Experiment e;
    RandomStream dice(seed, "pools");
    e.serving.policy = "chunked";
    e.serving.max_batch = 4;
    e.timer.per_step_s = 0.05, e.timer.per_prompt_token_s = 0.0002;
    e.fleet.replicas = 5;
    e.fleet.power = {.tdp_w = 300, .idle_w = 60};
    e.options.seed = seed;
    double at_s = 0;
    for (int i = 0; i < 500; ++i) {
      e.add(at_s += dice.exponential(0.3), 1 + static_cast<int>(dice.bits() % 300),
            1 + static_cast<int>(dice.bits() % 60));
    }
    const RunResult one = e.run();
    PoolSpec pool{.replicas = 2, .kv_tokens = e.fleet.kv_tokens, .power = e.fleet.power, .timer = &e.timer};
    e.fleet.pools = {pool, pool};
    e.fleet.pools[1].replicas = 3;
    const RunResult two = e.run();
    EXPECT_EQ(one.latency.e2e.p99, two.latency.e2e.p99);
    EXPECT_EQ(one.latency.ttft.mean, two.latency.ttft.mean);
    EXPECT_NEAR(one.gpu_busy, two.gpu_busy, 1e-12);
    EXPECT_NEAR(*one.joules / *two.joules, 1, 1e-12);
  }
}

}  // namespace
}  // namespace weir::sim
