#pragma once

#include <cstdint>

#include "sim/timing/step_timer.h"
#include "sim/timing/tables.h"

namespace weir::sim {

/// An iteration's time where IterationTables do not do: layers with a sliding window, a batch dealt over the groups of
/// expert-parallel ranks, and pipeline stages that take it in micro-batches. All of it integers, O(1) and exact under
/// decode_run like there.
///
/// The batch is dealt evenly into `split` parts (groups x micro-batches); prompts are not cut, so that the largest part
/// has ceil(tokens / split) tokens or those of the longest chunk. The tables hold the time of the whole iteration as a
/// function of that part (prompts, tokens, rows) or of the whole batch (decodes).
class DividedTables {
 public:
  TokenTable tokens;   ///< matrices and all that is done a token, by tokens of the largest part
  TokenTable experts;  ///< experts of several groups, by tokens of an even part
  TokenTable rows;     ///< vocabulary projection, by rows of an even part
  DecodeTable decode, window_decode;
  PrefillTable prefill, window_prefill;
  std::int64_t window = 0;  ///< tokens; 0 = no such layers
  std::int64_t split = 1;
  std::int64_t host_ticks = 0, sequence_ticks = 0, launch_ticks = 0;
  bool launches_overlap = false;

  std::int64_t ticks(const IterationShape& shape) const;
  DecodeRun decode_run(const IterationShape& shape) const;
  /// `rows_per_sequence` new tokens of each of n sequences, with `context_tokens` read once.
  std::int64_t verification_ticks(std::int64_t n, std::int64_t rows_per_sequence, std::int64_t context_tokens) const;

 private:
  struct Attention {
    std::int64_t sum = 0, longest = 0;  ///< ticks over chunks, of the slowest chunk
  };
  Attention prompts(const IterationShape& shape) const;
  std::int64_t part(std::int64_t whole) const { return (whole + split - 1) / split; }
  std::int64_t token_ticks(std::int64_t whole, std::int64_t longest_chunk) const;
  std::int64_t decode_ticks(std::int64_t n, std::int64_t context_tokens) const;
  std::int64_t with_overheads(std::int64_t sequences, std::int64_t kernels) const;
};

}  // namespace weir::sim
