#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/timing/profile_tables.h"

namespace weir::sim {

/// What a decode step takes longer because its sequences differ in length, while a profile measures equal ones.
///
/// FlashAttention 2 gives each (sequence, KV head) to one thread block that walks over its tokens, unless it splits the
/// tokens of a sequence over several. It does not split once the blocks fill 80 % of two per multiprocessor (its
/// num_splits_heuristic); from there on the longest sequences are still running when the others are done and the
/// memory bus is no longer full. The kernel is played through: blocks start in order as slots come free, wait for
/// their first tokens, then share the memory bus equally, none faster than one block alone can go.
///
/// All constants are read from the attention table: how fast one block goes (slope of the mixed rows with one decode),
/// how long it takes to start (slope of the shortest decode-only rows over the number of sequences), how fast all of
/// them go together (the step itself). The result is the difference to equal lengths, which the table has.
class UnevenDecodes {
 public:
  /// multiprocessors: of the accelerator; kv_heads: of one rank. Throws std::logic_error when the table has not the
  /// rows this needs (see can_read).
  UnevenDecodes(const AttentionTable& table, std::int64_t multiprocessors, std::int64_t kv_heads);
  static bool can_read(const AttentionTable& table);

  /// FlashAttention does not split the tokens of `sequences` sequences (padded to a captured graph).
  bool applies(std::int64_t sequences) const;
  /// Seconds of one layer beyond those of equally long sequences. contexts: tokens of each, the one being read
  /// included; in any order.
  double extra_seconds(std::span<const std::int32_t> contexts) const;

 private:
  /// Time until all blocks are through, lengths in tokens, repeated for every KV head.
  double makespan(const std::vector<double>& lengths, double tokens_per_s) const;

  const AttentionTable& table_;
  std::int64_t multiprocessors_, kv_heads_;
  double block_tokens_per_s_ = 0, block_start_s_ = 0;
};

}  // namespace weir::sim
