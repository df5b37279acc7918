#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/serving/request.h"
#include "sim/serving/text_units.h"

namespace weir::sim {

/// The KV cache as vLLM keeps it, blocks that are found by content, but at the cost of runs of blocks instead of single
/// ones. A block has holders or is free; free blocks are taken the longest free first and keep their content until
/// then, so that it can be found and shared again. When several blocks have the same content, because it was read
/// twice, the first published is found.
///
/// A run is a row of blocks of one unit of text that were published in a row and have the same holders. Whoever shares
/// or gives back a part of it cuts it in two. Requests give all their blocks back at once, the last first, so that free
/// runs are taken from the list in the order in which they were given back, each from its tail.
class RunCache {
 public:
  static constexpr std::int32_t kNone = -1;
  /// Blocks in a row from the begin of `run`, and of those that were cut off it since.
  struct Hold {
    std::int32_t run = kNone;
    std::int32_t blocks = 0;
  };
  /// What a request holds that has been published: its leading blocks.
  struct Holding {
    std::vector<Hold> runs;
    std::int64_t published = 0;
  };

  RunCache(std::int64_t blocks, std::int64_t block_tokens);

  std::int64_t free() const { return free_; }
  std::int64_t held() const { return total_ - free_; }

  /// How many of the leading `blocks` blocks of the request are there, held or free.
  std::int64_t look_up(const QueuedRequest& request, std::int64_t blocks);
  std::int64_t found() const { return found_blocks_; }     ///< by the last look_up
  std::int64_t found_held() const { return found_held_; }  ///< of those
  /// `holding`, which is empty, gets what the last look_up found, between which and this nothing has changed. Returns
  /// how many of those blocks were free.
  std::int64_t share(Holding& holding);
  /// The blocks that have been free longest, without their content. Throws when there are not so many.
  void take(std::int64_t blocks);
  /// The blocks of `request` before `end` are full; those that are not published yet were taken by take().
  void publish(Holding& holding, const QueuedRequest& request, std::int64_t end);
  /// All blocks of a request, the last first; `unpublished` come after those of `holding`. Returns how many are free
  /// now.
  std::int64_t give_back(Holding& holding, std::int64_t unpublished);

  std::int64_t shareable(const QueuedRequest& request) const { return units_.shareable(request); }

 private:
  struct Run {
    TextKey key;
    std::uint32_t hash = 0;              ///< of the key
    std::int32_t first = 0, length = 0;  ///< blocks, within the unit
    std::int32_t holders = 0;
    std::int32_t cut_off = kNone;                           ///< the run that goes on where this was cut
    std::int32_t previous = kNone, next = kNone;            ///< list of the free
    std::int32_t previous_same = kNone, next_same = kNone;  ///< ring of the unit, as published; kNone: no content
    std::int32_t end() const { return first + length; }
  };
  /// A piece of a run as it was when it was looked up.
  struct Found {
    std::int32_t run = kNone;
    std::int32_t first = 0, blocks = 0;
  };
  /// Keeps some of the hash, so that a search seldom looks at a run that is not the one.
  struct Cell {
    std::int32_t run = kNone;
    std::uint32_t hash = 0;
  };
  const Run& at(std::int32_t run) const { return runs_[static_cast<std::size_t>(run)]; }
  Run& at(std::int32_t run) { return runs_[static_cast<std::size_t>(run)]; }

  std::int32_t first_of(const TextKey& key) const;
  std::size_t find_cell(const TextKey& key, std::uint32_t hash) const;
  void erase_cell(std::size_t cell);
  void grow_table();

  std::int32_t new_run();
  void forget(std::int32_t run);
  void append_to_unit(std::int32_t run);
  void cut(std::int32_t run, std::int32_t length);
  bool extend(const Holding& holding, const TextKey& key, std::int32_t first, std::int32_t blocks);
  void append_free(std::int32_t run);
  void insert_free_before(std::int32_t run, std::int32_t next);
  void remove_free(std::int32_t run);
  void give_back_unpublished(std::int64_t blocks);

  std::int64_t total_, free_ = 0;
  TextUnits units_;
  std::vector<Run> runs_;
  std::vector<std::int32_t> unused_;
  std::int32_t first_free_ = kNone, last_free_ = kNone;
  std::vector<Cell> table_;  ///< open addressing, linear probing: the first run of each unit
  std::size_t units_known_ = 0;
  std::vector<Found> found_;
  std::int64_t found_blocks_ = 0, found_held_ = 0;
  std::vector<std::int32_t> pieces_;
};

}  // namespace weir::sim
