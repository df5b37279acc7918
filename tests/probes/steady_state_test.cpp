#include "probes/steady_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "probes/bench_run.h"
#include "probes/load_watch.h"

namespace weir::probes {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kRoundOff = 1e-12;

TEST(SteadyState, MedianAndDeviationOfKnownValues) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  // Deviations from the median 2: 1 0 0 1 8 -> sorted 0 0 1 1 8, their median 1.
  EXPECT_DOUBLE_EQ(median_absolute_deviation({1, 2, 2, 3, 10}), 1);
  EXPECT_DOUBLE_EQ(median_absolute_deviation({7}), 0);
}

RC_GTEST_PROP(SteadyState, MedianLiesInTheMiddleWhateverTheOrder, ()) {
  auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
  std::vector<double> numbers(values.begin(), values.end());
  const double middle = median(numbers);
  const auto below = std::count_if(numbers.begin(), numbers.end(), [&](double v) { return v < middle; });
  const auto above = std::count_if(numbers.begin(), numbers.end(), [&](double v) { return v > middle; });
  RC_ASSERT(2 * below <= static_cast<std::ptrdiff_t>(numbers.size()));
  RC_ASSERT(2 * above <= static_cast<std::ptrdiff_t>(numbers.size()));
  std::reverse(numbers.begin(), numbers.end());
  RC_ASSERT(median(numbers) == middle);
}

TEST(SteadyState, PlansSamplesForTheBudget) {
  Protocol protocol;
  protocol.budget_s = 0.06;
  protocol.wall_budget_s = 0.15;
  protocol.least_sample_s = 1e-3;
  protocol.min_samples = 5;
  protocol.max_samples = 40;
  // 10 us: 100 executions a sample of 1 ms; 60 samples would fit the 60 ms, the cap is 40.
  SamplePlan plan = plan_samples(10e-6, 0, false, protocol);
  EXPECT_EQ(plan.executions, 100);
  EXPECT_EQ(plan.samples, 40);
  // 1 ms with a flush of 14 ms before each: 150 ms / 15 ms = 10 samples of one execution.
  plan = plan_samples(1e-3, 14e-3, true, protocol);
  EXPECT_EQ(plan.executions, 1);
  EXPECT_EQ(plan.samples, 10);
  // 30 ms: two fit, but five is the least.
  EXPECT_EQ(plan_samples(30e-3, 14e-3, true, protocol).samples, 5);
  // 0.5 s is more than twice the budget: two executions say enough.
  EXPECT_EQ(plan_samples(0.5, 14e-3, true, protocol).samples, 2);
  // 1 s is more than ten times the budget: one.
  EXPECT_EQ(plan_samples(1.0, 14e-3, true, protocol).samples, 1);
  // Short, but each execution must be prepared: one execution a sample.
  EXPECT_EQ(plan_samples(10e-6, 14e-3, true, protocol).executions, 1);
}

std::vector<RawSample> samples_with_cpu(const std::vector<double>& cpu_shares) {
  std::vector<RawSample> samples;
  for (double share : cpu_shares) samples.push_back({0.010, 0.010 * share, 1});
  return samples;
}

TEST(SteadyState, RejectsSamplesThatLackedCpuTime) {
  // Two threads fully busy = 2.0; 97 % of it is 1.94.
  const auto clean = clean_samples(samples_with_cpu({2.0, 1.99, 1.90, 1.95, 1.0}), 2, Protocol{});
  ASSERT_EQ(clean.size(), 3u);
  EXPECT_NEAR(clean[2].cpu_s, 0.0195, kRoundOff);
}

TEST(SteadyState, AnOperationWithASerialPartIsJudgedByItsOwnShare) {
  // Never more than 1.5 of 2 threads: 0.97 x 1.5 = 1.455 is what an undisturbed sample has.
  EXPECT_EQ(clean_samples(samples_with_cpu({1.5, 1.5, 1.49, 1.5, 1.2}), 2, Protocol{}).size(), 4u);
}

TEST(SteadyState, MoreCpuTimeThanThreadsDoesNotRaiseTheBar) {
  // Spinning helpers can show 3.0 on "2 threads"; 2.0 is still a full share.
  EXPECT_EQ(clean_samples(samples_with_cpu({3.0, 3.0, 3.0, 2.0}), 2, Protocol{}).size(), 4u);
}

