#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/time.h"
#include "sim/serving/rules.h"

namespace weir::field {

/// What a run of Vidur (github.com/microsoft/vidur, 7d47513) was told, from its config.json.
struct VidurRun {
  std::string scheduler;  ///< as Vidur calls it: "vllm" or "sarathi"
  int replicas = 1;       ///< requests go to them in turn
  int tensor_parallel = 1;
  sim::Rules rules;

  int layers = 1;
  bool grouped_queries = false;  ///< fewer key-value heads than query heads
  bool post_attention_norm = true;
  double decode_batching_overhead = 0, prefill_batching_overhead = 0;  ///< shares, for grouped queries only
  double collective_launch_ms = 0, collective_skew_ms = 0;             ///< the latter times ranks^1.25
  std::int64_t context_grid = 64;                                      ///< contexts are rounded up to it

  double input_scale = 1, output_scale = 1, time_scale = 1;  ///< of the trace
  std::int64_t max_tokens = 4096;                            ///< longer prompts are cut
};

/// Reads `folder`/config.json, and summary.json for the number of KV blocks when the config leaves it to Vidur. Throws
/// InputError for what this program cannot follow: pipeline stages, other schedulers, CPU overheads.
VidurRun read_vidur_run(const std::filesystem::path& folder);

/// A request of the trace, as Vidur scales and cuts it.
struct VidurRequest {
  sim::Time arrival;
  std::int32_t input_tokens = 0, output_tokens = 0;
};
std::vector<VidurRequest> read_vidur_trace(const std::filesystem::path& file, const VidurRun& run);

/// What Vidur answered for a request, in seconds.
struct VidurAnswer {
  double scheduled_s = 0, first_token_s = 0, completed_s = 0;
  std::int64_t restarts = 0;
};
/// In the order of the trace. Throws InputError when the answers are not those to these requests.
std::vector<VidurAnswer> read_vidur_answers(const std::filesystem::path& file,
                                            const std::vector<VidurRequest>& requests);

}  // namespace weir::field
