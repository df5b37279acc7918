#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace weir::sim {

/// Ticks by a count of tokens (or sequences), integers only when asked: exact up to 512, at every multiple of 64 up to
/// 16,384 and linear between those, beyond that along the last piece. Never decreasing when the function is not.
class TokenTable {
 public:
  TokenTable() = default;
  /// `seconds(tokens)` for tokens >= 1; 0 tokens are 0 ticks.
  explicit TokenTable(const std::function<double(std::int64_t)>& seconds);

  std::int64_t ticks(std::int64_t tokens) const {
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
  DecodeTable() = default;
  /// `seconds(sequences, context_tokens)`.
  explicit DecodeTable(const std::function<double(std::int64_t, std::int64_t)>& seconds);

  std::int64_t ticks(std::int64_t sequences, std::int64_t context_tokens) const;

 private:
  static constexpr int kNodes = 21;  // mean context 1 ... 2^20
  static constexpr std::int64_t kMaxSequences = 1024;
  struct Piece {
    std::int64_t value = 0, slope = 0;  ///< at the node's context sum; ticks a token
  };
  void fill(std::int64_t sequences, const std::vector<double>& node_seconds);
  std::vector<Piece> pieces_;  ///< [sequences][node]
};

/// Seconds a query-key pair of prefill attention takes, by (new tokens, past tokens), interpolated between powers of
/// two.
class PrefillTable {
 public:
  PrefillTable() = default;
  /// `seconds_per_pair(new_tokens, past_tokens)`.
  explicit PrefillTable(const std::function<double(std::int64_t, std::int64_t)>& seconds_per_pair);

  double seconds_per_pair(std::int64_t new_tokens, std::int64_t past_tokens) const;

 private:
  static constexpr int kNewNodes = 19, kPastNodes = 22;  // 1 ... 2^18; 0, 1 ... 2^20
  std::vector<double> rates_;                            ///< [new][past]
};

}  // namespace weir::sim