TEST(SteadyState, SummaryCountsExecutionsAndFlags) {
  Protocol protocol;
  protocol.min_samples = 3;
  protocol.budget_s = 1;
  // 4, 5 and 6 ms for two executions: 2, 2.5, 3 ms each.
  const std::vector<RawSample> samples = {{4e-3, 4e-3, 2}, {6e-3, 6e-3, 2}, {5e-3, 5e-3, 2}};
  const Measurement quiet = summarise(samples, 1, 0.0, protocol);
  EXPECT_NEAR(quiet.median_s, 2.5e-3, kRoundOff);
  EXPECT_NEAR(quiet.mad_s, 0.5e-3, kRoundOff);
  EXPECT_EQ(quiet.n, 3);
  EXPECT_THAT(quiet.flags, IsEmpty());
  EXPECT_THAT(summarise(samples, 1, 0.5, protocol).flags, ElementsAre("contended"));
  protocol.min_samples = 4;
  EXPECT_THAT(summarise(samples, 1, 0.0, protocol).flags, ElementsAre("few-samples"));
  protocol.budget_s = 0.015;  // 15 ms were timed: enough
  EXPECT_THAT(summarise(samples, 1, 0.0, protocol).flags, IsEmpty());
}

TEST(SteadyState, WhenMostSamplesAreDisturbedTheCleanOnesCountAndTheResultIsFlagged) {
  Protocol protocol;
  protocol.min_samples = 2;
  // Two of 10 ms with both CPUs, four of 20 ms that had one.
  std::vector<RawSample> samples = {{0.010, 0.020, 1}, {0.010, 0.020, 1}};
  for (int i = 0; i < 4; ++i) samples.push_back({0.020, 0.020, 1});
  const Measurement result = summarise(samples, 2, 0.0, protocol);
  EXPECT_EQ(result.n, 2);
  EXPECT_NEAR(result.median_s, 0.010, kRoundOff);
  EXPECT_THAT(result.flags, ElementsAre("contended"));
}

TEST(SteadyState, APointThatNeverHadItsThreadsIsContended) {
  Protocol protocol;
  protocol.budget_s = 0.01;
  const std::vector<RawSample> samples(6, {0.020, 0.020, 1});  // one CPU's worth throughout
  EXPECT_THAT(summarise(samples, 2, 0.0, protocol).flags, IsEmpty());
  protocol.least_parallelism = 1.5;  // others of its kind had two
  EXPECT_THAT(clean_samples(samples, 2, protocol), IsEmpty());
  const Measurement result = summarise(samples, 2, 0.0, protocol);
  EXPECT_THAT(result.flags, ElementsAre("contended"));
  EXPECT_EQ(result.n, 6);
  EXPECT_NEAR(result.parallelism, 1.0, kRoundOff);
}

/// A clock that a fake operation moves: every execution takes the next duration of a list, on `share` CPUs.
struct FakeTime {
  double wall = 100, cpu = 5, share = 2;
  std::vector<double> durations = {1e-3};
  std::size_t next = 0;
  Clocks clocks() {
    return {[this] { return wall; }, [this] { return cpu; }};
  }
  void execute() {
    const double took = durations[next++ % durations.size()];
    wall += took;
    cpu += share * took;
  }
};

TEST(BenchRun, CollectsEverySampleThroughGoogleBenchmark) {
  FakeTime time;
  time.durations = {1e-3, 2e-3, 3e-3};
  int prepared = 0;
  const Operation operation{"fake", [&] { time.execute(); },
                            [&] {
                              ++prepared;
                              time.wall += 1;  // preparing is nobody's time
                            },
                            true};
  const auto samples = run_benchmark(operation, {1, 3}, time.clocks());
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(prepared, 3);
  std::vector<double> walls;
  for (const RawSample& sample : samples) {
    walls.push_back(sample.wall_s);
    EXPECT_NEAR(sample.cpu_s, 2 * sample.wall_s, 1e-9);
    EXPECT_EQ(sample.executions, 1);
  }
  EXPECT_THAT(walls, ElementsAre(testing::DoubleNear(1e-3, 1e-9), testing::DoubleNear(2e-3, 1e-9),
                                 testing::DoubleNear(3e-3, 1e-9)));
}

TEST(BenchRun, SeveralExecutionsMakeOneSample) {
  FakeTime time;
  const auto samples = run_benchmark({"fake", [&] { time.execute(); }, {}, false}, {4, 2}, time.clocks());
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1].executions, 4);
  EXPECT_NEAR(samples[1].wall_s, 4e-3, 1e-9);
}

