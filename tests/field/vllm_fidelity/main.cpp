// vllm_fidelity: simulates a measured run of vLLM from the profile of its kernels and compares the latencies.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "data/errors.h"
#include "tests/field/vllm_fidelity/fidelity.h"

namespace weir::field {
namespace {

constexpr int kPasses = 0, kFails = 1, kWrongUsage = 2, kBadInput = 3;

void print(const Report& report) {
  std::printf("  %-9s %-5s %12s %12s %8s\n", "", "", "measured", "simulated", "error");
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    for (std::size_t s = 0; s < kStatistics.size(); ++s) {
      const Figure& f = report.figures[q][s];
      std::printf("  %-9s %-5s %9.3f ms %9.3f ms %+7.2f%%\n", s == 0 ? kQuantities[q] : "", kStatistics[s],
                  f.measured * 1e3, f.simulated * 1e3, f.error() * 100);
    }
  }
  std::printf("  mean absolute error %.2f%%, largest %.2f%%\n", report.mean_error * 100, report.largest_error * 100);
}

int check(FidelityOptions options) {
  const FidelityCase c = prepare(options);
  std::printf("%s: %s on %s, vLLM %s, TP %d x DP %d, %zu requests\n", options.run.filename().c_str(),
              c.meta.model.c_str(), c.gpu.c_str(), c.meta.engine_version.c_str(), c.meta.tensor_parallel,
              c.meta.data_parallel, c.measured.size());
  std::printf("  batch %lld, budget %lld tokens, %lld KV blocks of %lld, prefix cache %s, %d steps in flight\n",
              static_cast<long long>(c.rules.max_batch), static_cast<long long>(c.rules.token_budget),
              static_cast<long long>(c.rules.kv_blocks), static_cast<long long>(c.rules.block_tokens),
              c.rules.prefix_cache ? "on" : "off", c.rules.steps_in_flight);
  for (const std::string& assumption : c.assumptions) std::printf("  assumed: %s\n", assumption.c_str());
  const SimulatedRun run = simulate_run(c);
  const Report report = compare(c.measured, run);
  std::printf("  %lld steps, %lld preemptions\n", static_cast<long long>(run.steps),
              static_cast<long long>(run.preemptions));
  print(report);

  if (c.meta.data_parallel > 1 || c.meta.tensor_parallel > 1) {  // what hangs on the link, which nobody measured
    options.link_latency_s *= 2;
    const FidelityCase slower = prepare(options);
    std::printf("The same with collectives of %.0f us + bytes / %.0f GB/s (not judged):\n",
                options.link_latency_s * 1e6, options.link_bytes_per_s / 1e9);
    print(compare(slower.measured, simulate_run(slower)));
  }
  const Gate gate = gate_of(c);
  const bool passes = gate.passes(report);
  std::printf("  gate: TTFT within %.1f%%, TPOT and latency within %.1f%%: %s\n", gate.ttft * 100, gate.others * 100,
              passes ? "passes" : "FAILS");
  return passes ? kPasses : kFails;
}

}  // namespace
}  // namespace weir::field

int main(int argc, char** argv) {
  using namespace weir::field;
  CLI::App app(
      "Simulates a measured run of vLLM and compares. Exit code 0: every figure within the gate; 1: not; 3: input.");
  FidelityOptions options;
  app.add_option("--run", options.run, "folder with meta.json and requests.jsonl")->required();
  app.add_option("--profile", options.profile, "folder with meta.yaml and tpN/*.csv (bf16)")->required();
  app.add_option("--sharing", options.sharing, "which prompts share leading blocks: LATER<EARLIER:BLOCKS ...");
  app.add_option("--arrivals", options.arrivals, "lines with arrival_time_ns, by index");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    const int code = app.exit(end);
    return code == 0 ? 0 : kWrongUsage;
  }
  if (!options.run.has_filename()) options.run = options.run.parent_path();  // "runs/x/"
  try {
    return check(options);
  } catch (const weir::data::InputError& error) {
    std::fprintf(stderr, "vllm_fidelity: %s\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vllm_fidelity: %s\n", error.what());
    return kFails;
  }
}
