#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/evidence.h"
#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/model/experts.h"

namespace weir::sim {

/// Part of a prompt read in one iteration.
struct PrefillChunk {
  std::int64_t new_tokens = 0;   ///< > 0
  std::int64_t past_tokens = 0;  ///< of the same prompt, already in the cache
};

/// What one iteration of a generative replica does.
struct IterationShape {
  std::span<const PrefillChunk> prefill = {};
  std::int64_t decode_sequences = 0;
  std::int64_t decode_context_tokens = 0;  ///< sum over those sequences, the token being read included
  /// Tokens the kernels run on when an engine pads a step to a captured graph; 0 = as many as there are.
  std::int64_t padded_tokens = 0;
  /// The context of each decode, for timers that need more than the sum; empty = not listed.
  std::span<const std::int32_t> decode_contexts = {};
};

/// Decode steps of one batch in a row, each with one token of context a sequence more than the one before. As long as
/// `steps` says, step i lasts first_ticks + i x increase_ticks.
struct DecodeRun {
  std::int64_t first_ticks = 0, increase_ticks = 0;
  std::int64_t steps = 1;
};

/// What steps do, in integers, so that adding up many steps at once gives the same as one by one.
template <class Count>
struct StepWorkOf {
  Count steps = 0, ticks = 0;
  Count tokens = 0;   ///< through the matrices
  Count rows = 0;     ///< through the vocabulary projection: decodes and prompt chunks
  Count pairs = 0;    ///< query-key pairs of prompts
  Count past = 0;     ///< cached tokens that prompt chunks read again
  Count context = 0;  ///< cached tokens that decodes read

  template <class Other>
  void add(const StepWorkOf<Other>& other) {
    steps += other.steps, ticks += other.ticks, tokens += other.tokens, rows += other.rows;
    pairs += other.pairs, past += other.past, context += other.context;
  }
  bool operator==(const StepWorkOf&) const = default;
};
using StepWork = StepWorkOf<std::int64_t>;  ///< of one replica
using FleetWork = StepWorkOf<WideInt>;      ///< a fleet's ticks pass int64 after some thousand busy replica-days

/// Useful operations and least bytes from device memory of a step, all ranks together, linear in what it does.
struct WorkRates {
  double flops_per_step = 0, flops_per_token = 0, flops_per_row = 0, flops_per_pair = 0;
  double bytes_per_step = 0, bytes_per_token = 0, bytes_per_context_token = 0;
  /// Of a mixture: each step reads the distinct experts of its tokens, which is not linear. Ask for steps of about the
  /// same number of tokens (TotalsOf::work has them apart); the mean of unequal ones reads more than they do.
  std::shared_ptr<const ExpertLoad> experts = {};
  double bytes_per_expert = 0;  ///< of all layers

  template <class Count>
  double flops(const StepWorkOf<Count>& w) const {
    return static_cast<double>(w.steps) * flops_per_step + static_cast<double>(w.tokens) * flops_per_token +
           static_cast<double>(w.rows) * flops_per_row + static_cast<double>(w.pairs + w.context) * flops_per_pair;
  }
  template <class Count>
  double bytes(const StepWorkOf<Count>& w) const {
    const double linear = static_cast<double>(w.steps) * bytes_per_step +
                          static_cast<double>(w.tokens) * bytes_per_token +
                          static_cast<double>(w.past + w.context) * bytes_per_context_token;
    return experts && w.steps > 0 ? linear + expert_bytes(static_cast<double>(w.steps), static_cast<double>(w.tokens))
                                  : linear;
  }

 private:
  double expert_bytes(double steps, double tokens) const {
    return steps * experts->distinct(tokens / steps) * bytes_per_expert;
  }
};

/// Query-key pairs of a prompt chunk: token i of it looks at past + i + 1 tokens (all of them without a causal mask).
inline std::int64_t query_key_pairs(const PrefillChunk& chunk, bool causal) {
  const std::int64_t c = chunk.new_tokens, past = chunk.past_tokens;
  return causal ? c * past + c * (c + 1) / 2 : c * (past + c);
}

/// How a deployment's device memory is used, in bytes of one replica (all its ranks together unless it says "rank").
struct MemoryPlan {
  double capacity_bytes = 0;      ///< of one accelerator
  double usable_bytes = 0;        ///< capacity x kv_memory_fraction, per rank
  double weights_bytes = 0;       ///< per rank
  double activation_bytes = 0;    ///< per rank, at the token budget
  double reserve_bytes = 0;       ///< per rank: context and graphs of the runtime
  double least_kv_bytes = 0;      ///< per rank: the smallest cache that can serve anything, one block
  double kv_bytes_per_token = 0;  ///< per rank, of a token that every layer keeps
  /// Tokens the KV cache holds, whatever their sequences' lengths, of all expert-parallel groups together; 0 = the
  /// model does not fit.
  std::int64_t kv_tokens = 0;
  bool fits() const { return kv_tokens > 0; }
  /// "does not fit: needs 16.1 GB of 14.4 GB usable (weights ...)", or "" when it fits.
  std::string why_not() const;
};

/// Evidence of one part of a prediction, for the reader of a result.
struct EvidenceNote {
  std::string what;  ///< "gemm fp16 on Hopper"
  data::Evidence evidence = data::Evidence::assumption;
  std::string source;  ///< with n and spread
};

class IterationTables;

/// Times one step of one replica. Implementations are immutable and may be used from several threads. Durations are
/// positive for every step that does something.
class StepTimer {
 public:
  virtual ~StepTimer() = default;
  virtual Time iteration(const IterationShape& shape) const = 0;
  /// One-shot: `items` inputs, all padded to `tokens` tokens each.
  virtual Time batch(std::int64_t items, std::int64_t tokens) const = 0;
  /// One pass over `rows_per_sequence` new tokens of each of `sequences` sequences, whose caches (context_tokens in
  /// all) are read once: how a model checks what was drafted for it.
  virtual Time verification(std::int64_t sequences, std::int64_t rows_per_sequence, std::int64_t context_tokens) const {
    return iteration({{}, sequences, context_tokens, sequences * rows_per_sequence, {}});
  }
  /// The steps that follow when this decode-only step (prefill empty) is repeated. At least one; one is always right.
  virtual DecodeRun decode_run(const IterationShape& shape) const { return {iteration(shape).ticks(), 0, 1}; }
  /// Set when the timer is nothing but these tables: the simulator then asks them directly.
  virtual const IterationTables* tables() const { return nullptr; }
  virtual bool causal() const { return true; }         ///< of the pairs in StepWork
  virtual WorkRates work_rates() const { return {}; }  ///< zeros: MFU and MBU are not known
  virtual double peak_flops_per_s() const = 0;         ///< of the replica, for MFU
  virtual double peak_bytes_per_s() const = 0;         ///< of the replica, for MBU
  virtual double relative_error() const = 0;           ///< one-sided P80 of |log(predicted/true)| of a duration
  virtual std::vector<EvidenceNote> evidence() const = 0;
};

}  // namespace weir::sim
