#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/serving/request.h"

namespace weir::sim {

/// Sends a request to the replica that last got the longest prefix of it, so that its prefix cache is hit, unless that
/// replica has too much to do. The router knows only what it has sent: which hashes (or sessions) went where, not what
/// the replicas have forgotten since. Everything else goes to the least loaded, equals in turn.
///
/// Routers of this kind differ in how they weigh the two. SGLang's gateway asks for a match of at least 0.3 of the
/// prompt, and for balance when loads differ by more than 64 requests and 1.5 times (its defaults: cache-threshold,
/// balance-abs-threshold, balance-rel-threshold). NVIDIA Dynamo and vLLM's production stack add both up to one score.
/// Here it is SGLang's rule and its shares; the difference is smaller, because what a queue of 64 long prompts costs
/// is more than what any hit saves (assumption).
class PrefixAffinity {
 public:
  static constexpr double kLeastMatch = 0.3;          ///< of the prompt
  static constexpr std::int64_t kMostAhead = 8;       ///< requests more than the least loaded has: always allowed
  static constexpr double kMostTimes = 1.5;           ///< the load of the least loaded: always allowed
  static constexpr std::size_t kMostUnits = 1 << 20;  ///< hashes and sessions that are remembered at most

  /// `remembered_tokens`: of prompts, what all replicas together can keep; the longest unused are forgotten beyond it.
  /// `first` is the replica (modulo their number) that is first among equals.
  PrefixAffinity(std::size_t replicas, std::uint64_t first, std::int64_t remembered_tokens);

  /// `outstanding`: by replica, requests sent there that have not left.
  std::size_t pick(const PromptContent* content, std::int64_t input_tokens, std::span<const std::int32_t> outstanding);

  std::size_t units() const { return table_used_; }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kOwners = 4;
  struct Unit {
    std::uint64_t key = 0;
    std::array<std::int32_t, kOwners> owners{};  ///< replicas that got it, the latest first; kNone from some place on
    std::int64_t tokens = 0;
    std::int32_t older = kNone, newer = kNone;
  };
  struct Cell {
    std::uint64_t key = 0;
    std::int32_t unit = kNone;
  };
  struct Match {
    std::int64_t tokens = 0;
    std::int32_t unit = kNone;
  };

  Unit& at(std::int32_t unit) { return units_[static_cast<std::size_t>(unit)]; }
  const Unit& at(std::int32_t unit) const { return units_[static_cast<std::size_t>(unit)]; }
  std::size_t least_loaded(std::span<const std::int32_t> outstanding) const;
  std::size_t owner_with_room(const Match& known, std::int64_t input_tokens, std::span<const std::int32_t> outstanding,
                              std::size_t least) const;
  Match match(const PromptContent& content, std::int64_t input_tokens);
  void remember(const PromptContent& content, std::int64_t input_tokens, std::int32_t replica);
  void remember(std::int32_t unit, std::int64_t tokens, std::int32_t replica);
  std::size_t find_cell(std::uint64_t key) const;
  std::int32_t add(std::uint64_t key);
  void grow_table();
  void forget_oldest();
  void unlink(std::int32_t unit);
  void append(std::int32_t unit);

  std::size_t next_;
  std::int64_t most_tokens_, tokens_ = 0;
  std::vector<Unit> units_;
  std::vector<std::int32_t> unused_;
  std::int32_t oldest_ = kNone, newest_ = kNone;
  std::vector<std::int32_t> known_;  ///< the units of the leading hashes (or of the session) that match() found
  std::vector<Cell> table_;          ///< units by key: open addressing, linear probing
  std::size_t table_used_ = 0;
};

}  // namespace weir::sim
