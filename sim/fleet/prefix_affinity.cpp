#include "sim/fleet/prefix_affinity.h"

#include <algorithm>

namespace weir::sim {
namespace {

constexpr std::size_t kLeastCells = 1024;
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;

/// Multiplicative hashing (Knuth, TAOCP 3, 6.4), with the upper half folded in first.
std::size_t spread(std::uint64_t x) { return static_cast<std::size_t>(((x ^ x >> 32) * kOdd) >> 32); }

std::uint64_t key_of_session(std::int64_t session) { return (static_cast<std::uint64_t>(session) + 1) * kOdd; }

}  // namespace

PrefixAffinity::PrefixAffinity(std::size_t replicas, std::uint64_t first, std::int64_t remembered_tokens)
    : next_(static_cast<std::size_t>(first % replicas)), most_tokens_(remembered_tokens), table_(kLeastCells) {}

std::size_t PrefixAffinity::pick(const PromptContent* content, std::int64_t input_tokens,
                                 std::span<const std::int32_t> outstanding) {
  const std::size_t least = least_loaded(outstanding);
  std::size_t chosen = kNobody;
  if (content != nullptr) chosen = owner_with_room(match(*content, input_tokens), input_tokens, outstanding, least);
  if (chosen == kNobody) {
    chosen = least;
    next_ = least + 1 == outstanding.size() ? 0 : least + 1;
  }
  if (content != nullptr) remember(*content, input_tokens, static_cast<std::int32_t>(chosen));
  return chosen;
}

std::size_t PrefixAffinity::least_loaded(std::span<const std::int32_t> outstanding) const {
  const std::size_t n = outstanding.size();
  std::size_t best = next_, candidate = next_;
  for (std::size_t i = 0; i < n && outstanding[best] > 0; ++i) {
    if (outstanding[candidate] < outstanding[best]) best = candidate;
    candidate = candidate + 1 == n ? 0 : candidate + 1;
  }
  return best;
}

/// Of those that have enough of the prompt the one with the least to do, the latest among equals; nobody when that is
/// too much.
std::size_t PrefixAffinity::owner_with_room(const Match& known, std::int64_t input_tokens,
                                            std::span<const std::int32_t> outstanding, std::size_t least) const {
  if (known.unit == kNone || static_cast<double>(known.tokens) < kLeastMatch * static_cast<double>(input_tokens)) {
    return kNobody;
  }
  std::size_t owner = kNobody;
  for (const std::int32_t replica : at(known.unit).owners) {
    const auto i = static_cast<std::size_t>(replica);
    if (replica != kNone && (owner == kNobody || outstanding[i] < outstanding[owner])) owner = i;
  }
  const std::int64_t load = outstanding[owner], of_least = outstanding[least];
  const bool room =
      load <= of_least + kMostAhead || static_cast<double>(load) <= kMostTimes * static_cast<double>(of_least);
  return room ? owner : kNobody;
}

/// A hash stands for all tokens before it too: the last that is known says most.
PrefixAffinity::Match PrefixAffinity::match(const PromptContent& content, std::int64_t input_tokens) {
  known_.clear();
  if (content.hashes.empty()) {
    if (content.session < 0) return {};
    const std::int32_t unit = table_[find_cell(key_of_session(content.session))].unit;
    if (unit == kNone) return {};
    known_.push_back(unit);
    return {std::min(input_tokens, at(unit).tokens), unit};
  }
  for (const std::uint64_t hash : content.hashes) {
    const std::int32_t unit = table_[find_cell(hash)].unit;
    if (unit == kNone) break;
    known_.push_back(unit);
  }
  if (known_.empty()) return {};
  return {static_cast<std::int64_t>(known_.size()) * content.tokens_per_hash, known_.back()};
}

/// The last hash first, so that ends are forgotten before the beginnings that others may share.
void PrefixAffinity::remember(const PromptContent& content, std::int64_t input_tokens, std::int32_t replica) {
  if (content.hashes.empty()) {
    if (content.session < 0) return;
    remember(known_.empty() ? add(key_of_session(content.session)) : known_.front(), input_tokens, replica);
  } else {
    for (std::size_t i = content.hashes.size(); i-- > 0;) {
      remember(i < known_.size() ? known_[i] : add(content.hashes[i]), content.tokens_per_hash, replica);
    }
  }
  while (oldest_ != kNone && (tokens_ > most_tokens_ || table_used_ > kMostUnits)) forget_oldest();
}

void PrefixAffinity::remember(std::int32_t i, std::int64_t tokens, std::int32_t replica) {
  if (i != newest_) {
    unlink(i);
    append(i);
  }
  Unit& unit = at(i);
  tokens_ += tokens - unit.tokens;
  unit.tokens = tokens;
  std::int32_t moved = replica;  // to the front; what was there before moves back, up to where it was itself
  for (std::int32_t& owner : unit.owners) {
    std::swap(owner, moved);
    if (moved == replica || moved == kNone) break;
  }
}

// --- the table and the list

std::size_t PrefixAffinity::find_cell(std::uint64_t key) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t cell = spread(key) & mask;
  while (table_[cell].unit != kNone && table_[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}

/// The unit of this key; a hash may be unknown to match() because one before it had been forgotten.
std::int32_t PrefixAffinity::add(std::uint64_t key) {
  const std::size_t cell = find_cell(key);
  if (table_[cell].unit != kNone) return table_[cell].unit;
  auto i = static_cast<std::int32_t>(units_.size());
  if (unused_.empty()) {
    units_.emplace_back();
  } else {
    i = unused_.back();
    unused_.pop_back();
  }
  Unit& unit = at(i);
  unit.key = key;
  unit.tokens = 0;
  unit.owners.fill(kNone);
  append(i);
  table_[cell] = {key, i};
  if (3 * ++table_used_ > table_.size()) grow_table();
  return i;
}

void PrefixAffinity::grow_table() {
  std::vector<Cell> old(2 * table_.size());
  old.swap(table_);
  for (const Cell& cell : old) {
    if (cell.unit != kNone) table_[find_cell(cell.key)] = cell;
  }
}

void PrefixAffinity::forget_oldest() {
  const std::int32_t i = oldest_;
  unlink(i);
  tokens_ -= at(i).tokens;
  unused_.push_back(i);
  const std::size_t mask = table_.size() - 1;
  std::size_t hole = find_cell(at(i).key);
  for (std::size_t cell = (hole + 1) & mask; table_[cell].unit != kNone; cell = (cell + 1) & mask) {
    const std::size_t from_home = (cell - spread(table_[cell].key)) & mask, from_hole = (cell - hole) & mask;
    if (from_home < from_hole) continue;
    table_[hole] = table_[cell];
    hole = cell;
  }
  table_[hole] = {};
  --table_used_;
}

void PrefixAffinity::unlink(std::int32_t i) {
  const Unit& unit = at(i);
  (unit.older == kNone ? oldest_ : at(unit.older).newer) = unit.newer;
  (unit.newer == kNone ? newest_ : at(unit.newer).older) = unit.older;
}

void PrefixAffinity::append(std::int32_t i) {
  Unit& unit = at(i);
  unit.older = newest_;
  unit.newer = kNone;
  (newest_ == kNone ? oldest_ : at(newest_).newer) = i;
  newest_ = i;
}

}  // namespace weir::sim
