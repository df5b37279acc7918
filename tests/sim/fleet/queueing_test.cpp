// Closed forms of queueing theory, through the whole simulator. Kleinrock, Queueing Systems I (1975): 3.2 (M/M/1), 3.5
// (M/M/c), 5.6 (Pollaczek-Khinchine); II (1976), chapter 3, and
// Cobham, Operations Research 2 (1954) 70 (priorities).
//
// One server: one-shot batches of one, without delay. The service time is the padded length, in tokens so short that
// rounding to them does not show.
//
// c servers before one queue: a `chunked` replica that may run c requests, whose step lasts the same whatever is in it.
// A request with a prompt of one token and n tokens of output holds one of the c places for n steps: the one that reads
// its prompt gives the first token, and n - 1 more follow. Steps last 1/10,000 of the mean service, so that n, an
// exponential number rounded, is exponential to 1e-4. A request that finds a free place waits for the end of the
// running step, at most 1e-4 of a service: the one difference from M/M/c, and 20 times less than what the tests can
// see.

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

constexpr int kRequests = 40'000;
constexpr std::uint64_t kSeeds = 20;
constexpr double kMeanService_s = 0.1;
constexpr int kMeanTokens = 10'000;  // so fine that the rounding of a service time to tokens does not show

enum class Service { exponential, deterministic, two_sizes };

/// Service times over their mean: exponential, 1, or 1/2 for four of five and 3 for the fifth (second moment 2).
double drawn_service(Service service, RandomStream& random) {
  switch (service) {
    case Service::exponential:
      return random.exponential(1);
    case Service::two_sizes:
      return random.uniform() < 0.8 ? 0.5 : 3;
    case Service::deterministic:
      break;
  }
  return 1;
}

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
    const double tokens = kMeanTokens * drawn_service(service, lengths);
    s.add(at_s, std::max(1, static_cast<int>(tokens + 0.5)), 0);
  }
  return s;
}

Experiment several_servers(int servers, double load, std::uint64_t seed) {
  Experiment s;
  s.serving.policy = "chunked";
  s.serving.max_batch = servers;
  s.serving.token_budget = 64;
  s.fleet.kv_tokens = 10'000'000;  // more than any request needs
  s.timer.per_step_s = kMeanService_s / kMeanTokens;
  s.options.series_step_s = 0;
  s.options.tails = false;
  RandomStream gaps(seed, "gaps"), lengths(seed, "lengths");
  double at_s = 0;
  for (int i = 0; i < kRequests; ++i) {
    at_s += gaps.exponential(kMeanService_s / load / servers);
    s.add(at_s, 1, std::max(1, static_cast<int>(lengths.exponential(kMeanTokens) + 0.5)));
  }
  return s;
}

/// How often the intervals of a mean held its true value, and the mean over all seeds.
struct Coverage {
  double truth = 0;
  int inside = 0, seeds = 0;
  double sum = 0;

  void add(const Distribution& d) {
    ASSERT_TRUE(d.mean_half_width_99.has_value());
    if (std::fabs(d.mean - truth) <= *d.mean_half_width_99) ++inside;
    sum += d.mean;
    ++seeds;
  }
  /// Of 20 intervals at 99% the chance that three or more miss is 0.1%, so 18 must hold.
  void check(double relative) const {
    EXPECT_GE(inside, 18) << "intervals around " << truth << " s";
    EXPECT_NEAR(sum / seeds / truth, 1, relative) << "mean of all seeds, " << truth << " s expected";
  }
};

/// The mean over all 800,000 requests must be within 1.5% (about three standard errors at the highest load used).
void expect_closed_form(double load, Service service, double queue_s) {
  Coverage queue{queue_s}, sojourn{queue_s + kMeanService_s};
  double busy_sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RunResult r = single_server(load, service, seed).run();
    ASSERT_EQ(r.requests.completed, kRequests);
    queue.add(r.latency.queue);
    sojourn.add(r.latency.e2e);
    busy_sum += r.gpu_busy;
    // Utilisation law: busy share = throughput x mean service time, and both follow from the run itself.
    const double mean_service_s = r.latency.e2e.mean - r.latency.queue.mean;
    EXPECT_NEAR(r.gpu_busy, r.requests_per_s * mean_service_s, 1e-9);
  }
  queue.check(0.015);
  sojourn.check(0.015);
  EXPECT_NEAR(busy_sum / kSeeds, load, 0.005);
}

