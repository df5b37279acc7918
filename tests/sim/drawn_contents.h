#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/serving/request.h"
#include "tests/sim/dice.h"

namespace weir::sim::testing {

/// What random prompts hold. They come from three families that begin alike and then differ, or are turns of three
/// sessions, or both; hashes are of fewer, as many or more tokens than a block, seldom not of a whole number of blocks.
class DrawnContents {
 public:
  const PromptContent* draw(Dice& dice, std::int64_t tokens) {
    PromptContent& content = contents_.emplace_back();
    const bool session = dice.one_in(2);
    if (session) content.session = dice.from_to(0, 2);
    if (session && !dice.one_in(4)) return &content;
    constexpr std::array kSizes{16, 16, 8, 64, 64, 24};
    if (per_hash_ == 0) per_hash_ = kSizes[static_cast<std::size_t>(dice.from_to(0, 5))];
    content.tokens_per_hash = per_hash_;
    const std::int64_t most = dice.one_in(2) ? tokens / per_hash_ : (tokens + per_hash_ - 1) / per_hash_;
    const std::int64_t shared = dice.one_in(4) ? most : dice.from_to(0, 6), family = dice.from_to(1, 3);
    std::vector<std::uint64_t>& hashes = hashes_.emplace_back();
    for (std::int64_t i = 0; i < most; ++i) {
      const bool common = i < shared;
      hashes.push_back(static_cast<std::uint64_t>(common ? family * 1000 + i : dice.from_to(10'000, 1 << 30)));
    }
    content.hashes = hashes;
    return &content;
  }

 private:
  std::deque<std::vector<std::uint64_t>> hashes_;
  std::deque<PromptContent> contents_;
  std::int32_t per_hash_ = 0;
};

}  // namespace weir::sim::testing
