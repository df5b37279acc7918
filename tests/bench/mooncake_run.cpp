// The Mooncake conversation trace, whose prompts have hashes, over and over through a fleet with prefix caches:
//   cmake --build BUILD --target mooncake_run && BUILD/tests/bench/mooncake_run --requests=14000000
// First what the fleet serves when more is offered than it can, then that times 0.7 over so many requests. Memory must
// not grow with the requests.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "data/import/trace_import.h"
#include "sim/fleet/simulate.h"
#include "sim/workload/replay_trace.h"
#include "tests/bench/llama3_tables.h"

namespace weir::bench {
namespace {

struct Settings {
  std::int64_t requests = 14'000'000;
  int replicas = 8;
  std::string policy = "chunked", router = "affinity";
  int token_budget = 2048;
  bool prefix_cache = true, step_by_step = false;
};

Settings read_settings(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    const std::string_view given = argv[i];
    const auto value = [&](std::string_view name) {
      return given.starts_with(name) ? argv[i] + name.size() : static_cast<char*>(nullptr);
    };
    if (const char* n = value("--requests=")) s.requests = std::strtoll(n, nullptr, 10);
    if (const char* n = value("--replicas=")) s.replicas = static_cast<int>(std::strtol(n, nullptr, 10));
    if (const char* n = value("--token-budget=")) s.token_budget = static_cast<int>(std::strtol(n, nullptr, 10));
    if (const char* name = value("--policy=")) s.policy = name;
    if (const char* name = value("--router=")) s.router = name;
    if (given == "--no-prefix-cache") s.prefix_cache = false, s.router = "least-outstanding";
    if (given == "--step-by-step") s.step_by_step = true;
  }
  return s;
}

/// The most memory the process has had, MB.
double peak_rss_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

class Runs {
 public:
  Runs(const Settings& settings, const TablesTimer& timer, const data::Trace& trace)
      : settings_(settings), timer_(timer), trace_(trace) {
    workload_.name = "conversation";
    serving_.policy = settings.policy;
    serving_.token_budget = settings.token_budget;
    serving_.max_batch = 128;
    serving_.prefix_cache = settings.prefix_cache;
    serving_.router = settings.router;
    fleet_.replicas = settings.replicas;
    fleet_.kv_tokens = 30'208 * 16;  // as in the peer's run of this deployment
  }

  /// `requests`, rounded up to whole passes, `rate_scale` times as fast as they were recorded.
  sim::RunResult run(double rate_scale, std::int64_t requests) const {
    const auto rows = static_cast<std::int64_t>(trace_.requests.size());
    const data::TraceReference reference{.file = trace_.name,
                                         .rate_scale = rate_scale,
                                         .window_begin_s = {},
                                         .window_end_s = {},
                                         .repeat = static_cast<int>((requests + rows - 1) / rows)};
    sim::RequestList list;
    list.class_names = {"conversation"};
    auto contents = std::make_shared<sim::PromptContents>();
    sim::replay_trace(trace_, reference, false, {1.0}, 1, list, *contents, true);
    list.contents = contents;
    sim::ListSource source(list);
    sim::SimulateOptions options;
    if (settings_.step_by_step) options.stepping = sim::Stepping::step_by_step;
    return sim::simulate(workload_, serving_, source, fleet_, timer_, options);
  }

 private:
  const Settings& settings_;
  const TablesTimer& timer_;
  const data::Trace& trace_;
  data::Workload workload_;
  data::Serving serving_;
  sim::FleetSpec fleet_;
};

int main(int argc, char** argv) {
  const Settings settings = read_settings(argc, argv);
  const char* field_data = std::getenv("WEIR_FIELD_DATA");
  if (field_data == nullptr) {
    std::cerr << "mooncake_run: set WEIR_FIELD_DATA to the folder of the field data (data/vidur, data/traces)\n";
    return 2;
  }
  const std::filesystem::path data = std::filesystem::path(field_data) / "data";
  const TablesTimer timer(llama3_tables(data / "vidur/predictions/l3_a100_tp1"));
  const data::Trace trace = data::import_trace(data / "traces/mooncake-fast25/conversation_trace.jsonl");
  const Runs runs(settings, timer, trace);
  const auto rows = static_cast<double>(trace.requests.size());
  const double recorded_per_s = rows / (static_cast<double>(trace.requests.back().arrival_ns) * 1e-9);
  std::cout << std::setprecision(4) << "Llama-3-8B on " << settings.replicas << " A100, " << settings.policy << " "
            << settings.token_budget << ", prefix cache " << (settings.prefix_cache ? "on" : "off") << ", router "
            << settings.router << "; the trace has " << recorded_per_s << " requests/s\n";

  constexpr std::int64_t kOverloaded = 60'000;
  const double capacity_per_s = runs.run(2, kOverloaded).requests_per_s;
  const double per_s = 0.7 * capacity_per_s;
  std::cout << "capacity " << capacity_per_s << " requests/s; offered " << per_s << std::endl;
  for (const std::int64_t requests : {settings.requests / 14, settings.requests}) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu_begin = std::clock();
    const sim::RunResult result = runs.run(per_s / recorded_per_s, requests);
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double cpu_s = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
    std::cout << result.requests.completed << " requests in " << wall_s << " s (" << cpu_s
              << " s of one core): " << static_cast<double>(result.requests.completed) / cpu_s / 1000
              << " k requests/s; peak memory " << peak_rss_mb() << " MB; hit rate "
              << result.prefix_cache_hit_rate.value_or(0) << ", TTFT p50 " << result.latency.ttft.p50 << " s p99 "
              << result.latency.ttft.p99 << " s, TPOT p50 " << result.latency.tpot.p50 << " s, preemptions "
              << result.preemptions << ", " << result.exactness << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) { return weir::bench::main(argc, argv); }
