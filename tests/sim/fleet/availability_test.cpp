// Replicas that fail or are maintained: what happens to their requests, by hand and as laws.
#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;
using testing::KeepRecords;

constexpr double kHour = 3600;

// Two replicas, of which each step takes 100 s: a request of one token lasts 100 s. Fixed times: both fail 0.1 h =
// 360 s after the first arrival, at 0, and are repaired 36 s later, at 396.
Experiment two_replicas() {
  Experiment e;
  e.timer.per_step_s = 100;
  e.fleet.replicas = 2;
  e.options.series_step_s = 0;
  e.fleet.conduct.failures = data::Failures{.mtbf_h = 0.1, .repair_h = 0.01, .fixed = true};
  return e;
}

// At 0, A runs on one replica until 100. At 300, B and C start on both, and are lost at 360 with the 60 s of their
// steps. Nobody is open, so they are held at the router until 396, then read again: both done at 496, 196 s after they
// came. Of 2 x 496 s, 72 s were down and 100 + 120 + 200 s busy.
TEST(Availability, ByHandRequestsAreRetried) {
  Experiment e = two_replicas();
  e.add(0, 10, 1), e.add(300, 10, 1), e.add(300, 10, 1);
  KeepRecords records;
  e.options.sink = &records;
  const RunResult r = e.run();
  EXPECT_EQ(r.requests.completed, 3);
  EXPECT_DOUBLE_EQ(r.simulated_s, 496);
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_EQ(records.records[i]->done, Time::from_seconds(496));
    EXPECT_EQ(records.records[i]->served.request.retries, 1);
  }
  EXPECT_DOUBLE_EQ(r.gpu_busy, 420.0 / 992);
  ASSERT_TRUE(r.fleet);
  EXPECT_EQ(r.fleet->failures, 2);
  EXPECT_EQ(r.fleet->retried, 2);
  EXPECT_DOUBLE_EQ(r.fleet->down_share, 72.0 / 992);
  EXPECT_DOUBLE_EQ(r.fleet->replica_hours, 992 / kHour);
  EXPECT_DOUBLE_EQ(r.fleet->open_mean, 920.0 / 496);
}

TEST(Availability, ByHandRequestsAreLost) {
  Experiment e = two_replicas();
  e.fleet.conduct.failures->retry = false;
  e.add(0, 10, 1), e.add(300, 10, 1), e.add(300, 10, 1), e.add(370, 10, 1);
  const RunResult r = e.run();
  EXPECT_EQ(r.requests.completed, 2);  // the one at 370 is held until 396
  EXPECT_EQ(r.requests.lost, 2);
  EXPECT_EQ(r.fleet->retried, 0);
  EXPECT_DOUBLE_EQ(r.simulated_s, 496);
}

// A request of 500 s cannot end between two failures, 360 s apart. After two retries it is lost at its third failure:
// at 360, at 396 + 360 = 756 and, after the repair at 792, at 1152.
TEST(Availability, ARunThatCouldNotEndLosesItsRequest) {
  Experiment e = two_replicas();
  e.fleet.replicas = 1;
  e.timer.per_step_s = 500;
  e.fleet.conduct.failures->max_retries = 2;
  e.add(0, 10, 1);
  const RunResult r = e.run();
  EXPECT_EQ(r.requests.completed, 0);
  EXPECT_EQ(r.requests.lost, 1);
  EXPECT_EQ(r.fleet->failures, 3);
  EXPECT_DOUBLE_EQ(r.simulated_s, 1152);
}

// The delay before a request comes again: lost at 360, sent at 370 while both are down, served from 396.
TEST(Availability, TheDelayOfARetryRunsBesideTheRepair) {
  Experiment e = two_replicas();
  e.fleet.conduct.failures->retry_delay_s = 10;
  e.add(0, 10, 1), e.add(300, 10, 1);
  EXPECT_DOUBLE_EQ(e.run().simulated_s, 496);
  e.fleet.conduct.failures->retry_delay_s = 50;  // 410
  EXPECT_DOUBLE_EQ(e.run().simulated_s, 510);
}

// Rounds begin 0.1 h = 360 s after the first arrival. Replica 0 runs A from 350 to 450: it is emptied first, then out
// for 72 s, until 522; then replica 1, idle, until 594. B, at 400, goes to replica 1; C, at 530, to replica 0.
TEST(Availability, ByHandMaintenanceDrainsOneAfterTheOther) {
  Experiment e;
  e.timer.per_step_s = 100;
  e.fleet.replicas = 2;
  e.serving.router = "round-robin";
  e.options.seed = 2;
  e.fleet.conduct.maintenance = data::Maintenance{.every_h = 0.1, .lasts_h = 0.02};
  KeepRecords records;
  e.options.sink = &records;
  e.add(0, 10, 1), e.add(1, 10, 1), e.add(350, 10, 1), e.add(400, 10, 1), e.add(530, 10, 1), e.add(610, 10, 1);
  const RunResult r = e.run();
  EXPECT_EQ(r.requests.completed, 6);
  EXPECT_EQ(r.fleet->maintained, 2);
  EXPECT_EQ(r.fleet->retried, 0);
  const std::int32_t first = records.records[2]->replica;
  if (first == 0) {
    EXPECT_EQ(records.records[3]->replica, 1);
    EXPECT_EQ(records.records[4]->replica, 0);
    EXPECT_DOUBLE_EQ(r.fleet->down_share * 2 * r.simulated_s, 72 + 90 + 72);  // 90 s of draining are closed too
  } else {
    EXPECT_EQ(records.records[3]->replica, 1);  // 0 is out from 360 to 432
  }
}

