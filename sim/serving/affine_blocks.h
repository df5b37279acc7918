#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::sim {

/// KV blocks of a batch whose decodes all grow by one token a step. Step S of a decode has base + S tokens in the cache
/// and so holds ceil((base + S) / block) blocks. With base + block - 1 = h block + r that is
/// h + floor(S / block) + [block - 1 - r < S mod block]: a constant, a term all decodes share, and one that follows
/// from how many decodes have a phase block - 1 - r below S mod block. A step therefore changes nothing here.
class AffineBlocks {
 public:
  static constexpr std::int64_t kMostBlockTokens = 256;
  static constexpr bool can_divide(std::int64_t block_tokens) {
    return block_tokens >= 1 && block_tokens <= kMostBlockTokens &&
           std::has_single_bit(static_cast<std::uint64_t>(block_tokens));
  }

  /// `block_tokens` is a power of two, at most kMostBlockTokens.
  explicit AffineBlocks(std::int64_t block_tokens)
      : mask_(block_tokens - 1), shift_(std::countr_zero(static_cast<std::uint64_t>(block_tokens))) {}

  std::int64_t blocks_for(std::int64_t tokens) const { return (tokens + mask_) >> shift_; }

  // Blocks that do not grow.
  void hold(std::int64_t blocks) { constant_ += blocks; }
  void release(std::int64_t blocks) { constant_ -= blocks; }

  // Decodes, by base.
  void join(std::int64_t base) { change(base, 1); }
  void leave(std::int64_t base) { change(base, -1); }

  /// Held in step S.
  [[gnu::noinline]] std::int64_t used(std::int64_t step) const {
    std::int64_t sum = constant_ + decodes_ * (step >> shift_);
    const auto phases = static_cast<std::size_t>(step & mask_);
    for (std::size_t p = 0; p < phases; ++p) sum += of_phase_[p];
    return sum;
  }
  /// Not less than used(S), without its sum.
  std::int64_t at_most(std::int64_t step) const { return constant_ + decodes_ * ((step >> shift_) + 1); }
  /// used(S) <= limit
  [[gnu::always_inline]] bool within(std::int64_t step, std::int64_t limit) const {
    return at_most(step) <= limit || used(step) <= limit;
  }

  /// The most steps m <= `steps` for which used(S + m) <= limit.
  std::int64_t steps_within(std::int64_t step, std::int64_t steps, std::int64_t limit) const {
    return at_most(step + steps) <= limit ? steps : steps_within_exactly(step, steps, limit);
  }

 private:
  void change(std::int64_t base, std::int32_t by) {
    constant_ += by * ((base + mask_) >> shift_);
    of_phase_[static_cast<std::size_t>(mask_ - ((base + mask_) & mask_))] += by;
    decodes_ += by;
  }
  std::int64_t steps_within_exactly(std::int64_t step, std::int64_t steps, std::int64_t limit) const;

  std::int64_t mask_;
  int shift_;
  std::int64_t constant_ = 0, decodes_ = 0;
  std::array<std::int32_t, kMostBlockTokens> of_phase_{};
};

}  // namespace weir::sim
