// One-shot work beside its batch: the host's stages, copies, instances, preferred sizes, frames.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/fleet/host_stage.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

/// A batch takes per_step_s; one item is a batch, which starts at once.
Experiment one_by_one(double batch_s) {
  Experiment e(data::WorkloadKind::one_shot);
  e.serving.max_batch = 1;
  e.serving.max_delay_s = 0;
  e.timer.per_step_s = batch_s;
  return e;
}

TEST(HostStages, AreQueuesBeforeAndAfterTheAccelerator) {
  // Two requests at 0. One core decodes them in 1 s each: at the accelerator at 1 and 2; it takes 0.25 s: served
  // at 1.25 and 2.25; one core writes the answers in 2 s: out at 3.25 and 5.25.
  Experiment e = one_by_one(0.25);
  e.serving.pipeline.preprocess = {.servers = 1, .s_per_item = 1};
  e.serving.pipeline.postprocess = {.servers = 1, .s_per_request = 2};
  e.add(0, 1, 0);
  e.add(0, 1, 0);
  const RunResult run = e.run();
  EXPECT_EQ(run.requests.completed, 2);
  EXPECT_DOUBLE_EQ(run.latency.e2e.mean, (3.25 + 5.25) / 2);
  EXPECT_DOUBLE_EQ(run.simulated_s, 5.25);
  EXPECT_DOUBLE_EQ(run.gpu_busy, 0.5 / 5.25);
}

TEST(HostStages, ABacklogPastTheEndOfTheClockIsRefused) {
  Experiment e = one_by_one(0.25);
  e.serving.pipeline.preprocess = {.servers = 1, .s_per_request = 3600};
  for (int i = 0; i < 10'000; ++i) e.add(0, 1, 0);  // 10,000 hours; the clock goes to 6,400
  try {
    e.run();
    FAIL() << "taken";
  } catch (const data::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/serving/pipeline/preprocess/servers"), std::string::npos);
  }
}

TEST(HostStages, MoreServersNeverTakeLonger) {
  double before = 1e9;
  for (const int servers : {1, 2, 3, 8}) {
    Experiment e = one_by_one(0.01);
    e.serving.pipeline.preprocess = {.servers = servers, .s_per_item = 0.1, .exponential = true};
    for (int i = 0; i < 300; ++i) e.add(0.05 * i, 1, 0);
    const double mean = e.run().latency.e2e.mean;
    EXPECT_LE(mean, before);
    before = mean;
  }
}

TEST(HostStages, ATandemOfExponentialStagesIsTwoIndependentQueues) {
  // Jackson: Poisson at 8/s into M/M/2 with means of 0.2 s (rho 0.8), then M/M/1 with a mean of 0.1 s (rho 0.8).
  // Sojourn in M/M/2: 0.2 / (1 - 0.64) = 0.5556 s; in M/M/1: 0.1 / 0.2 = 0.5 s.
  double sum = 0;
  constexpr int kSeeds = 8, kRequests = 60'000;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Experiment e = one_by_one(1e-7);
    e.serving.pipeline.preprocess = {.servers = 2, .s_per_item = 0.2, .exponential = true};
    e.serving.pipeline.postprocess = {.servers = 1, .s_per_item = 0.1, .exponential = true};
    e.options.seed = seed;
    RandomStream random(seed, "tandem");
    double now = 0;
    for (int i = 0; i < kRequests; ++i) e.add(now += random.exponential(1.0 / 8), 1, 0);
    sum += e.run().latency.e2e.mean;
  }
  EXPECT_NEAR(sum / kSeeds, 0.2 / 0.36 + 0.5, 0.03);
}