TEST(BenchRun, WhatTheOperationThrowsComesOut) {
  const Operation operation{"broken", [] { throw std::runtime_error("device fault"); }, {}, false};
  EXPECT_THROW(run_benchmark(operation, {1, 2}, Clocks::system()), std::runtime_error);
  // and the next benchmark runs as if nothing had been
  FakeTime time;
  EXPECT_EQ(run_benchmark({"fake", [&] { time.execute(); }, {}, false}, {1, 2}, time.clocks()).size(), 2u);
}

TEST(BenchRun, TheProtocolMeasuresTheFakeOperation) {
  FakeTime time;
  Protocol protocol;
  const LoadWatch watch(time.clocks(), "/nonexistent");
  const Measurement result = measure({"fake", [&] { time.execute(); }, {}, false}, 2, protocol, time.clocks(), watch);
  EXPECT_NEAR(result.median_s, 1e-3, 1e-9);
  EXPECT_EQ(result.n, 40);
  EXPECT_THAT(result.flags, IsEmpty());
}

TEST(BenchRun, ADisturbedRunIsMeasuredAgainAndFlagged) {
  FakeTime time;
  int executions = 0;
  const auto execute = [&] {
    // One in five samples gets both CPUs, the others less and less.
    time.share = ++executions % 5 == 0 ? 2.0 : 0.5 + 0.2 * (executions % 5);
    time.durations = {20e-3};
    time.execute();
  };
  const LoadWatch watch(time.clocks(), "/nonexistent");
  const Measurement result = measure({"fake", execute, {}, false}, 2, Protocol{}, time.clocks(), watch);
  EXPECT_THAT(result.flags, Contains("contended"));
  EXPECT_GT(executions, 2 + 5);  // warm-up, estimate, first round, and more
}

TEST(LoadWatch, ReadsCpuLists) {
  EXPECT_THAT(parse_cpu_list("0-2,5"), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(parse_cpu_list("7"), ElementsAre(7));
  EXPECT_THAT(parse_cpu_list(""), IsEmpty());
  EXPECT_THAT(parse_cpu_list("x,3"), ElementsAre(3));
}

constexpr const char* kStat =
    "cpu  400 0 100 1000 50 10 20 30 0 0\n"
    "cpu0 300 0 50 400 25 5 10 15 0 0\n"
    "cpu1 100 0 50 600 25 5 10 15 0 0\n"
    "intr 12345\n";

TEST(LoadWatch, AddsUpTheBusyTimeOfItsCpus) {
  // cpu1: user 100 + system 50 + irq 5 + softirq 10 + steal 15 = 180 ticks of 10 ms; idle and iowait do not count.
  EXPECT_NEAR(*busy_seconds(kStat, {1}, 100), 1.8, kRoundOff);
  EXPECT_NEAR(*busy_seconds(kStat, {0, 1}, 100), 3.8 + 1.8, kRoundOff);
  EXPECT_FALSE(busy_seconds(kStat, {9}, 100).has_value());
  EXPECT_FALSE(busy_seconds("", {0}, 100).has_value());
}

TEST(LoadWatch, ReadsPressure) {
  EXPECT_NEAR(*pressure_seconds("some avg10=4.27 avg60=1.86 avg300=0.67 total=4710262\nfull avg10=0.00 total=0\n"),
              4.710262, kRoundOff);
  EXPECT_FALSE(pressure_seconds("nothing of the kind").has_value());
}

TEST(LoadWatch, ForeignShareIsBusyMinusOwn) {
  LoadWatch watch(Clocks::system(), "/");
  ASSERT_GE(watch.cpus(), 1);
  const double cpus = watch.cpus();
  const LoadWatch::Reading from{10, 3, 100, std::nullopt};
  // 2 s later: all CPUs busy a fifth of the time, of which this process nothing.
  EXPECT_NEAR(watch.foreign_share(from, {12, 3, 100 + 0.4 * cpus, std::nullopt}), 0.2, 1e-9);
  // All of the busy time was ours.
  EXPECT_NEAR(watch.foreign_share(from, {12, 3 + 0.4 * cpus, 100 + 0.4 * cpus, std::nullopt}), 0.0, 1e-9);
  // Tasks waited for half of the time: that is contention, whoever was busy.
  EXPECT_NEAR(watch.foreign_share({10, 3, 100, 1.0}, {12, 3, 100, 2.0}), 0.5, 1e-9);
  // Nothing readable: nothing claimed.
  EXPECT_EQ(watch.foreign_share({10, 3, std::nullopt, std::nullopt}, {12, 3, std::nullopt, std::nullopt}), 0);
}

}  // namespace
}  // namespace weir::probes
