// Whether fast-forward is the same as step by step also over runs too long for the tests:
//   cmake --build BUILD --target long_run && BUILD/tests/bench/long_run --requests=10000000
// Every request's record, every histogram and every sum of the replica must be equal. Exit code 1 when one is not.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/fleet/fleet.h"
#include "sim/metrics/run_metrics.h"
#include "sim/serving/affine_scheduler.h"
#include "tests/bench/drawn_source.h"
#include "tests/bench/llama3_tables.h"

namespace weir::bench {
namespace {

struct Load {
  std::string name;
  sim::Policy policy;
  std::int64_t token_budget, kv_blocks;
  double per_s;
};

/// Folds every record into one number, in whatever order they come.
class Digest final : public sim::RequestSink {
 public:
  void left(const sim::RequestRecord& record) override {
    const sim::ServedRequest& s = record.served;
    std::uint64_t hash = mix(s.request.index + 1);
    for (const sim::Time at : {s.admitted, s.first, record.done, s.preempted_for, s.preempted_before_first}) {
      hash = mix(hash ^ static_cast<std::uint64_t>(at.ticks()));
    }
    sum_ += mix(hash ^ static_cast<std::uint64_t>(s.preemptions));
  }
  std::uint64_t sum() const { return sum_; }

 private:
  static std::uint64_t mix(std::uint64_t x) {  // finaliser of splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  std::uint64_t sum_ = 0;
};

struct Outcome {
  sim::RunMetrics metrics;
  sim::FleetTotals totals;
  std::uint64_t digest = 0;
};

sim::RunMetrics metrics_of_one_class() {
  sim::MetricsSpec spec;
  spec.class_names = {"conversation"};
  spec.slo.resize(1);
  spec.series_step = sim::Time::from_seconds(60);
  return sim::RunMetrics(spec);
}

template <class S, class Timing, class Make>
Outcome run(const Timing& timing, const Make& make, bool jumps, sim::DrawnSource source) {
  Outcome outcome{metrics_of_one_class(), {}, 0};
  const data::Progress none;
  Digest digest;
  sim::RunContext context{.metrics = outcome.metrics, .progress = none, .sink = &digest};
  sim::Fleet<S, Timing> fleet(1, make, timing, 1, jumps, 0, {sim::ClassDemand{}}, context);
  fleet.run(source, source.next());
  outcome.metrics.settle();
  outcome.totals = fleet.totals();
  outcome.digest = digest.sum();
  return outcome;
}

template <class S>
Outcome run_fast(const TablesTimer& timer, const sim::Rules& rules, sim::DrawnSource source) {
  return run<S>(
      sim::TableTiming{*timer.tables(), timer}, [&] { return std::make_unique<S>(rules); }, true, std::move(source));
}

bool compare(const Load& load, const TablesTimer& timer, const Lengths& lengths, std::int64_t requests) {
  sim::Rules rules;
  rules.policy = load.policy;
  rules.max_batch = 128;
  rules.token_budget = load.token_budget;
  rules.kv_blocks = load.kv_blocks;
  rules.watermark_blocks = load.kv_blocks / 100;
  const auto source = [&] { return drawn_source(lengths, load.per_s, requests, 1); };
  const Outcome fast = sim::PlainAffineScheduler::can_follow(rules)
                           ? run_fast<sim::PlainAffineScheduler>(timer, rules, source())
                           : run_fast<sim::AffineScheduler>(timer, rules, source());
  const Outcome step = run<sim::Scheduler>(
      sim::VirtualTiming{timer}, [&] { return sim::make_scheduler(data::WorkloadKind::generative, rules, false); },
      false, source());
  const bool records = fast.digest == step.digest, metrics = fast.metrics == step.metrics;
  const bool totals = fast.totals == step.totals;
  std::cout << load.name << ": " << requests << " requests, " << static_cast<std::int64_t>(step.totals.all_work().steps)
            << " steps, " << step.totals.scheduler.preemptions << " preemptions; records "
            << (records ? "equal" : "DIFFER") << ", metrics with histograms " << (metrics ? "equal" : "DIFFER")
            << ", sums " << (totals ? "equal" : "DIFFER") << std::endl;
  return records && metrics && totals;
}

int main(int argc, char** argv) {
  std::int64_t requests = 10'000'000;
  const std::string given = argc > 1 ? argv[1] : "";
  if (given.rfind("--requests=", 0) == 0) requests = std::strtoll(given.c_str() + 11, nullptr, 10);
  const char* field_data = std::getenv("WEIR_FIELD_DATA");
  if (field_data == nullptr) {
    std::cerr << "long_run: set WEIR_FIELD_DATA to the folder of the field data (data/vidur, data/traces)\n";
    return 2;
  }
  const std::filesystem::path data = std::filesystem::path(field_data) / "data";
  const TablesTimer timer(llama3_tables(data / "vidur/predictions/l3_a100_tp1"));
  const Lengths lengths = azure_lengths(data / "traces/azure-llm-2023/AzureLLMInferenceTrace_conv.csv");
  bool equal = true;
  for (const Load& load : {Load{"chunked 512, 80 % of capacity", sim::Policy::chunked, 512, 30'208, 6.22},
                           Load{"continuous, 80 % of capacity", sim::Policy::continuous, 4096, 30'208, 5.72},
                           Load{"chunked 512, 3000 blocks, overloaded", sim::Policy::chunked, 512, 3000, 6.22}}) {
    equal = compare(load, timer, lengths, requests) && equal;
  }
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) { return weir::bench::main(argc, argv); }
