// Closed forms of queueing theory, through the whole simulator: one-shot batches of one without delay are a single
// server with a first-come-first-served queue. Kleinrock, Queueing Systems I (1975), 3.2 (M/M/1) and 5.6
// (Pollaczek-Khinchine).

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

constexpr int kRequests = 40'000;
constexpr std::uint64_t kSeeds = 20;
constexpr double kMeanService_s = 0.1;
constexpr int kMeanTokens = 10'000;  // so fine that the rounding of a service time to tokens does not show

enum class Service { exponential, deterministic };

Experiment single_server(double load, Service service, std::uint64_t seed) {
  Experiment s(data::WorkloadKind::one_shot);
  s.serving.max_batch = 1;
  s.serving.max_delay_s = 0;
  s.timer.per_prompt_token_s = kMeanService_s / kMeanTokens;
  s.options.series_step_s = 0;
  s.options.tails = false;
  RandomStream gaps(seed, "gaps"), lengths(seed, "lengths");
  double at_s = 0;
  for (int i = 0; i < kRequests; ++i) {
    at_s += gaps.exponential(kMeanService_s / load);
    const double tokens = service == Service::exponential ? lengths.exponential(kMeanTokens) : kMeanTokens;
    s.add(at_s, std::max(1, static_cast<int>(tokens + 0.5)), 0);
  }
  return s;
}

/// Runs all seeds. Of 20 intervals at 99% the chance that three or more miss is 0.1%, so 18 must hold; the mean over
/// all 800,000 requests must be within 1.5% (about three standard errors at the highest load used).
void expect_closed_form(double load, Service service, double queue_s) {
  const double sojourn_s = queue_s + kMeanService_s;
  int queue_inside = 0, sojourn_inside = 0;
  double queue_sum = 0, sojourn_sum = 0, busy_sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RunResult r = single_server(load, service, seed).run();
    ASSERT_EQ(r.requests.completed, kRequests);
    const Distribution &queue = r.latency.queue, &sojourn = r.latency.e2e;
    if (std::fabs(queue.mean - queue_s) <= *queue.mean_half_width_99) ++queue_inside;
    if (std::fabs(sojourn.mean - sojourn_s) <= *sojourn.mean_half_width_99) ++sojourn_inside;
    queue_sum += queue.mean;
    sojourn_sum += sojourn.mean;
    busy_sum += r.gpu_busy;
    // Utilisation law: busy share = throughput x mean service time, and both follow from the run itself.
    const double mean_service_s = sojourn.mean - queue.mean;
    EXPECT_NEAR(r.gpu_busy, r.requests_per_s * mean_service_s, 1e-9);
  }
  EXPECT_GE(queue_inside, 18);
  EXPECT_GE(sojourn_inside, 18);
  EXPECT_NEAR(queue_sum / kSeeds / queue_s, 1, 0.015);
  EXPECT_NEAR(sojourn_sum / kSeeds / sojourn_s, 1, 0.015);
  EXPECT_NEAR(busy_sum / kSeeds, load, 0.005);
}

// M/M/1: Wq = rho / (mu - lambda) = S rho / (1 - rho). At 0.6: 0.1 x 0.6 / 0.4 = 0.15 s.
TEST(Queueing, MM1AtSixtyPercent) { expect_closed_form(0.6, Service::exponential, 0.15); }

// At 0.3: 0.1 x 0.3 / 0.7 = 0.042857 s.
TEST(Queueing, MM1AtThirtyPercent) { expect_closed_form(0.3, Service::exponential, 0.3 / 7); }

// M/D/1: half of M/M/1. At 0.7: 0.1 x 0.7 / 0.3 / 2 = 0.116667 s.
TEST(Queueing, MD1AtSeventyPercent) { expect_closed_form(0.7, Service::deterministic, 0.35 / 3); }

// The distribution too: the sojourn of M/M/1 is exponential with mean S / (1 - rho), so p99 = ln 100 times the mean.
TEST(Queueing, MM1SojournIsExponential) {
  double p50 = 0, p99 = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RunResult r = single_server(0.5, Service::exponential, seed).run();
    p50 += r.latency.e2e.p50 / kSeeds;
    p99 += r.latency.e2e.p99 / kSeeds;
  }
  EXPECT_NEAR(p50 / (0.2 * std::log(2)), 1, 0.015);
  EXPECT_NEAR(p99 / (0.2 * std::log(100)), 1, 0.03);
}

// M/M/1/K with room for one in the queue (K = 2): at rho = 1 each of the states 0, 1, 2 has probability 1/3, and so
// 1/3 of the requests are refused (arrivals see time averages).
TEST(Queueing, ABoundedQueueRefusesTheShareOfTheClosedForm) {
  double refused = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Experiment s = single_server(1.0, Service::exponential, seed);
    s.serving.queue_limit = 1;
    refused += static_cast<double>(s.run().requests.rejected) / kRequests / kSeeds;
  }
  EXPECT_NEAR(refused, 1 / 3.0, 0.003);
}

// Erlang's loss formula: c servers without a queue refuse the share B(c, a). With least-outstanding routing and
// queue_limit 0 a request is refused only when every replica is busy. B(3, 2): a^3/3! / sum = (8/6) / (1+2+2+8/6) =
// 4/19.
TEST(Queueing, ReplicasWithoutQueuesFollowErlangB) {
  double refused = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Experiment s = single_server(2.0, Service::exponential, seed);
    s.fleet.replicas = 3;
    s.serving.queue_limit = 0;
    refused += static_cast<double>(s.run().requests.rejected) / kRequests / kSeeds;
  }
  EXPECT_NEAR(refused, 4.0 / 19, 0.003);
}

}  // namespace
}  // namespace weir::sim
