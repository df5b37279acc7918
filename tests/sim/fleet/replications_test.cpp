#include "sim/fleet/replications.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

const ReplicatedValue* find(const Replications& all, const std::string& name) {
  const auto found =
      std::find_if(all.values.begin(), all.values.end(), [&](const ReplicatedValue& v) { return v.name == name; });
  return found == all.values.end() ? nullptr : &*found;
}

/// A run whose busy share is its seed in hundredths; odd seeds have a TPOT of twice that and miss their targets.
RunResult plain_run(std::uint64_t seed, const data::Progress&) {
  RunResult r;
  r.seed = seed;
  r.gpu_busy = static_cast<double>(seed) / 100;
  r.slo.met = seed % 2 == 0;
  if (seed % 2 == 1) r.latency.tpot.n = 1, r.latency.tpot.p99 = 2 * r.gpu_busy;
  return r;
}

// Seeds 10, 11, 12, 13: mean 0.115, variance 0.0001 x (2.25 + 0.25 + 0.25 + 2.25) / 3, t(0.995, 3) = 5.840909.
TEST(Replications, MeanAndIntervalOverSeeds) {
  const ReplicatedRun run = replicate(10, 4, 2, {}, plain_run);
  EXPECT_EQ(run.first.seed, 10u);
  EXPECT_EQ(run.replications.seeds, (std::vector<std::uint64_t>{10, 11, 12, 13}));
  EXPECT_EQ(run.replications.targets_met, 2);
  const ReplicatedValue* busy = find(run.replications, "utilisation.gpu_busy");
  ASSERT_NE(busy, nullptr);
  EXPECT_EQ(busy->n, 4);
  EXPECT_DOUBLE_EQ(busy->mean, 0.115);
  EXPECT_EQ(busy->min, 0.10);
  EXPECT_EQ(busy->max, 0.13);
  EXPECT_NEAR(busy->half_width_99.value(), 5.840909 * std::sqrt(0.0005 / 3 / 4), 1e-8);
}

TEST(Replications, ANumberThatSomeRunsLackIsOverTheOthers) {
  const ReplicatedRun run = replicate(10, 4, 1, {}, plain_run);
  const ReplicatedValue* tpot = find(run.replications, "latency_s.tpot.p99");
  ASSERT_NE(tpot, nullptr);
  EXPECT_EQ(tpot->n, 2);
  EXPECT_DOUBLE_EQ(tpot->mean, 0.24);
  EXPECT_EQ(find(run.replications, "latency_s.ttft.p99"), nullptr);
  EXPECT_EQ(find(run.replications, "slo.attainment"), nullptr);
}

// 0.1 + 0.1 + 0.1 is not 0.3 in doubles: runs that do not differ must not look as if they did.
TEST(Replications, EqualRunsAreExactlySure) {
  const ReplicatedRun run = replicate(1, 3, 1, {}, [](std::uint64_t, const data::Progress&) {
    RunResult r;
    r.gpu_busy = 0.1;
    return r;
  });
  EXPECT_EQ(find(run.replications, "utilisation.gpu_busy")->mean, 0.1);
  EXPECT_EQ(find(run.replications, "utilisation.gpu_busy")->half_width_99, 0.0);
}

TEST(Replications, OneRunHasNoInterval) {
  const ReplicatedRun run = replicate(3, 1, 8, {}, plain_run);
  EXPECT_FALSE(find(run.replications, "utilisation.gpu_busy")->half_width_99.has_value());
}

TEST(Replications, ThreadsDoNotChangeTheResult) {
  const auto bits = [](int threads) {
    const ReplicatedRun run = replicate(1, 37, threads, {}, plain_run);
    std::vector<double> all;
    for (const ReplicatedValue& v : run.replications.values) {
      all.insert(all.end(), {v.mean, v.min, v.max, v.half_width_99.value()});
    }
    return all;
  };
  EXPECT_EQ(bits(1), bits(7));
}

// The same with real runs, which the thread sanitizer watches.
TEST(Replications, RunsOnSeveralThreadsAreThoseOnOne) {
  const auto busy_shares = [](int threads) {
    const ReplicatedRun run = replicate(1, 6, threads, {}, [](std::uint64_t seed, const data::Progress&) {
      testing::Experiment s;
      s.timer.per_step_s = 0.01;
      s.options.seed = seed;
      s.fleet.replicas = 2;
      RandomStream random(seed, "load");
      double at_s = 0;
      for (int i = 0; i < 500; ++i) {
        at_s += random.exponential(0.03);
        s.add(at_s, 100, 1 + static_cast<int>(random.exponential(30)));
      }
      return s.run();
    });
    std::vector<double> all;
    for (const ReplicatedValue& v : run.replications.values) all.insert(all.end(), {v.mean, v.min, v.max});
    return all;
  };
  const std::vector<double> alone = busy_shares(1);
  EXPECT_GT(alone.size(), 20u);
  EXPECT_EQ(busy_shares(4), alone);
}

TEST(Replications, ErrorsAndCancellingComeThrough) {
  EXPECT_THROW(replicate(1, 5, 2, {},
                         [](std::uint64_t, const data::Progress&) -> RunResult {
                           throw data::InputError("scenario", "/x", "1", "bad");
                         }),
               data::InputError);
  EXPECT_THROW(replicate(
                   1, 5, 2, [](double, std::string_view) { return false; }, plain_run),
               data::Cancelled);
  EXPECT_THROW(replicate(1, 0, 2, {}, plain_run), std::logic_error);
}

}  // namespace
}  // namespace weir::sim