/// idle: the probability that nobody is in the system.
void expect_erlang_c(int servers, double load, double queue_s, double idle) {
  Coverage queue{queue_s}, sojourn{queue_s + kMeanService_s};
  double busy_sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RunResult r = several_servers(servers, load, seed).run();
    ASSERT_EQ(r.requests.completed, kRequests);
    queue.add(r.latency.queue);
    sojourn.add(r.latency.e2e);
    busy_sum += r.gpu_busy;
  }
  queue.check(0.02);
  sojourn.check(0.015);
  EXPECT_NEAR(busy_sum / kSeeds, 1 - idle, 0.005);
}

// M/M/1: Wq = rho / (mu - lambda) = S rho / (1 - rho). At 0.6: 0.1 x 0.6 / 0.4 = 0.15 s.
TEST(Queueing, MM1AtSixtyPercent) { expect_closed_form(0.6, Service::exponential, 0.15); }

// At 0.3: 0.1 x 0.3 / 0.7 = 0.042857 s.
TEST(Queueing, MM1AtThirtyPercent) { expect_closed_form(0.3, Service::exponential, 0.3 / 7); }

// M/D/1: half of M/M/1. At 0.7: 0.1 x 0.7 / 0.3 / 2 = 0.116667 s.
TEST(Queueing, MD1AtSeventyPercent) { expect_closed_form(0.7, Service::deterministic, 0.35 / 3); }

// M/G/1, Pollaczek-Khinchine: Wq = lambda E[S^2] / (2 (1 - rho)). With E[S^2] = 2 S^2 at 0.6: 6 x 0.02 / 0.8 = 0.15 s.
TEST(Queueing, MG1OfTwoSizesFollowsPollaczekKhinchine) { expect_closed_form(0.6, Service::two_sizes, 0.15); }

/// Batches that last an exponential time, whatever is in them.
class ExponentialBatches final : public StepTimer {
 public:
  ExponentialBatches(double mean_s, std::uint64_t seed) : mean_s_(mean_s), random_(seed, "batches") {}
  Time iteration(const IterationShape&) const override { throw std::logic_error("only batches"); }
  Time batch(std::int64_t, std::int64_t) const override { return Time::from_seconds(random_.exponential(mean_s_)); }
  double peak_flops_per_s() const override { return 0; }
  double peak_bytes_per_s() const override { return 0; }
  double relative_error() const override { return 0; }
  std::vector<EvidenceNote> evidence() const override { return {}; }

 private:
  double mean_s_;
  mutable RandomStream random_;
};

// M/M(1,b)/1: a free server takes whoever waits, up to b, for an exponential time of rate mu. While it works, n wait
// with probability C r^n, r in (0, 1) the root of lambda (1 - r) = mu r (1 - r^b); nobody is there with probability mu
// C / lambda. So C = 1 / (1 / (1 - r) + mu / lambda) and the mean wait is C r / (1 - r)^2 / lambda (Chaudhry and
// Templeton, A First Course in Bulk Queues, 1983, ch. 4; it follows from the balance of the states).
TEST(Queueing, BatchServiceFollowsItsClosedForm) {
  constexpr int kMost = 4;
  constexpr double kLambda = 24, kMu = 10;
  double low = 0, high = 1 - 1e-9;
  for (int i = 0; i < 200; ++i) {
    const double r = 0.5 * (low + high);
    (kLambda * (1 - r) > kMu * r * (1 - std::pow(r, kMost)) ? low : high) = r;
  }
  const double c = 1 / (1 / (1 - low) + kMu / kLambda), queue_s = c * low / ((1 - low) * (1 - low)) / kLambda;
  Coverage queue{queue_s}, sojourn{queue_s + 1 / kMu};
  double busy_sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Experiment s(data::WorkloadKind::one_shot);
    s.serving.max_batch = kMost;
    s.serving.max_delay_s = 0;
    s.options.series_step_s = 0;
    s.options.tails = false;
    RandomStream gaps(seed, "gaps");
    double at_s = 0;
    for (int i = 0; i < kRequests; ++i) s.add(at_s += gaps.exponential(1 / kLambda), 1, 0);
    const ExponentialBatches timer(1 / kMu, seed);
    const RunResult r = simulate(s.workload, s.serving, s.requests, s.fleet, timer, s.options);
    queue.add(r.latency.queue);
    sojourn.add(r.latency.e2e);
    busy_sum += r.gpu_busy;
  }
  queue.check(0.02);
  sojourn.check(0.015);
  EXPECT_NEAR(busy_sum / kSeeds, 1 - kMu * c / kLambda, 0.005);
}

