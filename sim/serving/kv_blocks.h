#pragma once

#include <cstdint>
#include <stdexcept>

namespace weir::sim {

/// Blocks that hold `tokens` tokens.
constexpr std::int64_t blocks_for(std::int64_t tokens, std::int64_t block_tokens) {
  return (tokens + block_tokens - 1) / block_tokens;
}

/// The KV cache as a number of equal blocks, where it does not matter which block a request gets.
class KvBlocks {
 public:
  explicit KvBlocks(std::int64_t total) : total_(total) {}

  std::int64_t held() const { return held_; }
  std::int64_t free() const { return total_ - held_; }

  /// Takes `blocks`; there must be so many free.
  void take(std::int64_t blocks) {
    if (blocks > free()) throw std::logic_error("KvBlocks: more blocks taken than are free");
    held_ += blocks;
  }
  void give_back(std::int64_t blocks) {
    if (blocks > held_) throw std::logic_error("KvBlocks: more blocks given back than are held");
    held_ -= blocks;
  }

 private:
  std::int64_t total_;
  std::int64_t held_ = 0;
};

}  // namespace weir::sim
