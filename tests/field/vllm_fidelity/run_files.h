#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weir::field {

/// One request of a measured run. The engine's clock is monotonic and has nothing to do with that of the arrivals.
struct MeasuredRequest {
  std::int64_t input_tokens = 0, output_tokens = 0;
  double arrival_s = 0;                                      ///< when it was to be sent, from the beginning of the run
  double queued_s = 0, first_token_s = 0, last_token_s = 0;  ///< the engine's clock
};

/// What a run's meta.json says, as far as it matters here. Empty: it does not say.
struct RunMeta {
  std::string model, engine_version;
  int tensor_parallel = 1, data_parallel = 1;
  bool expert_parallel = false;
  std::int64_t max_batch = 0, token_budget = 0;
  std::optional<std::int64_t> kv_blocks;  ///< the engine's count: one of them is never given out
  std::int64_t block_tokens = 16;
  double memory_utilization = 0.9;
  bool prefix_cache = true, async_scheduling = true, graphs = true;
  std::optional<std::string> device;
  std::optional<double> device_memory_bytes;
  std::vector<std::string> assumed;  ///< what it does not say and was taken for granted
};

/// Throws InputError: missing or malformed file, values out of range.
RunMeta read_run_meta(const std::filesystem::path& file);
/// In the order of their ids. Arrivals are the recorded ones until read_arrivals replaces them.
std::vector<MeasuredRequest> read_requests(const std::filesystem::path& file);
/// Sets the arrivals from a file of lines with arrival_time_ns (or arrival_time, seconds), by index. Throws InputError
/// when it has fewer lines than there are requests.
void read_arrivals(const std::filesystem::path& file, std::vector<MeasuredRequest>& requests);

/// Request `later` begins with the same `blocks` blocks of tokens as the `earlier` one.
struct Sharing {
  std::size_t later = 0, earlier = 0;
  std::int64_t blocks = 0;
};
/// Words "later<earlier:blocks"; '#' begins a comment. Throws InputError, for requests that are not there only when
/// they `must_exist` (the lists shipped here are of 300 requests; a run may be the first part of them).
std::vector<Sharing> read_sharing(const std::filesystem::path& file, std::size_t requests, bool must_exist);

}  // namespace weir::field
