#pragma once

#include <cstdint>
#include <vector>

#include "sim/serving/request.h"

namespace weir::sim {

/// What a full KV block holds: equal keys, equal tokens and equal tokens before them.
struct BlockKey {
  std::uint64_t content = 0;  ///< a hash of the demand, a session or a request
  std::uint64_t place = 0;    ///< where in it the block lies, and which of the three it is
  bool operator==(const BlockKey&) const = default;
};

/// The key of block `block` of a request, input and output in a row. A block that lies within the input and that hashes
/// cover to its end has the key (hash over its end, where in that hash it ends); any other of a session (session,
/// block), generated tokens included, so that the next turn finds them; else no other request has its key.
BlockKey block_key(const QueuedRequest& request, std::int64_t block, std::int64_t block_tokens);

/// The KV cache as single blocks that are found by content, as vLLM keeps them. A block has holders or is free; free
/// blocks are taken the longest free first and keep their content until then, so that it can be found and shared
/// again. Several blocks may have the same content, when it was read twice; the first published is found.
class BlockCache {
 public:
  static constexpr std::int32_t kNone = -1;
  explicit BlockCache(std::int64_t blocks);

  std::int64_t free() const { return free_; }
  std::int64_t held() const { return total_ - free_; }
  bool is_held(std::int32_t block) const { return at(block).holders > 0; }

  /// A block with this content, held or free; kNone when there is none.
  std::int32_t find(const BlockKey& key) const;
  /// One more holder.
  void share(std::int32_t block);
  /// The block that has been free longest, without content, with one holder. Throws when none is free.
  std::int32_t take();
  /// `block`, held and without content so far, is full.
  void publish(std::int32_t block, const BlockKey& key);
  /// One holder less; true when that was the last, which puts it at the end of the free ones.
  bool give_back(std::int32_t block);

 private:
  struct Block {
    BlockKey key;
    std::int32_t previous = kNone, next = kNone;            ///< list of the free
    std::int32_t previous_same = kNone, next_same = kNone;  ///< ring of those with the same content
    std::int32_t holders = 0;
    bool published = false;
  };
  const Block& at(std::int32_t block) const { return blocks_[static_cast<std::size_t>(block)]; }
  Block& at(std::int32_t block) { return blocks_[static_cast<std::size_t>(block)]; }
  /// Keeps some of the hash, so that a search seldom looks at a block that is not the one.
  struct Cell {
    std::int32_t block = kNone;
    std::uint32_t hash = 0;
  };
  std::size_t find_cell(const BlockKey& key, std::uint32_t hash) const;
  void erase_cell(std::size_t cell);
  void forget(std::int32_t block);
  void append_free(std::int32_t block);
  void remove_free(std::int32_t block);

  std::int64_t total_, free_ = 0;
  std::vector<Block> blocks_;
  std::int32_t first_free_ = kNone, last_free_ = kNone;
  std::vector<Cell> table_;  ///< open addressing, linear probing: the first block of each content
};

}  // namespace weir::sim