TEST(Copies, HideBehindTheOtherInstancesCompute) {
  // Copy in 1 s, compute 2 s, copy out 0.5 s an item, three requests at 0.
  // One instance: each takes 3.5 s after the other: 3.5, 7, 10.5.
  // Two: the second is copied in by 2 s, computed in [3, 5), out at 5.5; the third gets the place that falls free at
  // 3.5: copied in by 4.5, computed in [5, 7), out at 7.5.
  for (const int instances : {1, 2}) {
    Experiment e = one_by_one(2);
    e.serving.pipeline.instances = instances;
    e.fleet.copies = {.in_s_per_item = 1, .out_s_per_item = 0.5, .latency_s = 0};
    for (int i = 0; i < 3; ++i) e.add(0, 1, 0);
    const RunResult run = e.run();
    EXPECT_DOUBLE_EQ(run.latency.e2e.mean, instances == 1 ? (3.5 + 7 + 10.5) / 3 : (3.5 + 5.5 + 7.5) / 3);
    EXPECT_DOUBLE_EQ(run.gpu_busy, 1);
  }
}

TEST(Instances, ASecondOneStartsBesideTheFirst) {
  // At 0 and 1 a request each; a batch takes 3 s and the instances share one device: [0, 3), [3, 6). With one instance
  // the one that comes at 2 shares the second batch; with two it waits for a place at 3 and runs in [6, 9).
  for (const int instances : {1, 2}) {
    Experiment e(data::WorkloadKind::one_shot);
    e.serving.max_batch = 8;
    e.serving.max_delay_s = 0;
    e.serving.pipeline.instances = instances;
    e.timer.per_step_s = 3;
    e.add(0, 1, 0);
    e.add(1, 1, 0);
    e.add(2, 1, 0);
    const RunResult run = e.run();
    EXPECT_DOUBLE_EQ(run.latency.e2e.mean, instances == 1 ? (3.0 + 5 + 4) / 3 : (3.0 + 5 + 7) / 3);
  }
}

TEST(PreferredBatches, StartAsSoonAsTheyAreThere) {
  // Sizes 2 and 4, at most 8, delay 10 s: at 1 s two wait and start; the third and fourth come while they run (1 s) and
  // start at 2; the fifth waits until 1.8 + 10 s.
  Experiment e(data::WorkloadKind::one_shot);
  e.serving.max_batch = 8;
  e.serving.max_delay_s = 10;
  e.serving.pipeline.preferred_batches = {2, 4};
  e.timer.per_step_s = 1;
  for (const double at : {0.0, 1.0, 1.2, 1.4, 1.8}) e.add(at, 1, 0);
  const RunResult run = e.run();
  EXPECT_DOUBLE_EQ(run.latency.e2e.mean, ((2.0 - 0) + (2 - 1) + (3 - 1.2) + (3 - 1.4) + (12.8 - 1.8)) / 5);
}

TEST(Frames, ANewerOneTakesThePlaceOfTheOneThatWaits) {
  // Two cameras, a batch of one takes 2 s. Camera 7 sends at 0, 0.5, 1 and 1.5; camera 8 at 0.75. The frames of 0.5 and
  // 1 are dropped; the one of 0.75 is older than that of 1.5 and goes first.
  Experiment e = one_by_one(2);
  e.serving.pipeline.drop_older_frames = true;
  for (const auto& [at, camera] : std::vector<std::pair<double, int>>{{0, 7}, {0.5, 7}, {0.75, 8}, {1, 7}, {1.5, 7}}) {
    e.add(at, 1, 0);
    e.requests.requests.back().client = camera;
  }
  const RunResult run = e.run();
  EXPECT_EQ(run.requests.completed, 3);
  EXPECT_EQ(run.requests.displaced, 2);
  EXPECT_EQ(run.requests.offered, 5);
  EXPECT_DOUBLE_EQ(run.latency.e2e.mean, (2.0 + (4 - 0.75) + (6 - 1.5)) / 3);
}

TEST(Frames, WithoutTheRuleAllWait) {
  Experiment e = one_by_one(2);
  for (const double at : {0.0, 0.5, 1.0}) {
    e.add(at, 1, 0);
    e.requests.requests.back().client = 7;
  }
  EXPECT_EQ(e.run().requests.completed, 3);
}

}  // namespace
}  // namespace weir::sim
