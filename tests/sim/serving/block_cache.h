#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
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
inline BlockKey block_key(const QueuedRequest& request, std::int64_t block, std::int64_t block_tokens);

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

inline constexpr std::uint64_t kOfHash = 0, kOfSession = std::uint64_t{1} << 62, kOfRequest = std::uint64_t{2} << 62;

inline std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline std::uint32_t hash_of(const BlockKey& key) {
  return static_cast<std::uint32_t>(mix(key.content + mix(key.place)));
}

inline BlockKey block_key(const QueuedRequest& request, std::int64_t block, std::int64_t block_tokens) {
  const auto place = static_cast<std::uint64_t>(block);
  const PromptContent* content = request.content;
  if (content != nullptr) {
    const std::int64_t end = (block + 1) * block_tokens, per_hash = content->tokens_per_hash;
    const auto hash = static_cast<std::size_t>((end - 1) / per_hash);
    if (end <= request.input_tokens && hash < content->hashes.size()) {
      const std::int64_t end_in_hash = end - static_cast<std::int64_t>(hash) * per_hash;
      return {content->hashes[hash], kOfHash | static_cast<std::uint64_t>(end_in_hash)};
    }
    if (content->session >= 0) return {static_cast<std::uint64_t>(content->session), kOfSession | place};
  }
  return {request.index, kOfRequest | place};
}

inline BlockCache::BlockCache(std::int64_t blocks) : total_(blocks), blocks_(static_cast<std::size_t>(blocks)) {
  table_.assign(std::bit_ceil(2 * static_cast<std::size_t>(blocks) + 2), Cell());
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(blocks); ++i) append_free(i);
}

// --- the table

/// The cell with this key, or the empty one where it would go.
inline std::size_t BlockCache::find_cell(const BlockKey& key, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = hash & mask;; cell = (cell + 1) & mask) {
    const Cell& c = table_[cell];
    if (c.block == kNone || (c.hash == hash && at(c.block).key == key)) return cell;
  }
}

/// Empties a cell and moves those after it up that would not be found any more.
inline void BlockCache::erase_cell(std::size_t hole) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = (hole + 1) & mask; table_[cell].block != kNone; cell = (cell + 1) & mask) {
    const std::size_t from_home = (cell - table_[cell].hash) & mask, from_hole = (cell - hole) & mask;
    if (from_home < from_hole) continue;
    table_[hole] = table_[cell];
    hole = cell;
  }
  table_[hole] = {};
}

inline std::int32_t BlockCache::find(const BlockKey& key) const { return table_[find_cell(key, hash_of(key))].block; }

inline void BlockCache::publish(std::int32_t i, const BlockKey& key) {
  Block& block = at(i);
  if (block.published || block.holders == 0) throw std::logic_error("BlockCache: not a block to publish");
  block.key = key;
  block.published = true;
  const std::uint32_t hash = hash_of(key);
  Cell& cell = table_[find_cell(key, hash)];
  if (cell.block == kNone) {
    cell = {i, hash};
    block.previous_same = block.next_same = i;
    return;
  }
  Block& first = at(cell.block);
  block.next_same = cell.block;
  block.previous_same = first.previous_same;
  at(first.previous_same).next_same = i;
  first.previous_same = i;
}

inline void BlockCache::forget(std::int32_t i) {
  Block& block = at(i);
  if (!block.published) return;
  block.published = false;
  const std::size_t cell = find_cell(block.key, hash_of(block.key));
  if (block.next_same == i) {
    erase_cell(cell);
    return;
  }
  if (table_[cell].block == i) table_[cell].block = block.next_same;
  at(block.previous_same).next_same = block.next_same;
  at(block.next_same).previous_same = block.previous_same;
}

// --- holders and the free list

inline void BlockCache::append_free(std::int32_t i) {
  Block& block = at(i);
  block.previous = last_free_;
  block.next = kNone;
  (last_free_ == kNone ? first_free_ : at(last_free_).next) = i;
  last_free_ = i;
  ++free_;
}

inline void BlockCache::remove_free(std::int32_t i) {
  const Block& block = at(i);
  (block.previous == kNone ? first_free_ : at(block.previous).next) = block.next;
  (block.next == kNone ? last_free_ : at(block.next).previous) = block.previous;
  --free_;
}

inline void BlockCache::share(std::int32_t i) {
  if (at(i).holders++ == 0) remove_free(i);
}

inline std::int32_t BlockCache::take() {
  if (first_free_ == kNone) throw std::logic_error("BlockCache: no block is free");
  const std::int32_t i = first_free_;
  forget(i);
  share(i);
  return i;
}

inline bool BlockCache::give_back(std::int32_t i) {
  Block& block = at(i);
  if (block.holders == 0) throw std::logic_error("BlockCache: a block given back that nobody holds");
  if (--block.holders > 0) return false;
  append_free(i);
  return true;
}

}  // namespace weir::sim
