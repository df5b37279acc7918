#include "sim/serving/block_cache.h"

#include <bit>
#include <stdexcept>

namespace weir::sim {
namespace {

constexpr std::uint64_t kOfHash = 0, kOfSession = std::uint64_t{1} << 62, kOfRequest = std::uint64_t{2} << 62;

std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint32_t hash_of(const BlockKey& key) { return static_cast<std::uint32_t>(mix(key.content + mix(key.place))); }

}  // namespace

BlockKey block_key(const QueuedRequest& request, std::int64_t block, std::int64_t block_tokens) {
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

BlockCache::BlockCache(std::int64_t blocks) : total_(blocks), blocks_(static_cast<std::size_t>(blocks)) {
  table_.assign(std::bit_ceil(2 * static_cast<std::size_t>(blocks) + 2), Cell());
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(blocks); ++i) append_free(i);
}

// --- the table

/// The cell with this key, or the empty one where it would go.
std::size_t BlockCache::find_cell(const BlockKey& key, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = hash & mask;; cell = (cell + 1) & mask) {
    const Cell& c = table_[cell];
    if (c.block == kNone || (c.hash == hash && at(c.block).key == key)) return cell;
  }
}

/// Empties a cell and moves those after it up that would not be found any more.
void BlockCache::erase_cell(std::size_t hole) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = (hole + 1) & mask; table_[cell].block != kNone; cell = (cell + 1) & mask) {
    const std::size_t from_home = (cell - table_[cell].hash) & mask, from_hole = (cell - hole) & mask;
    if (from_home < from_hole) continue;
    table_[hole] = table_[cell];
    hole = cell;
  }
  table_[hole] = {};
}

std::int32_t BlockCache::find(const BlockKey& key) const { return table_[find_cell(key, hash_of(key))].block; }

void BlockCache::publish(std::int32_t i, const BlockKey& key) {
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

void BlockCache::forget(std::int32_t i) {
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

void BlockCache::append_free(std::int32_t i) {
  Block& block = at(i);
  block.previous = last_free_;
  block.next = kNone;
  (last_free_ == kNone ? first_free_ : at(last_free_).next) = i;
  last_free_ = i;
  ++free_;
}

void BlockCache::remove_free(std::int32_t i) {
  const Block& block = at(i);
  (block.previous == kNone ? first_free_ : at(block.previous).next) = block.next;
  (block.next == kNone ? last_free_ : at(block.next).previous) = block.previous;
  --free_;
}

void BlockCache::share(std::int32_t i) {
  if (at(i).holders++ == 0) remove_free(i);
}

std::int32_t BlockCache::take() {
  if (first_free_ == kNone) throw std::logic_error("BlockCache: no block is free");
  const std::int32_t i = first_free_;
  forget(i);
  share(i);
  return i;
}

bool BlockCache::give_back(std::int32_t i) {
  Block& block = at(i);
  if (block.holders == 0) throw std::logic_error("BlockCache: a block given back that nobody holds");
  if (--block.holders > 0) return false;
  append_free(i);
  return true;
}

}  // namespace weir::sim