// M/M/c: Wq = C(c, a) S / (c - a) with Erlang's C = x / (sum of a^k/k! for k < c, + x), x = a^c/c! / (1 - a/c), and
// P(nobody there) = 1 / the same sum. c = 2, a = 1: x = 0.5 / 0.5 = 1, sum 1 + 1 + 1 = 3, Wq = 1/3 x 0.1 / 1.
TEST(Queueing, MM2AtFiftyPercent) { expect_erlang_c(2, 0.5, 0.1 / 3, 1 / 3.0); }

// c = 3, a = 2.1: x = 1.5435 / 0.3 = 5.145, sum 1 + 2.1 + 2.205 + 5.145 = 10.45, Wq = 5.145 / 10.45 x 0.1 / 0.9.
TEST(Queueing, MM3AtSeventyPercent) { expect_erlang_c(3, 0.7, 5.145 / 10.45 / 9, 1 / 10.45); }

/// Two classes at one server, the first before the second; loads and mean services of both.
struct TwoClasses {
  double first_load, second_load, first_service_s, second_service_s;
};

Experiment with_priority(const TwoClasses& two, std::uint64_t seed) {
  Experiment s(data::WorkloadKind::one_shot);
  s.workload.classes.resize(2);
  s.workload.classes[0].name = "urgent";
  s.workload.classes[0].priority = 1;
  s.workload.classes[1].name = "patient";
  s.requests.class_names = {"urgent", "patient"};
  s.serving.order = "priority";
  s.serving.max_batch = 1;
  s.serving.max_delay_s = 0;
  s.timer.per_prompt_token_s = kMeanService_s / kMeanTokens;
  s.options.series_step_s = 0;
  s.options.tails = false;
  const double first_rate = two.first_load / two.first_service_s, second_rate = two.second_load / two.second_service_s;
  RandomStream gaps(seed, "gaps"), lengths(seed, "lengths"), classes(seed, "classes");
  double at_s = 0;
  for (int i = 0; i < kRequests; ++i) {
    at_s += gaps.exponential(1 / (first_rate + second_rate));
    const bool first = classes.uniform() * (first_rate + second_rate) < first_rate;
    const double service_s = first ? two.first_service_s : two.second_service_s;
    const double tokens = lengths.exponential(kMeanTokens * service_s / kMeanService_s);
    s.add(at_s, std::max(1, static_cast<int>(tokens + 0.5)), 0, first ? 0 : 1);
  }
  return s;
}

void expect_cobham(const TwoClasses& two, double first_queue_s, double second_queue_s) {
  Coverage first{first_queue_s}, second{second_queue_s};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RunResult r = with_priority(two, seed).run();
    ASSERT_EQ(r.requests.completed, kRequests);
    ASSERT_EQ(r.classes.size(), 2U);
    first.add(r.classes[0].latency.queue);
    second.add(r.classes[1].latency.queue);
  }
  first.check(0.02);
  second.check(0.03);
}

// Cobham: a request waits for the rest of the service it finds, W0 = sum of rate x E[S^2] / 2 = sum of load x mean
// service (exponential: E[S^2] = 2 mean^2), stretched by all who go before it: Wq1 = W0 / (1 - rho1), Wq2 = W0 / ((1 -
// rho1) (1 - rho1 - rho2)). Equal services: W0 = 0.7 x 0.1, Wq1 = 0.07 / 0.7, Wq2 = 0.07 / 0.7 / 0.3.
TEST(Queueing, PriorityMM1FollowsCobham) { expect_cobham({0.3, 0.4, 0.1, 0.1}, 0.1, 1 / 3.0); }

// W0 = 0.2 x 0.05 + 0.5 x 0.15 = 0.085, Wq1 = 0.085 / 0.8, Wq2 = 0.085 / 0.8 / 0.3.
TEST(Queueing, PriorityOfShortServicesFollowsCobham) {
  expect_cobham({0.2, 0.5, 0.05, 0.15}, 0.085 / 0.8, 0.085 / 0.24);
}

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