TEST(Availability, MaintenanceThatDoesNotDrainSendsThemOnAtOnce) {
  Experiment e;
  e.timer.per_step_s = 100;
  e.fleet.replicas = 2;
  e.fleet.conduct.maintenance = data::Maintenance{.every_h = 0.1, .lasts_h = 0.02, .drain = false};
  e.add(0, 10, 1), e.add(300, 10, 1), e.add(300, 10, 1);
  const RunResult r = e.run();
  // At 360 what runs at replica 0 goes to replica 1, behind the other, which ends at 400; but at 432 replica 1 is out
  // and it goes back to replica 0, which came back at that moment: done at 532.
  EXPECT_EQ(r.requests.completed, 3);
  EXPECT_EQ(r.fleet->retried, 2);
  EXPECT_DOUBLE_EQ(r.simulated_s, 532);
}

/// A load of language work on a few replicas that fail often.
Experiment random_load(std::uint64_t seed, const char* policy) {
  testing::Experiment e;
  RandomStream dice(seed, "availability");
  e.serving.policy = policy;
  e.serving.max_batch = 8;
  e.fleet.kv_tokens = 4000;
  e.fleet.replicas = 1 + static_cast<int>(dice.bits() % 4);
  e.timer.per_step_s = 0.2, e.timer.per_prompt_token_s = 0.001, e.timer.per_sequence_s = 0.01;
  e.options.seed = seed;
  double at_s = 0;
  for (int i = 0; i < 400; ++i) {
    at_s += dice.exponential(4.0 / e.fleet.replicas);
    e.add(at_s, 1 + static_cast<int>(dice.bits() % 400), 1 + static_cast<int>(dice.bits() % 80));
  }
  e.fleet.conduct.failures = data::Failures{.mtbf_h = 0.05, .repair_h = 0.01};
  return e;
}

// The laws of conservation are checked in every run; jumps give the bytes of single steps, under failures too.
TEST(AvailabilityProperty, LosesExactlyWhatThePolicySays) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const char* policy : {"continuous", "chunked", "static"}) {
      Experiment e = random_load(seed, policy);
      if (seed % 3 == 0) e.serving.rules = seed % 2 == 0 ? "vllm-v0" : "weir";
      if (seed % 3 == 0 && e.serving.rules == "vllm-v0") e.serving.policy = "continuous";
      if (seed % 4 == 0)
        e.fleet.conduct.maintenance = data::Maintenance{.every_h = 0.1, .lasts_h = 0.01, .drain = false};
      if (seed % 5 == 0) e.fleet.conduct.contention = data::Contention{0.3, 2.5, 7};
      e.fleet.conduct.failures->max_retries = 100;
      const RunResult kept = e.run();
      EXPECT_EQ(kept.requests.completed, 400);
      EXPECT_EQ(kept.requests.lost, 0);
      EXPECT_GT(kept.fleet->failures, 0);
      e.options.stepping = Stepping::step_by_step;
      EXPECT_EQ(testing::fingerprint(kept), testing::fingerprint(e.run())) << "seed " << seed << ' ' << policy;
      e.options.stepping = Stepping::fast_forward;
      e.fleet.conduct.failures->retry = false;
      const RunResult lost = e.run();
      EXPECT_EQ(lost.requests.completed + lost.requests.lost, 400);
      // Failures come by the clock whatever the requests do; each loses at most what is there.
      EXPECT_LE(lost.requests.lost, 400);
      EXPECT_GT(lost.requests.lost, 0);
    }
  }
}

TEST(AvailabilityProperty, OneShotAndTwoInFlightToo) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Experiment e = random_load(seed, "chunked");
    e.serving.rules = "vllm-v1";
    e.fleet.conduct.failures->max_retries = 100;
    const RunResult fast = e.run();
    EXPECT_EQ(fast.requests.completed, 400);
    e.options.stepping = Stepping::step_by_step;
    EXPECT_EQ(testing::fingerprint(fast), testing::fingerprint(e.run())) << seed;

    Experiment s(data::WorkloadKind::one_shot);
    RandomStream dice(seed, "one-shot");
    s.timer.per_step_s = 5;
    s.timer.per_prompt_token_s = 0.01;
    s.serving.max_batch = 4;
    s.serving.max_delay_s = 2;
    s.serving.pipeline.instances = 1 + static_cast<int>(seed % 3);
    s.serving.pipeline.preprocess = {.servers = 2, .s_per_item = 1};
    s.fleet.replicas = 2;
    double at_s = 0;
    for (int i = 0; i < 300; ++i) s.add(at_s += dice.exponential(3), 1 + static_cast<int>(dice.bits() % 100), 0);
    s.fleet.conduct.failures = data::Failures{.mtbf_h = 0.03, .repair_h = 0.01, .max_retries = 100};
    const RunResult r = s.run();
    EXPECT_EQ(r.requests.completed, 300);
    EXPECT_GT(r.fleet->retried, 0);
  }
}

// Failures that never come change nothing, though the fleet then goes strictly in order of time and on the schedulers
// that keep every request.
TEST(AvailabilityProperty, ThoseThatNeverFailAreAFixedFleet) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Experiment e = random_load(seed, "chunked");
    e.fleet.conduct = {};
    const std::string plain = testing::fingerprint(e.run());
    e.fleet.conduct.failures = data::Failures{.mtbf_h = 1e7, .repair_h = 1, .fixed = true};
    EXPECT_EQ(testing::fingerprint(e.run()), plain);
  }
}

}  // namespace
}  // namespace weir::sim
