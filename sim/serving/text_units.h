#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "sim/serving/request.h"

namespace weir::sim {

/// Names a unit of text: equal keys, equal tokens and equal tokens before them.
struct TextKey {
  std::uint64_t content = 0;  ///< a hash of the demand, a session or a request
  std::uint64_t place = 0;    ///< which of the three it is, and where in it the unit lies
  bool operator==(const TextKey&) const = default;
};

/// Blocks [first, end) of a request, input and output in a row, that are one unit of text.
struct TextUnit {
  TextKey key;
  std::int64_t first = 0, end = 0;
};

/// Cuts requests into units whose blocks a prefix cache knows by one key and their place in the unit. Blocks that lie
/// within the input and that hashes cover to their ends: the blocks that end in one hash. Any others of a session, and
/// of a request that is like no other: kOwnBlocks at a time, generated tokens included, so that the next turn finds
/// them.
class TextUnits {
 public:
  static constexpr std::int64_t kOwnBlocks = 32;
  explicit TextUnits(std::int64_t block_tokens)
      : block_tokens_(block_tokens), block_shift_(shift_for(static_cast<std::uint64_t>(block_tokens))) {}

  /// Of the unit that `block` lies in, the part that hashes cover or the part that they do not.
  TextUnit at(const QueuedRequest& request, std::int64_t block) {
    const PromptContent* content = request.content;
    if (content != nullptr && block < hashed_blocks(request)) return of_hash(request, block);
    const auto unit = static_cast<std::uint64_t>(block / kOwnBlocks);
    const std::int64_t first = static_cast<std::int64_t>(unit) * kOwnBlocks;
    if (content == nullptr || content->session < 0)
      return {{request.index, kOfRequest | unit}, first, first + kOwnBlocks};
    return {{static_cast<std::uint64_t>(content->session), kOfSession | unit}, first, first + kOwnBlocks};
  }

  /// Leading blocks that another request could have as well.
  std::int64_t shareable(const QueuedRequest& request) const {
    if (request.content == nullptr) return 0;
    if (request.content->session >= 0) return std::numeric_limits<std::int64_t>::max();
    return hashed_blocks(request);
  }

 private:
  static constexpr std::uint64_t kOfHash = 0, kOfSession = std::uint64_t{1} << 62, kOfRequest = std::uint64_t{2} << 62;

  /// Blocks that end in the input and in a hash.
  std::int64_t hashed_blocks(const QueuedRequest& request) const {
    const PromptContent& content = *request.content;
    const auto covered = static_cast<std::int64_t>(content.hashes.size()) * content.tokens_per_hash;
    const std::int64_t tokens = std::min(std::int64_t{request.input_tokens}, covered);
    return block_shift_ >= 0 ? tokens >> block_shift_ : tokens / block_tokens_;
  }

  /// As a rule a hash is a number of whole blocks. Else the same hash may come with other blocks where it lies
  /// elsewhere, which are told apart by where the first of them ends.
  TextUnit of_hash(const QueuedRequest& request, std::int64_t block) {
    const PromptContent& content = *request.content;
    const std::int64_t per_hash = content.tokens_per_hash;
    if (per_hash != per_hash_) learn(per_hash);
    if (blocks_per_hash_ > 0) {
      const std::int64_t unit = shift_ >= 0 ? block >> shift_ : block / blocks_per_hash_;
      const std::int64_t first = unit * blocks_per_hash_;
      return {{content.hashes[static_cast<std::size_t>(unit)], kOfHash | static_cast<std::uint64_t>(block_tokens_)},
              first,
              std::min(first + blocks_per_hash_, hashed_blocks(request))};
    }
    const std::int64_t unit = ((block + 1) * block_tokens_ - 1) / per_hash, begin = unit * per_hash;
    const std::int64_t first = begin / block_tokens_;
    const auto first_end = static_cast<std::uint64_t>((first + 1) * block_tokens_ - begin);
    return {{content.hashes[static_cast<std::size_t>(unit)], kOfHash | first_end},
            first,
            std::min((begin + per_hash) / block_tokens_, hashed_blocks(request))};
  }
  void learn(std::int64_t per_hash) {
    per_hash_ = per_hash;
    blocks_per_hash_ = per_hash % block_tokens_ == 0 ? per_hash / block_tokens_ : 0;
    shift_ = shift_for(static_cast<std::uint64_t>(blocks_per_hash_));
  }
  /// To shift by in place of a division; -1 = there is none.
  static int shift_for(std::uint64_t divisor) { return std::has_single_bit(divisor) ? std::countr_zero(divisor) : -1; }

  std::int64_t block_tokens_;
  int block_shift_;
  std::int64_t per_hash_ = 0, blocks_per_hash_ = 0;  ///< of the request asked about last; 0 = not whole blocks
  int shift_ = -1;
};

}  // namespace weir::sim
