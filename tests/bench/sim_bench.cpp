// How fast the serving core runs, by policy, load and what is asked of it:
//   cmake --build BUILD --target sim_bench && BUILD/tests/bench/sim_bench --requests=1000000
// Rates are per second of CPU time of one thread.

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/import/trace_import.h"
#include "sim/fleet/fleet.h"
#include "sim/metrics/run_metrics.h"
#include "sim/serving/affine_scheduler.h"
#include "sim/workload/replay_trace.h"
#include "tests/bench/drawn_source.h"
#include "tests/bench/llama3_tables.h"

namespace weir::bench {
namespace {

/// What all benchmarks share: the deployment and the demand.
struct Setting {
  TablesTimer timer;
  Lengths lengths;
  sim::RequestList prompts;  ///< with what they hold
};

struct Variant {
  std::string name;
  sim::Policy policy = sim::Policy::chunked;
  std::int64_t token_budget = 512;
  double per_s = 0;  ///< of one replica
  int replicas = 1;
  bool independent = false;   ///< each replica has its own demand, and all are visited in turn
  bool step_by_step = false;  ///< every step and every request by itself
  bool prefix_cache = false;
  bool known_prompts = false;   ///< the demand whose prompts have hashes
  bool write_requests = false;  ///< a line of CSV a request
};

sim::Rules rules_of(const Variant& variant) {
  sim::Rules rules;
  rules.policy = variant.policy;
  rules.max_batch = 128;
  rules.token_budget = variant.token_budget;
  rules.kv_blocks = 30'208;  // as in the peer's run of this deployment
  rules.block_tokens = 16;
  rules.watermark_blocks = rules.kv_blocks / 100;
  rules.prefix_cache = variant.prefix_cache;
  return rules;
}

sim::RunMetrics metrics_for(const std::vector<std::string>& classes) {
  sim::MetricsSpec spec;
  spec.class_names = classes;
  spec.slo.resize(classes.size());
  spec.series_step = sim::Time::from_seconds(60);
  return sim::RunMetrics(spec);
}

/// One line a request, as a user's analysis would want it.
class CsvSink final : public sim::RequestSink {
 public:
  explicit CsvSink(const std::filesystem::path& path) : file_(path) {}
  void left(const sim::RequestRecord& record) override {
    const sim::ServedRequest& s = record.served;
    std::array<char, 160> line{};
    char* at = line.data();
    for (const std::int64_t number :
         {static_cast<std::int64_t>(s.request.index), s.request.arrival.ticks(), s.admitted.ticks(), s.first.ticks(),
          record.done.ticks(), std::int64_t{s.request.input_tokens}, std::int64_t{s.request.output_tokens}}) {
      at = std::to_chars(at, line.data() + line.size() - 1, number).ptr;
      *at++ = ',';
    }
    at[-1] = '\n';
    file_.write(line.data(), at - line.data());
  }

 private:
  std::ofstream file_;
};

/// The most memory the process has had since reset_peak(), MB.
double peak_rss_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << '5'; }

/// What a run did.
struct Done {
  std::int64_t requests = 0, steps = 0;
  double served_per_s = 0;  ///< simulated seconds, one replica
  void add(const sim::FleetTotals& sums, std::int64_t served, const sim::RunResult& result) {
    requests += served;
    steps += static_cast<std::int64_t>(sums.all_work().steps);
    served_per_s = result.requests_per_s / result.replicas;
  }
};

/// All replicas behind one router, through the loop that simulate() runs.
template <class S, class Timing, class Make>
void run_fleet(const Variant& v, sim::RequestSource& source, const Timing& timing, const Make& make, Done& done) {
  sim::RunMetrics metrics = metrics_for(source.class_names());
  const data::Progress none;
  std::optional<CsvSink> sink;
  if (v.write_requests) sink.emplace(std::filesystem::temp_directory_path() / "sim_bench_requests.csv");
  sim::RunContext context{.metrics = metrics, .progress = none, .sink = sink ? &*sink : nullptr};
  sim::Fleet<S, Timing> fleet(v.replicas, make, timing, 1, !v.step_by_step, 0, {sim::ClassDemand{}}, context);
  fleet.run(source, source.next());
  sim::RunResult result;
  result.replicas = v.replicas;
  metrics.fill(result, v.replicas, true);
  const sim::FleetTotals totals = fleet.totals();
  done.add(totals, metrics.departed(), result);
}

/// One replica with its own demand, advanced by one arrival at a time.
class Lane {
 public:
  using Replica = sim::Replica<sim::PlainAffineScheduler, sim::TableTiming>;
  Lane(const Variant& v, const Setting& setting, std::int64_t requests, std::uint64_t seed, sim::RunContext& context)
      : source_(drawn_source(setting.lengths, v.per_s, requests, seed)),
        router_(sim::RouterRules{}, 1),
        replica_(0, std::make_unique<sim::PlainAffineScheduler>(rules_of(v)),
                 sim::TableTiming{*setting.timer.tables(), setting.timer}, 1, true, context, router_),
        context_(context),
        batch_(source_.next()) {}

