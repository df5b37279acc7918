#include "sim/serving/run_cache.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {
namespace {

constexpr std::size_t kLeastCells = 256;

/// Multiplicative hashing (Knuth, TAOCP 3, 6.4), with the upper half folded in first.
std::uint32_t hash_of(const TextKey& key) {
  std::uint64_t x = key.content + (key.place << 20);
  x ^= key.place >> 32 ^ x >> 32;
  return static_cast<std::uint32_t>((x * 0x9e3779b97f4a7c15u) >> 32);
}

}  // namespace

RunCache::RunCache(std::int64_t blocks, std::int64_t block_tokens) : total_(blocks), units_(block_tokens) {
  table_.assign(kLeastCells, Cell());
  give_back_unpublished(blocks);
}

// --- the table of units

/// The cell with this key, or the empty one where it would go.
std::size_t RunCache::find_cell(const TextKey& key, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = hash & mask;; cell = (cell + 1) & mask) {
    const Cell& c = table_[cell];
    if (c.run == kNone || (c.hash == hash && at(c.run).key == key)) return cell;
  }
}

std::int32_t RunCache::first_of(const TextKey& key) const { return table_[find_cell(key, hash_of(key))].run; }

/// Empties a cell and moves those after it up that would not be found any more.
void RunCache::erase_cell(std::size_t hole) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t cell = (hole + 1) & mask; table_[cell].run != kNone; cell = (cell + 1) & mask) {
    const std::size_t from_home = (cell - table_[cell].hash) & mask, from_hole = (cell - hole) & mask;
    if (from_home < from_hole) continue;
    table_[hole] = table_[cell];
    hole = cell;
  }
  table_[hole] = {};
  --units_known_;
}

void RunCache::grow_table() {
  std::vector<Cell> old(2 * table_.size());
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Cell& c : old) {
    if (c.run == kNone) continue;
    std::size_t cell = c.hash & mask;
    while (table_[cell].run != kNone) cell = (cell + 1) & mask;
    table_[cell] = c;
  }
}

// --- runs

std::int32_t RunCache::new_run() {
  if (unused_.empty()) {
    runs_.emplace_back();
    return static_cast<std::int32_t>(runs_.size() - 1);
  }
  const std::int32_t run = unused_.back();
  unused_.pop_back();
  at(run) = Run();
  return run;
}

/// The last of its unit that was published.
void RunCache::append_to_unit(std::int32_t i) {
  Run& run = at(i);
  Cell& cell = table_[find_cell(run.key, run.hash)];
  if (cell.run == kNone) {
    cell = {i, run.hash};
    run.previous_same = run.next_same = i;
    if (2 * ++units_known_ > table_.size()) grow_table();
    return;
  }
  Run& first = at(cell.run);
  run.next_same = cell.run;
  run.previous_same = first.previous_same;
  at(first.previous_same).next_same = i;
  first.previous_same = i;
}

/// Without blocks there is no run.
void RunCache::forget(std::int32_t i) {
  const Run& run = at(i);
  unused_.push_back(i);
  if (run.next_same == kNone) return;
  const std::size_t mask = table_.size() - 1;
  std::size_t cell = run.hash & mask;  // of the unit, when it leads to this run
  while (table_[cell].run != i && table_[cell].run != kNone) cell = (cell + 1) & mask;
  if (run.next_same == i) {
    erase_cell(cell);
    return;
  }
  if (table_[cell].run == i) table_[cell].run = run.next_same;
  at(run.previous_same).next_same = run.next_same;
  at(run.next_same).previous_same = run.previous_same;
}

/// Keeps `length` blocks of a run; the others are one of their own behind it, and free before it.
void RunCache::cut(std::int32_t i, std::int32_t length) {
  const std::int32_t j = new_run();
  Run &run = at(i), &rest = at(j);
  rest.key = run.key;
  rest.hash = run.hash;
  rest.first = run.first + length;
  rest.length = run.length - length;
  rest.holders = run.holders;
  rest.cut_off = run.cut_off;
  rest.previous_same = i;
  rest.next_same = run.next_same;
  at(run.next_same).previous_same = j;
  run.next_same = j;
  run.length = length;
  run.cut_off = j;
  if (run.holders == 0) insert_free_before(j, i);
}

// --- who holds what

std::int64_t RunCache::look_up(const QueuedRequest& request, std::int64_t blocks) {
  found_.clear();
  found_blocks_ = found_held_ = 0;
  while (found_blocks_ < blocks) {
    const TextUnit unit = units_.at(request, found_blocks_);
    const std::int32_t first = first_of(unit.key);
    if (first == kNone) break;
    const auto place = static_cast<std::int32_t>(found_blocks_ - unit.first);
    auto end = static_cast<std::int32_t>(std::min(unit.end, blocks) - unit.first);
    std::int32_t i = first;
    while (at(i).first > place || at(i).end() <= place) {  // the first published that has this block
      if (at(i).first > place) end = std::min(end, at(i).first);
      i = at(i).next_same;
      if (i == first) return found_blocks_;
    }
    const Run& run = at(i);
    const std::int32_t count = std::min(end, run.end()) - place;
    found_.push_back({i, place, count});
    found_blocks_ += count;
    if (run.holders > 0) found_held_ += count;
  }
  return found_blocks_;
}

