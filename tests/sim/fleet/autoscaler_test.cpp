// Autoscaling: timelines by hand, and that it is a fixed fleet when there is nothing to decide.
#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

// Each request runs alone for 10 s. A look every 10 s.
Experiment ten_seconds_each(const data::Autoscaling& scaling) {
  Experiment e;
  e.timer.per_step_s = 10;
  e.serving.max_batch = 1;
  e.options.series_step_s = 10;
  e.fleet.conduct.autoscaling = scaling;
  e.add(0, 10, 1);
  return e;
}

data::Autoscaling outstanding(double target, int max) {
  data::Autoscaling scaling;
  scaling.metric = "outstanding";
  scaling.target = target;
  scaling.max = max;
  scaling.interval_s = 10;
  scaling.cooldown_down_s = 25;
  return scaling;
}

void add_burst(Experiment& e, double at_s, int n) {
  for (int i = 0; i < n; ++i) e.add(at_s, 10, 1);
}

// One replica, then 8 requests at 5 that all queue there and leave at 20, 30, ... 90; two each are wanted.
//   10: 8 there, 4 wanted: three start, and are open from 25 on.
//   26: three more come, one for each of the new; they are done at 36.
//   30: 6 + 3, 5 wanted, 4 at most.
//   40: 5, 3 wanted; the last change was 30 s ago, so the last of the idle ones stops at once.
//   50, 60: 4 and 3, 2 wanted; it rests until 65.
//   70: 2, 1 wanted: two more stop. 90: the end.
// Paid for: 90 + 60 + 60 + 30 s; open: 90 + 45 + 45 + 15 s.
TEST(Autoscaler, AStepOfLoadByHand) {
  Experiment e = ten_seconds_each(outstanding(2, 4));
  e.fleet.start_up_s = 15;
  add_burst(e, 5, 8);
  add_burst(e, 26, 3);
  testing::KeepRecords records;
  e.options.sink = &records;
  const RunResult r = e.run();
  EXPECT_DOUBLE_EQ(r.simulated_s, 90);
  ASSERT_TRUE(r.fleet);
  EXPECT_DOUBLE_EQ(r.fleet->replica_hours, 240.0 / 3600);
  EXPECT_DOUBLE_EQ(r.fleet->replicas_mean, 240.0 / 90);
  EXPECT_DOUBLE_EQ(r.fleet->open_mean, 195.0 / 90);
  EXPECT_EQ(r.fleet->replicas_peak, 4);
  EXPECT_EQ(r.replicas, 4);
  EXPECT_EQ(r.fleet->scale_ups, 1);
  EXPECT_EQ(r.fleet->scale_downs, 2);
  EXPECT_DOUBLE_EQ(r.gpu_busy, (90.0 + 30) / 240);
  for (const std::size_t i : {9u, 10u, 11u}) EXPECT_EQ(records.records[i]->done, Time::from_seconds(36));
  const double open[] = {1, 1, 2.5, 4, 3, 3, 3, 1, 1};
  ASSERT_EQ(r.series.size(), 10u);  // the last begins at the end
  for (std::size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(*r.series[i].open_replicas, open[i]) << i;
}

// Two at 10 want a second replica, which is there at once. 12 more at 15 want four, but until 40 no more are started.
TEST(Autoscaler, RestsBetweenStarts) {
  data::Autoscaling scaling = outstanding(1, 4);
  scaling.cooldown_up_s = 30;
  Experiment e = ten_seconds_each(scaling);
  add_burst(e, 5, 2);
  add_burst(e, 15, 12);
  const RunResult r = e.run();
  const double open[] = {1, 2, 2, 2, 4};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(*r.series[i].open_replicas, open[i]) << i;
  e.fleet.conduct.autoscaling->cooldown_up_s = 0;
  EXPECT_DOUBLE_EQ(*e.run().series[2].open_replicas, 4);
}

// Scaled in at 40 while it has a request until 45: it takes no new one, and is paid for until then.
TEST(Autoscaler, DrainsWhatItStops) {
  data::Autoscaling scaling = outstanding(1, 2);
  scaling.metric = "schedule", scaling.target = 0;
  scaling.schedule = {{0, 2}, {40 / 3600.0, 1}};
  Experiment e = ten_seconds_each(scaling);
  e.options.seed = 1;
  add_burst(e, 35, 2), add_burst(e, 42, 1), add_burst(e, 60, 1);
  const RunResult r = e.run();
  EXPECT_DOUBLE_EQ(r.simulated_s, 70);
  EXPECT_EQ(r.fleet->scale_downs, 1);
  EXPECT_DOUBLE_EQ(r.fleet->replica_hours, (70 + 45) / 3600.0);
  EXPECT_DOUBLE_EQ(r.fleet->open_mean, (70 + 40) / 70.0);
  EXPECT_DOUBLE_EQ(r.latency.e2e.max, 13);  // the one at 42 waits for the only one open
}

// Waiting requests alone: 8 at 5, of which 7 wait at 10.
TEST(Autoscaler, CountsWhoWaits) {
  data::Autoscaling scaling = outstanding(3.5, 8);
  scaling.metric = "queue";
  Experiment e = ten_seconds_each(scaling);
  add_burst(e, 5, 8);
  const RunResult r = e.run();
  EXPECT_DOUBLE_EQ(*r.series[1].open_replicas, 2);
  EXPECT_EQ(r.fleet->replicas_peak, 2);
}

// Busy all of the first 10 s against a target of 0.4: 1 / 0.4 = 2.5, three replicas. Then none is busy: one.
TEST(Autoscaler, KeepsReplicasAsBusyAsWanted) {
  data::Autoscaling scaling = outstanding(0.4, 8);
  scaling.metric = "utilisation";
  scaling.cooldown_down_s = 0;
  Experiment e = ten_seconds_each(scaling);
  e.add(100, 10, 1);
  const RunResult r = e.run();
  EXPECT_DOUBLE_EQ(*r.series[0].open_replicas, 1);
  EXPECT_DOUBLE_EQ(*r.series[1].open_replicas, 3);
  EXPECT_DOUBLE_EQ(*r.series[2].open_replicas, 1);
}

TEST(Autoscaler, GoesByTheClockOfTheDay) {
  data::Autoscaling scaling = outstanding(1, 3);
  scaling.metric = "schedule", scaling.target = 0, scaling.cooldown_down_s = 0;
  scaling.schedule = {{36 / 3600.0, 3}, {72 / 3600.0, 1}};  // before the first: as at the end of the day before
  Experiment e = ten_seconds_each(scaling);
  e.fleet.start_up_s = 5;
  e.add(100, 10, 1);
  e.add(86'400 + 42, 10, 1);
  const RunResult r = e.run();
  EXPECT_DOUBLE_EQ(*r.series[3].open_replicas, 1);
  EXPECT_DOUBLE_EQ(*r.series[4].open_replicas, 2);  // from 45 on
  EXPECT_DOUBLE_EQ(*r.series[5].open_replicas, 3);
  EXPECT_DOUBLE_EQ(*r.series[8].open_replicas, 1);
  EXPECT_EQ(r.fleet->scale_ups, 2);
}

Experiment random_load(std::uint64_t seed) {
  Experiment e;
  RandomStream dice(seed, "autoscaler");
  e.serving.policy = seed % 2 == 0 ? "continuous" : "chunked";
  e.serving.max_batch = 8;
  e.timer.per_step_s = 0.02, e.timer.per_prompt_token_s = 0.0001, e.timer.per_sequence_s = 0.001;
  e.options.seed = seed;
  double at_s = 0;
  for (int i = 0; i < 1500; ++i) {
    at_s += dice.exponential(0.1);
    e.add(at_s, 1 + static_cast<int>(dice.bits() % 400), 1 + static_cast<int>(dice.bits() % 80));
  }
  return e;
}

TEST(AutoscalerProperty, WithNothingToDecideItIsAFixedFleet) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Experiment e = random_load(seed);
    e.fleet.replicas = 3;
    const RunResult fixed = e.run();
    e.fleet.conduct.autoscaling = outstanding(0.5, 3);
    e.fleet.conduct.autoscaling->min = 3;
    const RunResult scaled = e.run();
    EXPECT_EQ(testing::fingerprint(fixed), testing::fingerprint(scaled)) << seed;
    EXPECT_DOUBLE_EQ(scaled.fleet->replicas_mean, 3);
    EXPECT_EQ(scaled.fleet->scale_ups + scaled.fleet->scale_downs, 0);
  }
}

TEST(AutoscalerProperty, StaysWithinItsBoundsAndServesAll) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Experiment e = random_load(seed);
    e.fleet.conduct.autoscaling = outstanding(2, 6);
    e.fleet.conduct.autoscaling->min = 2;
    e.fleet.conduct.autoscaling->cooldown_down_s = 20;
    e.fleet.start_up_s = static_cast<double>(seed);
    if (seed > 4) e.fleet.conduct.failures = data::Failures{.mtbf_h = 0.02, .repair_h = 0.01, .max_retries = 100};
    const RunResult r = e.run();
    EXPECT_EQ(r.requests.completed, 1500);
    EXPECT_GE(r.fleet->replicas_mean, 2);
    EXPECT_LE(r.fleet->replicas_peak, 6);
    EXPECT_GT(r.fleet->scale_ups, 0);
    EXPECT_LE(r.gpu_busy, 1);
    EXPECT_EQ(testing::fingerprint(r), testing::fingerprint(e.run()));
    e.options.stepping = Stepping::step_by_step;
    EXPECT_EQ(testing::fingerprint(r), testing::fingerprint(e.run())) << seed;
  }
}

}  // namespace
}  // namespace weir::sim
