#include "probes/bench_run.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <exception>

namespace weir::probes {
namespace {

constexpr const char* kCpuCounter = "cpu_s";

/// Turns Google Benchmark's runs (one a repetition) into samples; prints nothing.
class SampleCollector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const auto cpu = run.counters.find(kCpuCounter);
      samples.push_back({run.real_accumulated_time, cpu == run.counters.end() ? 0.0 : static_cast<double>(cpu->second),
                         static_cast<long>(run.iterations)});
    }
  }
  std::vector<RawSample> samples;
};

/// One repetition. Manual time: what prepare() takes is in nobody's sample.
void run_repetition(benchmark::State& state, const Operation& operation, const Clocks& clocks,
                    std::exception_ptr& failure) {
  try {
    if (operation.prepare) operation.prepare();
    const double cpu_from_s = clocks.cpu_s();
    double from_s = clocks.wall_s();
    for (auto _ : state) {
      operation.execute();
      const double now_s = clocks.wall_s();
      state.SetIterationTime(now_s - from_s);
      from_s = now_s;
    }
    state.counters[kCpuCounter] = clocks.cpu_s() - cpu_from_s;
  } catch (...) {
    failure = std::current_exception();
    state.SkipWithError("the operation failed");
  }
}

/// Seconds of one execution, and of the preparing before it.
struct Estimate {
  double once_s = 0, between_s = 0;
};

Estimate estimate(const Operation& operation, const Clocks& clocks, double long_s) {
  Estimate result;
  const double start_s = clocks.wall_s();
  operation.execute();  // makes what is made once: code of oneDNN, pages
  result.once_s = clocks.wall_s() - start_s;
  const double from_s = clocks.wall_s();
  if (operation.prepare) operation.prepare();
  const double prepared_s = clocks.wall_s();
  result.between_s = prepared_s - from_s;
  if (result.once_s >= long_s) return result;  // a long one is not run again only to know how long it takes
  operation.execute();
  result.once_s = clocks.wall_s() - prepared_s;
  return result;
}

}  // namespace

std::vector<RawSample> run_benchmark(const Operation& operation, const SamplePlan& plan, const Clocks& clocks) {
  std::exception_ptr failure;
  SampleCollector collector;
  benchmark::RegisterBenchmark(operation.name.c_str(),
                               [&](benchmark::State& state) { run_repetition(state, operation, clocks, failure); })
      ->UseManualTime()
      ->Iterations(plan.executions)
      ->Repetitions(plan.samples);
  benchmark::RunSpecifiedBenchmarks(&collector, ".*");
  benchmark::ClearRegisteredBenchmarks();
  if (failure) std::rethrow_exception(failure);
  return std::move(collector.samples);
}

Measurement measure(const Operation& operation, int threads, const Protocol& protocol, const Clocks& clocks,
                    const LoadWatch& watch) {
  const Estimate cost = estimate(operation, clocks, protocol.budget_s);
  SamplePlan plan = plan_samples(cost.once_s, cost.between_s, operation.single, protocol);
  std::vector<RawSample> samples;
  const LoadWatch::Reading from = watch.read();
  for (int round = 0; round < protocol.rounds; ++round) {
    const std::vector<RawSample> more = run_benchmark(operation, plan, clocks);
    samples.insert(samples.end(), more.begin(), more.end());
    const auto clean = static_cast<int>(clean_samples(samples, threads, protocol).size());
    if (clean >= std::min(plan.samples, protocol.min_samples)) break;
    plan.samples = std::max(1, plan.samples / 2);
  }
  return summarise(samples, threads, watch.foreign_share(from, watch.read()), protocol);
}

}  // namespace weir::probes