std::int64_t RunCache::share(Holding& holding) {
  const std::int64_t free_before = free_;
  holding.published = found_blocks_;
  for (const Found& found : found_) {
    std::int32_t i = found.run;
    while (at(i).end() <= found.first) i = at(i).cut_off;  // cut by a piece before this one
    if (at(i).first < found.first) {
      cut(i, found.first - at(i).first);
      i = at(i).cut_off;
    }
    holding.runs.push_back({i, found.blocks});
    for (std::int32_t left = found.blocks; left > 0;) {
      if (at(i).length > left) cut(i, left);
      if (at(i).holders == 0) remove_free(i);
      ++at(i).holders;
      left -= at(i).length;
      i = at(i).cut_off;
    }
  }
  return free_before - free_;
}

void RunCache::take(std::int64_t blocks) {
  if (blocks > free_) throw std::logic_error("RunCache: more blocks taken than are free");
  free_ -= blocks;
  while (blocks > 0) {
    const std::int32_t i = first_free_;
    Run& run = at(i);
    const std::int64_t part = std::min<std::int64_t>(blocks, run.length);
    run.length -= static_cast<std::int32_t>(part);
    blocks -= part;
    if (run.length > 0) return;
    first_free_ = run.next;
    (first_free_ == kNone ? last_free_ : at(first_free_).previous) = kNone;
    forget(i);
  }
}

void RunCache::publish(Holding& holding, const QueuedRequest& request, std::int64_t end) {
  while (holding.published < end) {
    const TextUnit unit = units_.at(request, holding.published);
    const auto first = static_cast<std::int32_t>(holding.published - unit.first);
    const auto blocks = static_cast<std::int32_t>(std::min(unit.end, end) - holding.published);
    holding.published += blocks;
    if (extend(holding, unit.key, first, blocks)) {
      holding.runs.back().blocks += blocks;
      continue;
    }
    const std::int32_t i = new_run();
    Run& run = at(i);
    run.key = unit.key;
    run.hash = hash_of(unit.key);
    run.first = first;
    run.length = blocks;
    run.holders = 1;
    append_to_unit(i);
    holding.runs.push_back({i, blocks});
  }
}

/// Whether the last run of `holding` may go on: it is where the new blocks begin, nobody else holds it, and no run that
/// was published after it has any of them, which then would be found later though it was there first.
bool RunCache::extend(const Holding& holding, const TextKey& key, std::int32_t first, std::int32_t blocks) {
  if (first == 0 || holding.runs.empty()) return false;
  std::int32_t i = holding.runs.back().run;
  for (std::int32_t left = holding.runs.back().blocks; left > at(i).length; i = at(i).cut_off) left -= at(i).length;
  Run& run = at(i);
  if (run.end() != first || run.holders != 1 || run.key != key) return false;
  for (std::int32_t j = run.next_same, begin = first_of(key); j != begin; j = at(j).next_same) {
    if (at(j).first < first + blocks && at(j).end() > first) return false;
  }
  run.length += blocks;
  return true;
}

std::int64_t RunCache::give_back(Holding& holding, std::int64_t unpublished) {
  const std::int64_t free_before = free_;
  if (unpublished > 0) give_back_unpublished(unpublished);
  for (; !holding.runs.empty(); holding.runs.pop_back()) {
    std::int32_t i = holding.runs.back().run;
    pieces_.clear();
    for (std::int32_t left = holding.runs.back().blocks; left > 0; i = at(i).cut_off) {
      pieces_.push_back(i);
      left -= at(i).length;
    }
    for (; !pieces_.empty(); pieces_.pop_back()) {
      Run& run = at(pieces_.back());
      if (run.holders == 0) throw std::logic_error("RunCache: blocks given back that nobody holds");
      if (--run.holders == 0) append_free(pieces_.back());
    }
  }
  holding.published = 0;
  return free_ - free_before;
}

// --- the free

void RunCache::append_free(std::int32_t i) {
  Run& run = at(i);
  run.previous = last_free_;
  run.next = kNone;
  (last_free_ == kNone ? first_free_ : at(last_free_).next) = i;
  last_free_ = i;
  free_ += run.length;
}

/// A part of `next`, so that no more blocks are free.
void RunCache::insert_free_before(std::int32_t i, std::int32_t next) {
  Run &run = at(i), &behind = at(next);
  run.previous = behind.previous;
  run.next = next;
  (behind.previous == kNone ? first_free_ : at(behind.previous).next) = i;
  behind.previous = i;
}

void RunCache::remove_free(std::int32_t i) {
  const Run& run = at(i);
  (run.previous == kNone ? first_free_ : at(run.previous).next) = run.next;
  (run.next == kNone ? last_free_ : at(run.next).previous) = run.previous;
  free_ -= run.length;
}

void RunCache::give_back_unpublished(std::int64_t blocks) {
  if (blocks == 0) return;
  if (last_free_ != kNone && at(last_free_).next_same == kNone) {
    at(last_free_).length += static_cast<std::int32_t>(blocks);
    free_ += blocks;
    return;
  }
  const std::int32_t i = new_run();
  at(i).length = static_cast<std::int32_t>(blocks);
  append_free(i);
}

}  // namespace weir::sim
