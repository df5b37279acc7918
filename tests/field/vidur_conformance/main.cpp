// vidur_conformance: gives our simulator a run of Vidur's (its config, its trace, its predicted operator times) and
// compares when each request was scheduled, got its first token and was done.

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "data/errors.h"
#include "tests/field/vidur_conformance/conformance.h"
#include "tests/field/vidur_conformance/vidur_iterations.h"
#include "tests/field/vidur_conformance/vidur_timer.h"

namespace weir::field {
namespace {

constexpr int kConforms = 0, kDeviates = 1, kWrongUsage = 2, kBadInput = 3;

struct Options {
  std::filesystem::path run, trace, predictions;
  std::string stepping = "all";
  double tolerance_s = 1e-6;
};

struct Mode {
  const char* name;
  sim::Stepping stepping;
};
constexpr Mode kModes[] = {{"fast-forward", sim::Stepping::fast_forward},
                           {"jumps", sim::Stepping::jumps},
                           {"step-by-step", sim::Stepping::step_by_step}};

std::string deviation_text(const Deviation& d) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2e s (request %zu)", d.seconds, d.request);
  return text;
}

void print(const char* mode, const Comparison& c) {
  std::printf("  %-12s  scheduled %s  first token %s  completed %s  restarts %lld of %lld", mode,
              deviation_text(c.scheduled).c_str(), deviation_text(c.first_token).c_str(),
              deviation_text(c.completed).c_str(), static_cast<long long>(c.restarts),
              static_cast<long long>(c.expected_restarts));
  if (c.other_restarts > 0) std::printf(", %zu requests with another count", c.other_restarts);
  if (c.not_served > 0) std::printf(", %zu requests not served", c.not_served);
  std::printf("\n");
}

/// Where the run recorded its iterations, ours must be the same, one by one.
bool same_iterations(const Options& options, const VidurRun& run, const std::vector<VidurRequest>& requests,
                     const VidurTimer& timer) {
  const std::filesystem::path file = options.run / "iterations.csv";
  if (run.replicas > 1 || !std::filesystem::exists(file)) return true;
  const RecordingTimer recording(timer);
  simulate_vidur(run, requests, recording, sim::Stepping::step_by_step);
  const std::string difference = first_difference(read_vidur_iterations(file), recording.recorded());
  std::printf("  iterations: %s\n", difference.empty()
                                        ? ("all " + std::to_string(recording.recorded().size()) + " the same").c_str()
                                        : difference.c_str());
  return difference.empty();
}

int conform(const Options& options) {
  const VidurRun run = read_vidur_run(options.run);
  const VidurTimer timer(options.predictions, run);
  const std::vector<VidurRequest> requests = read_vidur_trace(options.trace, run);
  const std::vector<VidurAnswer> expected = read_vidur_answers(options.run / "requests.csv", requests);
  std::printf("%s: %s, %zu requests, %d replica%s x TP%d, %lld blocks of %lld\n", options.run.filename().c_str(),
              run.scheduler.c_str(), requests.size(), run.replicas, run.replicas == 1 ? "" : "s", run.tensor_parallel,
              static_cast<long long>(run.rules.kv_blocks), static_cast<long long>(run.rules.block_tokens));

  double largest_s = 0;
  bool conforms = true;
  for (const Mode& mode : kModes) {
    if (options.stepping != "all" && options.stepping != mode.name) continue;
    const Comparison c = compare(expected, simulate_vidur(run, requests, timer, mode.stepping));
    print(mode.name, c);
    for (const Deviation& d : {c.scheduled, c.first_token, c.completed}) largest_s = std::max(largest_s, d.seconds);
    conforms = conforms && c.within(options.tolerance_s);
  }
  conforms = same_iterations(options, run, requests, timer) && conforms;
  std::printf("  largest deviation %.2e s, tolerance %.2e s: %s\n", largest_s, options.tolerance_s,
              conforms ? "conforms" : "DEVIATES");
  return conforms ? kConforms : kDeviates;
}

}  // namespace
}  // namespace weir::field

int main(int argc, char** argv) {
  using namespace weir::field;
  CLI::App app(
      "Compares our answers with those of a run of Vidur. Exit code 0: within the tolerance; 1: not; 3: input.");
  Options options;
  app.add_option("--run", options.run, "folder with config.json, requests.csv, summary.json")->required();
  app.add_option("--trace", options.trace, "the run's trace: arrived_at, num_prefill_tokens, num_decode_tokens")
      ->required();
  app.add_option("--predictions", options.predictions, "folder with the predicted times of its operators")->required();
  app.add_option("--stepping", options.stepping, "how to get through the steps")
      ->check(CLI::IsMember({"all", "fast-forward", "jumps", "step-by-step"}));
  app.add_option("--tolerance", options.tolerance_s, "seconds")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    const int code = app.exit(end);
    return code == 0 ? 0 : kWrongUsage;
  }
  try {
    return conform(options);
  } catch (const weir::data::InputError& error) {
    std::fprintf(stderr, "vidur_conformance: %s\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vidur_conformance: %s\n", error.what());
    return kDeviates;
  }
}
