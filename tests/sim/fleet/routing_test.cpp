// Routers through the whole simulator, against closed forms of queueing theory.
//
// c replicas, each a single server with exponential services of 0.1 s and first come, first served: one-shot batches of
// one without delay, the service time is the padded length.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

constexpr int kRequests = 30'000;
constexpr std::uint64_t kSeeds = 10;
constexpr double kMeanService_s = 0.1;
constexpr int kMeanTokens = 10'000;

Experiment servers(int replicas, double load, std::uint64_t seed) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 1;
  s.serving.max_delay_s = 0;
  s.fleet.replicas = replicas;
  s.timer.per_prompt_token_s = kMeanService_s / kMeanTokens;
  s.options.series_step_s = 0;
  s.options.tails = false;
  s.options.seed = seed;
  RandomStream gaps(seed, "gaps"), lengths(seed, "lengths");
  double at_s = 0;
  for (int i = 0; i < kRequests; ++i) {
    at_s += gaps.exponential(kMeanService_s / load / replicas);
    s.add(at_s, std::max(1, static_cast<int>(lengths.exponential(kMeanTokens) + 0.5)), 0);
  }
  return s;
}

double mean_wait_s(const std::string& router, int replicas, double load) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Experiment s = servers(replicas, load, seed);
    s.serving.router = router;
    sum += s.run().latency.queue.mean;
  }
  return sum / kSeeds;
}

// A Poisson stream that is dealt at random is c independent ones: each replica is an M/M/1. At 0.6: Wq = 0.1 x 0.6 /
// 0.4.
TEST(Routing, RandomIsIndependentMM1) { EXPECT_NEAR(mean_wait_s("random", 4, 0.6) / 0.15, 1, 0.03); }

// In turn each replica sees every c-th arrival: gaps are Erlang of c stages, E_c/M/1. Kleinrock I, 6.4: Wq = S sigma /
// (1 - sigma), where sigma = A*(mu - mu sigma) and A*(s) = (c lambda / (c lambda + s))^c with lambda of one replica.
// c = 2 at 0.6: sigma = (1.2 / (2.2 - sigma))^2 = 0.47524, Wq = 0.0906 s, against 0.15 s at random.
TEST(Routing, RoundRobinIsErlangArrivals) {
  double sigma = 0.5;
  for (int i = 0; i < 200; ++i) sigma = std::pow(1.2 / (2.2 - sigma), 2);
  const double wait_s = kMeanService_s * sigma / (1 - sigma);
  EXPECT_LT(wait_s, 0.11);
  EXPECT_NEAR(mean_wait_s("round-robin", 2, 0.6) / wait_s, 1, 0.03);
}

// Knowing more never waits longer: join the shortest queue <= the better of two <= random, and nobody beats one common
// queue, M/M/c. c = 3, a = 2.1: Erlang's C / (c - a) x S = 5.145 / 10.45 x 0.1 / 0.9 (queueing_test.cpp).
TEST(Routing, MoreKnowledgeWaitsLess) {
  const double common_s = 5.145 / 10.45 / 9;
  const double shortest_s = mean_wait_s("least-outstanding", 3, 0.7), two_s = mean_wait_s("power-of-two", 3, 0.7),
               turn_s = mean_wait_s("round-robin", 3, 0.7), random_s = mean_wait_s("random", 3, 0.7);
  EXPECT_LT(common_s, shortest_s);
  EXPECT_LT(shortest_s, two_s);
  EXPECT_LT(two_s, turn_s);
  EXPECT_LT(turn_s, random_s);
  EXPECT_NEAR(random_s / (0.1 * 0.7 / 0.3), 1, 0.03);
  // Tokens are what the services last, so this one joins about the least work, which is what one common queue does.
  const double tokens_s = mean_wait_s("least-tokens", 3, 0.7);
  EXPECT_LT(common_s, tokens_s);
  EXPECT_LT(tokens_s, shortest_s);
}

TEST(Routing, EveryRouterServesEveryRequestAndTheSameTwice) {
  for (const char* router :
       {"least-outstanding", "least-tokens", "round-robin", "random", "power-of-two", "priority"}) {
    Experiment s = servers(4, 0.8, 3);
    s.serving.router = router;
    if (s.serving.router == "priority") s.serving.routing.kept_replicas = 1;
    const RunResult once = s.run();
    EXPECT_EQ(once.requests.completed, kRequests);
    EXPECT_EQ(testing::fingerprint(once), testing::fingerprint(s.run()));
  }
}

// A third of the work is urgent and has one replica of three for itself beside the others.
TEST(Routing, KeptReplicasServeTheUrgentSooner) {
  const auto run = [](int kept) {
    Experiment s = servers(3, 0.8, 5);
    s.workload.classes.resize(2);
    s.workload.classes[0].name = "urgent";
    s.workload.classes[0].priority = 1;
    s.workload.classes[1].name = "patient";
    s.requests.class_names = {"urgent", "patient"};
    for (std::size_t i = 0; i < s.requests.requests.size(); ++i) {
      s.requests.requests[i].class_index = i % 3 == 0 ? 0 : 1;
    }
    if (kept > 0) s.serving.router = "priority";
    s.serving.routing.kept_replicas = kept;
    return s.run();
  };
  const RunResult shared = run(0), kept = run(1);
  EXPECT_LT(kept.classes[0].latency.queue.mean, 0.75 * shared.classes[0].latency.queue.mean);
  EXPECT_GT(kept.classes[1].latency.queue.mean, shared.classes[1].latency.queue.mean);
}

TEST(Routing, RefusesWhatItCannotDo) {
  Experiment s = servers(2, 0.5, 1);
  s.serving.router = "affinity";
  EXPECT_THROW(s.run(), data::InputError);  // nobody has a session
  s.serving.router = "priority";
  s.serving.routing.kept_replicas = 2;
  EXPECT_THROW(s.run(), data::InputError);  // nowhere to go for the others
  s.serving.router = "sideways";
  EXPECT_THROW(s.run(), data::InputError);
}

}  // namespace
}  // namespace weir::sim
