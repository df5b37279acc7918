// Noisy neighbours.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

/// Slows the first replica down as told.
class Script final : public FleetProcess {
 public:
  explicit Script(std::vector<std::pair<double, double>> changes) : changes_(std::move(changes)) {}
  void begin(FleetHandle& fleet, Time) override { fleet_ = &fleet; }
  Time next_event() const override {
    return next_ < changes_.size() ? Time::from_seconds(changes_[next_].first) : Time::never();
  }
  void act(Time now) override { fleet_->slow(0, changes_[next_++].second, now); }
  bool background() const override { return true; }

 private:
  std::vector<std::pair<double, double>> changes_;  ///< when, factor
  std::size_t next_ = 0;
  FleetHandle* fleet_ = nullptr;
};

// Steps of 1 s. Three times as slow from 2.5 to 8: the step of [2, 3) keeps its pace, then [3, 6), [6, 9), and five at
// full speed: 14 s.
TEST(Contention, StepsThatBeginInASlowSpellByHand) {
  for (const Stepping stepping : {Stepping::fast_forward, Stepping::jumps, Stepping::step_by_step}) {
    Experiment e;
    e.timer.per_step_s = 1;
    e.add(0, 10, 10);
    Script script({{2.5, 3}, {8, 1}});
    FleetProcess* const processes[] = {&script};
    e.options.processes = processes;
    e.options.stepping = stepping;
    EXPECT_DOUBLE_EQ(e.run().simulated_s, 14);
  }
}

// A change at the very moment at which a step begins is seen by the one after it.
TEST(Contention, AChangeBetweenTwoStepsByHand) {
  for (const Stepping stepping : {Stepping::jumps, Stepping::step_by_step}) {
    Experiment e;
    e.timer.per_step_s = 1;
    e.add(0, 10, 10);
    Script script({{2, 3}, {5.5, 1}});  // [2, 3), [3, 6), then six at full speed
    FleetProcess* const processes[] = {&script};
    e.options.processes = processes;
    e.options.stepping = stepping;
    EXPECT_DOUBLE_EQ(e.run().simulated_s, 12);
  }
}

// Work goes on at speed 1 for 0.7 of the time and at 1/2 for 0.3, 0.85 in the mean: 100 s of work last 117.6 s.
TEST(Contention, MeanSlowdown) {
  double sum_s = 0;
  constexpr int kSeeds = 40;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Experiment e;
    e.timer.per_step_s = 0.01;
    e.fleet.conduct.contention = data::Contention{.share_of_time = 0.3, .slowdown = 2, .mean_s = 1};
    e.options.seed = static_cast<std::uint64_t>(seed);
    e.add(0, 10, 40'000);
    sum_s += e.run().simulated_s;
  }
  EXPECT_NEAR(sum_s / kSeeds, 400 / 0.85, 400 / 0.85 * 0.01);
}

// One server, first come, first served: each request starts and ends no earlier than without.
TEST(ContentionProperty, NeverServesAnybodySooner) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Experiment e(data::WorkloadKind::one_shot);
    RandomStream dice(seed, "contention test");
    e.serving.max_batch = 1;
    e.serving.max_delay_s = 0;
    e.timer.per_prompt_token_s = 0.001;
    e.options.seed = seed;
    double at_s = 0;
    for (int i = 0; i < 2000; ++i) e.add(at_s += dice.exponential(0.3), 1 + static_cast<int>(dice.exponential(200)), 0);
    testing::KeepRecords quiet, noisy;
    e.options.sink = &quiet;
    const RunResult before = e.run();
    e.fleet.conduct.contention = data::Contention{.share_of_time = 0.2, .slowdown = 1.5, .mean_s = 2};
    e.options.sink = &noisy;
    const RunResult after = e.run();
    EXPECT_GT(after.latency.e2e.p99, before.latency.e2e.p99);
    for (std::size_t i = 0; i < 2000; ++i) ASSERT_GE(noisy.records[i]->done, quiet.records[i]->done);
    e.fleet.conduct.contention->slowdown = 1;
    e.options.sink = nullptr;
    EXPECT_EQ(testing::fingerprint(e.run()), testing::fingerprint(before));
  }
}

TEST(ContentionProperty, JumpsAreSingleSteps) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Experiment e;
    RandomStream dice(seed, "contention jumps");
    e.serving.policy = "chunked";
    if (seed % 2 == 0) e.serving.rules = "vllm-v1";
    e.serving.max_batch = 6;
    e.timer.per_step_s = 0.013, e.timer.per_prompt_token_s = 0.0002, e.timer.per_sequence_s = 0.001;
    e.fleet.replicas = 2;
    e.options.seed = seed;
    double at_s = 0;
    for (int i = 0; i < 300; ++i) {
      e.add(at_s += dice.exponential(0.4), 1 + static_cast<int>(dice.bits() % 300),
            1 + static_cast<int>(dice.bits() % 90));
    }
    e.fleet.conduct.contention = data::Contention{.share_of_time = 0.4, .slowdown = 1.7, .mean_s = 0.8};
    const std::string jumps = testing::fingerprint(e.run());
    e.options.stepping = Stepping::step_by_step;
    EXPECT_EQ(jumps, testing::fingerprint(e.run())) << seed;
  }
}

}  // namespace
}  // namespace weir::sim
