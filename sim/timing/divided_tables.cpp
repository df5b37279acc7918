#include "sim/timing/divided_tables.h"

#include <algorithm>

#include "sim/model/sharded_model.h"

namespace weir::sim {

DividedTables::Attention DividedTables::prompts(const IterationShape& shape) const {
  Attention all;
  for (const PrefillChunk& chunk : shape.prefill) {
    std::int64_t ticks = prefill.ticks(chunk);
    if (window > 0) {
      const PrefillChunk seen{chunk.new_tokens, std::min(chunk.past_tokens, window)};
      ticks += window_prefill.ticks(seen, window_pairs(chunk.new_tokens, chunk.past_tokens, window));
    }
    all.sum += ticks;
    all.longest = std::max(all.longest, ticks);
  }
  return all;
}

std::int64_t DividedTables::token_ticks(std::int64_t whole, std::int64_t longest_chunk) const {
  return tokens.ticks(std::max(part(whole), longest_chunk)) + experts.ticks(part(whole));
}

std::int64_t DividedTables::decode_ticks(std::int64_t n, std::int64_t context_tokens) const {
  const std::int64_t seen = std::min(context_tokens, n * window);
  return decode.ticks(n, context_tokens) + (window > 0 ? window_decode.ticks(n, seen) : 0);
}

std::int64_t DividedTables::with_overheads(std::int64_t sequences, std::int64_t kernels) const {
  return host_ticks + sequences * sequence_ticks +
         (launches_overlap ? std::max(kernels, launch_ticks) : kernels + launch_ticks);
}

std::int64_t DividedTables::ticks(const IterationShape& shape) const {
  std::int64_t new_tokens = shape.decode_sequences, longest = 0;
  for (const PrefillChunk& chunk : shape.prefill) {
    new_tokens += chunk.new_tokens;
    longest = std::max(longest, chunk.new_tokens);
  }
  const auto sequences = shape.decode_sequences + static_cast<std::int64_t>(shape.prefill.size());
  const Attention attention = prompts(shape);
  return with_overheads(sequences, token_ticks(std::max(new_tokens, shape.padded_tokens), longest) +
                                       rows.ticks(part(sequences)) + std::max(attention.longest, part(attention.sum)) +
                                       decode_ticks(shape.decode_sequences, shape.decode_context_tokens));
}

DecodeRun DividedTables::decode_run(const IterationShape& shape) const {
  const std::int64_t n = shape.decode_sequences, context = shape.decode_context_tokens;
  DecodeRun run = decode.run(n, context);
  if (window > 0 && n > 0) {
    DecodeRun windowed = window_decode.run(n, std::min(context, n * window));
    if (context >= n * window) {  // full windows stay as they are
      windowed.increase_ticks = 0;
      windowed.steps = run.steps;
    } else {
      windowed.steps = std::min(windowed.steps, (n * window - context) / n + 1);
    }
    run.first_ticks += windowed.first_ticks;
    run.increase_ticks += windowed.increase_ticks;
    run.steps = std::min(run.steps, windowed.steps);
  }
  const std::int64_t kernels = token_ticks(std::max(n, shape.padded_tokens), 0) + rows.ticks(part(n)) + run.first_ticks;
  if (launches_overlap && kernels < launch_ticks) {  // flat until the kernels outgrow the launches
    if (run.increase_ticks > 0) run.steps = std::min(run.steps, (launch_ticks - kernels) / run.increase_ticks + 1);
    run.increase_ticks = 0;
  }
  run.first_ticks = with_overheads(n, kernels);
  return run;
}

std::int64_t DividedTables::verification_ticks(std::int64_t n, std::int64_t rows_per_sequence,
                                               std::int64_t context_tokens) const {
  const std::int64_t all = n * rows_per_sequence;
  return with_overheads(n,
                        token_ticks(all, rows_per_sequence) + rows.ticks(part(all)) + decode_ticks(n, context_tokens));
}

}  // namespace weir::sim
