#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/timing/step_timer.h"
#include "sim/timing/tables.h"

namespace weir::sim {

/// An iteration's time of a fixed deployment from integer tables, O(1) and inlined:
///   host + sequences x per sequence + max or sum(launches, T(tokens) + H(sequences) + D(decodes, context) + sum
///   P(chunk))
/// Only integers, so that many decode steps can be added up exactly.
class IterationTables {
 public:
  TokenTable tokens;     ///< the matrices and all that is done a token, all layers
  TokenTable rows;       ///< the vocabulary projection
  DecodeTable decode;    ///< attention of decodes
  PrefillTable prefill;  ///< attention of prompt chunks
  std::int64_t host_ticks = 0, sequence_ticks = 0, launch_ticks = 0;
  bool launches_overlap = false;  ///< the larger of launches and kernels counts, not their sum

  std::int64_t ticks(const IterationShape& shape) const {
    StepWork work;
    return time(shape, work);
  }

  /// Also fills what the step does, all of `work` but steps and ticks.
  [[gnu::always_inline]] std::int64_t time(const IterationShape& shape, StepWork& work) const {
    std::int64_t new_tokens = shape.decode_sequences, attention = 0, pairs = 0, past = 0;
    for (const PrefillChunk& chunk : shape.prefill) {
      const std::int64_t of_chunk = query_key_pairs(chunk, prefill.causal());
      new_tokens += chunk.new_tokens;
      pairs += of_chunk;
      past += chunk.past_tokens;
      attention += prefill.ticks(chunk, of_chunk);
    }
    const auto sequences = shape.decode_sequences + static_cast<std::int64_t>(shape.prefill.size());
    work.tokens = new_tokens;
    work.rows = sequences;
    work.pairs = pairs;
    work.past = past;
    work.context = shape.decode_context_tokens;
    const std::int64_t padded = shape.padded_tokens > 0 ? shape.padded_tokens : new_tokens;
    attention += decode.ticks(shape.decode_sequences, shape.decode_context_tokens);
    return with_overheads(sequences, tokens.ticks(padded) + rows.ticks(sequences) + attention);
  }

  DecodeRun decode_run(const IterationShape& shape) const {
    return decode_run(shape, DecodeTable::kEndless, ticks(shape));
  }
  /// The same when no more than `most` >= 1 steps are asked for, of which the first is known to last `first_ticks`.
  DecodeRun decode_run(const IterationShape& shape, std::int64_t most, std::int64_t first_ticks) const {
    const std::int64_t n = shape.decode_sequences;
    DecodeRun run = decode.run(n, shape.decode_context_tokens, most);
    if (launches_overlap) [[unlikely]]
      stop_at_launches(shape, run);
    run.first_ticks = first_ticks;
    return run;
  }

 private:
  /// Flat until the kernels outgrow the launches.
  void stop_at_launches(const IterationShape& shape, DecodeRun& run) const {
    const std::int64_t n = shape.decode_sequences;
    const std::int64_t padded = shape.padded_tokens > 0 ? shape.padded_tokens : n;
    const std::int64_t kernels = tokens.ticks(padded) + rows.ticks(n) + run.first_ticks;
    if (kernels >= launch_ticks) return;
    if (run.increase_ticks > 0) run.steps = std::min(run.steps, (launch_ticks - kernels) / run.increase_ticks + 1);
    run.increase_ticks = 0;
  }
  std::int64_t with_overheads(std::int64_t sequences, std::int64_t kernels) const {
    return host_ticks + sequences * sequence_ticks +
           (launches_overlap ? std::max(kernels, launch_ticks) : kernels + launch_ticks);
  }
};

}  // namespace weir::sim