  /// False when its demand has come to an end.
  bool visit() {
    if (at_ == batch_.size()) {
      batch_ = source_.next();
      at_ = 0;
      if (batch_.empty()) {
        replica_.advance(sim::Time::never());
        replica_.settle();
        return false;
      }
    }
    const sim::SimRequest& r = batch_[at_++];
    replica_.advance(r.arrival);
    context_.tick();
    context_.metrics.arrived(r.arrival);
    sim::QueuedRequest request;
    request.index = index_++;
    request.arrival = r.arrival;
    request.input_tokens = r.input_tokens;
    request.output_tokens = r.output_tokens;
    if (replica_.submit(request, r.arrival)) replica_.start(r.arrival);
    return true;
  }
  sim::ReplicaTotals totals() const { return replica_.totals(); }

 private:
  sim::DrawnSource source_;
  sim::Router router_;
  Replica replica_;
  sim::RunContext& context_;
  std::span<const sim::SimRequest> batch_;
  std::size_t at_ = 0;
  std::uint64_t index_ = 0;
};

void run_independent(const Variant& v, const Setting& setting, std::int64_t requests, Done& done) {
  sim::RunMetrics metrics = metrics_for({"conversation"});
  const data::Progress none;
  sim::RunContext context{.metrics = metrics, .progress = none, .sink = nullptr};
  std::deque<Lane> lanes;
  for (int i = 0; i < v.replicas; ++i) {
    lanes.emplace_back(v, setting, requests / v.replicas, static_cast<std::uint64_t>(i + 1), context);
  }
  for (bool more = true; more;) {
    more = false;
    for (Lane& lane : lanes) more = lane.visit() || more;
  }
  sim::RunResult result;
  result.replicas = v.replicas;
  metrics.fill(result, v.replicas, true);
  sim::FleetTotals totals;
  for (const Lane& lane : lanes) totals.add(lane.totals());
  done.add(totals, metrics.departed(), result);
}

void run(const Variant& v, const Setting& setting, std::int64_t requests, Done& done) {
  if (v.independent) return run_independent(v, setting, requests, done);
  std::unique_ptr<sim::RequestSource> source;
  if (v.known_prompts) {
    source = std::make_unique<sim::ListSource>(setting.prompts);
  } else {
    source = std::make_unique<sim::DrawnSource>(drawn_source(setting.lengths, v.per_s * v.replicas, requests, 1));
  }
  const sim::Rules rules = rules_of(v);
  const sim::TableTiming tables{*setting.timer.tables(), setting.timer};
  if (!v.step_by_step && sim::PlainAffineScheduler::can_follow(rules)) {
    const auto make = [&] { return std::make_unique<sim::PlainAffineScheduler>(rules); };
    run_fleet<sim::PlainAffineScheduler>(v, *source, tables, make, done);
  } else if (!v.step_by_step && sim::AffineScheduler::can_follow(rules)) {
    const auto make = [&] { return std::make_unique<sim::AffineScheduler>(rules); };
    run_fleet<sim::AffineScheduler>(v, *source, tables, make, done);
  } else {
    const auto make = [&] { return sim::make_scheduler(data::WorkloadKind::generative, rules, false); };
    run_fleet<sim::Scheduler>(v, *source, sim::VirtualTiming{setting.timer}, make, done);
  }
}

void measure(benchmark::State& state, const Setting& setting, const Variant& v, std::int64_t requests) {
  reset_peak();
  Done done;
  for (auto _ : state) run(v, setting, requests, done);
  using benchmark::Counter;
  state.counters["requests_per_s"] = Counter(static_cast<double>(done.requests), Counter::kIsRate);
  state.counters["iterations_per_s"] = Counter(static_cast<double>(done.steps), Counter::kIsRate);
  state.counters["iterations_per_request"] = static_cast<double>(done.steps) / static_cast<double>(done.requests);
  state.counters["simulated_per_s"] = done.served_per_s;
  state.counters["peak_rss_mb"] = peak_rss_mb();
}

/// Requests/s that one replica serves when more are offered, as `load_1.1` of the same policy finds it.
constexpr double kCapacity512 = 7.78, kCapacity2048 = 7.42, kCapacityContinuous = 7.15;

std::vector<Variant> variants() {
  const std::string base = "llama3_8b_a100_azure_conv/";
  const double per_s = 0.8 * kCapacity512;
  std::vector<Variant> all;
  all.push_back({.name = base + "fast_forward", .per_s = per_s});
  all.push_back({.name = base + "step", .per_s = per_s, .step_by_step = true});
  for (const char* load : {"0.05", "0.2", "0.5", "0.95", "1.1"}) {
    all.push_back({.name = base + "load_" + load, .per_s = std::strtod(load, nullptr) * kCapacity512});
  }
  all.push_back({.name = base + "chunked_2048", .token_budget = 2048, .per_s = 0.8 * kCapacity2048});
  all.push_back({.name = base + "continuous",
                 .policy = sim::Policy::continuous,
                 .token_budget = 4096,
                 .per_s = 0.8 * kCapacityContinuous});
  all.push_back({.name = base + "independent_64", .per_s = per_s, .replicas = 64, .independent = true});
  all.push_back({.name = base + "routed_8", .per_s = per_s, .replicas = 8});
  all.push_back({.name = base + "requests_written", .per_s = per_s, .write_requests = true});
  all.push_back({.name = "llama3_8b_a100_mooncake/no_prefix_cache", .known_prompts = true});
  all.push_back({.name = "llama3_8b_a100_mooncake/prefix_cache", .prefix_cache = true, .known_prompts = true});
  return all;
}

/// A trace whose prompts have hashes, slowed down to what one replica can serve.
sim::RequestList known_prompts(const std::filesystem::path& trace) {
  data::TraceReference reference;
  reference.rate_scale = 0.2;
  sim::RequestList list;
  list.class_names = {"conversation"};
  auto contents = std::make_shared<sim::PromptContents>();
  sim::replay_trace(data::import_trace(trace), reference, false, {1.0}, 1, list, *contents);
  list.contents = contents;
  return list;
}

int main(int argc, char** argv) {
  std::int64_t requests = 1'000'000;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--requests=", 0) == 0) {
      requests = std::strtoll(argument.c_str() + 11, nullptr, 10);
    } else {
      argv[kept++] = argv[i];
    }
  }
  const char* field_data = std::getenv("WEIR_FIELD_DATA");
  if (field_data == nullptr) {
    std::cerr << "sim_bench: set WEIR_FIELD_DATA to the folder of the field data (data/vidur, data/traces)\n";
    return 1;
  }
  const std::filesystem::path data = std::filesystem::path(field_data) / "data";
  const Setting setting{TablesTimer(llama3_tables(data / "vidur/predictions/l3_a100_tp1")),
                        azure_lengths(data / "traces/azure-llm-2023/AzureLLMInferenceTrace_conv.csv"),
                        known_prompts(data / "traces/mooncake-fast25/conversation_trace.jsonl")};
  const std::vector<Variant> all = variants();
  for (const Variant& v : all) {
    benchmark::RegisterBenchmark(v.name.c_str(), [&](benchmark::State& state) {
      measure(state, setting, v, requests);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&kept, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) { return weir::bench::main(argc, argv); }
