#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/core/wide_int.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Ticks by a count of tokens (or sequences), integers only when asked: exact up to 512, at every multiple of 64 up to
/// 16,384 and linear between those, beyond that along the last piece. Never decreasing when the function is not.
class TokenTable {
 public:
  TokenTable() = default;
  /// `seconds(tokens)` for tokens >= 1; 0 tokens are 0 ticks.
  explicit TokenTable(const std::function<double(std::int64_t)>& seconds);

  [[gnu::always_inline]] std::int64_t ticks(std::int64_t tokens) const {
    if (tokens <= kDense) return dense_[static_cast<std::size_t>(tokens)];
    return interpolated(tokens);
  }

 private:
  static constexpr std::int64_t kDense = 512, kStep = 64, kLast = 16384;
  std::int64_t interpolated(std::int64_t tokens) const;
  std::vector<std::int64_t> dense_, coarse_;  ///< coarse_[i] is at kDense + i x kStep
};

/// Ticks of decode attention by (sequences, sum of their contexts). For a fixed number of sequences the time is
/// piecewise linear in the sum with an INTEGER slope, so that many steps can be added up exactly; nodes lie where the
/// mean context is a power of two. The number of sequences is interpolated between powers of two.
class DecodeTable {
 public:
  static constexpr std::int64_t kEndless = std::int64_t{1} << 40;  ///< steps
  DecodeTable() = default;
  /// `seconds(sequences, context_tokens)`.
  explicit DecodeTable(const std::function<double(std::int64_t, std::int64_t)>& seconds);

  [[gnu::always_inline]] std::int64_t ticks(std::int64_t sequences, std::int64_t context_tokens) const {
    if (sequences <= 0) return 0;
    if (sequences > kMaxSequences) return beyond_table(sequences, context_tokens);
    const int node = node_of(sequences, context_tokens);
    const Piece& piece = pieces_[static_cast<std::size_t>(sequences * kNodes + node)];
    return piece.value + piece.slope * above_node(sequences, node, context_tokens);
  }

  /// The steps from this context sum on, up to the next node; no more than `most` of them are asked for.
  [[gnu::always_inline]] DecodeRun run(std::int64_t sequences, std::int64_t context_tokens,
                                       std::int64_t most = kEndless) const {
    if (sequences <= 0 || sequences > kMaxSequences) return {ticks(sequences, context_tokens), 0, 1};
    const int node = node_of(sequences, context_tokens);
    const Piece& piece = pieces_[static_cast<std::size_t>(sequences * kNodes + node)];
    const std::int64_t first = piece.value + piece.slope * above_node(sequences, node, context_tokens);
    // NOTE: below the first node (a mean context of less than 1) the time is constant, which no real step reaches.
    const std::int64_t next = sequences << (node + 1);
    std::int64_t steps = kEndless;
    if (node + 1 < kNodes && context_tokens + (most - 1) * sequences >= next) [[unlikely]]  // else nothing to divide
      steps = std::max<std::int64_t>(1, (next - context_tokens - 1) / sequences + 1);
    return {first, piece.slope * sequences, steps};
  }

 private:
  static constexpr int kNodes = 21;  // mean context 1 ... 2^20
  static constexpr std::int64_t kMaxSequences = 1024;
  struct Piece {
    std::int64_t value = 0, slope = 0;  ///< at the node's context sum; ticks a token
  };

  /// The last node at or below the mean context, without a division.
  static int node_of(std::int64_t sequences, std::int64_t context_tokens) {
    // | 1: no branch for 0, which has the first node either way.
    int node = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(context_tokens) | 1)) -
               static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sequences) | 1));
    if (node > 0 && (sequences << node) > context_tokens) --node;
    return node < 0 ? 0 : node < kNodes ? node : kNodes - 1;
  }
  static std::int64_t above_node(std::int64_t sequences, int node, std::int64_t context_tokens) {
    const std::int64_t above = context_tokens - (sequences << node);
    return above > 0 ? above : 0;
  }
  std::int64_t beyond_table(std::int64_t sequences, std::int64_t context_tokens) const;
  void fill(std::int64_t sequences, const std::vector<double>& node_seconds);
  std::vector<Piece> pieces_;  ///< [sequences][node]
};

/// Ticks of prefill attention of one chunk: pairs x ticks a pair, which are interpolated between powers of two of new
/// and past tokens, in integers; at least the time to read the past tokens once, as a decoding sequence does.
class PrefillTable {
 public:
  PrefillTable() = default;
  /// `seconds_per_pair(new_tokens, past_tokens)`; past_token_s: the least time a token of the past costs.
  PrefillTable(const std::function<double(std::int64_t, std::int64_t)>& seconds_per_pair, double past_token_s,
               bool causal);

  std::int64_t ticks(const PrefillChunk& chunk) const { return ticks(chunk, query_key_pairs(chunk, causal_)); }
  /// `pairs` are the chunk's.
  [[gnu::always_inline]] std::int64_t ticks(const PrefillChunk& chunk, std::int64_t pairs) const {
    const std::int64_t of_pair = rate(chunk.new_tokens, chunk.past_tokens);
    std::int64_t work = 0, reading = 0;
    if (__builtin_mul_overflow(pairs, of_pair, &work) ||
        __builtin_mul_overflow(chunk.past_tokens, past_token_rate_, &reading)) [[unlikely]]
      return beyond_64_bits(pairs, of_pair, chunk.past_tokens);
    return std::max(work, reading) >> kFractionBits;
  }
  bool causal() const { return causal_; }

 private:
  static constexpr int kFractionBits = 20;               // rates are in 2^-20 ticks
  static constexpr int kNewNodes = 19, kPastNodes = 22;  // 1 ... 2^18; 0, 1 ... 2^20
  /// Between two nodes of the past, at a node of the new tokens and at the next one.
  struct Piece {
    std::int64_t low = 0, low_rise = 0, high = 0, high_rise = 0;
  };
  [[gnu::always_inline]] std::int64_t rate(std::int64_t new_tokens, std::int64_t past_tokens) const {
    const std::int64_t q = std::min(new_tokens, std::int64_t{1} << (kNewNodes - 1));
    const int i = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(q) | 1)) - 1;
    // Node j of the past is 2^(j-1), node 0 is no past at all: bit_width() without a branch for 0, which comes often.
    const std::int64_t past = std::min(past_tokens, std::int64_t{1} << (kPastNodes - 2));
    const int j = static_cast<int>(std::bit_width(2 * static_cast<std::uint64_t>(past) | 1)) - 1;
    // Above its node, in 1 / 2^j of the way to the next; 0 at node 0.
    const std::int64_t past_above = 2 * (past - ((std::int64_t{1} << j) >> 1));
    const Piece& piece = pieces_[static_cast<std::size_t>(i) * kPastNodes + static_cast<std::size_t>(j)];
    const std::int64_t low_rate = piece.low + ((piece.low_rise * past_above) >> j);
    const std::int64_t high_rate = piece.high + ((piece.high_rise * past_above) >> j);
    return low_rate + (((high_rate - low_rate) * (q - (std::int64_t{1} << i))) >> i);
  }

  [[gnu::noinline]] std::int64_t beyond_64_bits(std::int64_t pairs, std::int64_t of_pair,
                                                std::int64_t past_tokens) const;

  std::vector<Piece> pieces_;  ///< [new][past]
  std::int64_t past_token_rate_ = 0;
  bool causal_ = true;
};

}  // namespace weir::sim
