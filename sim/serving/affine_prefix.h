#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/serving/finish_calendar.h"
#include "sim/serving/request.h"
#include "sim/serving/rules.h"
#include "sim/serving/run_cache.h"

namespace weir::sim {

/// The prefix cache of AffineScheduler, which tells it only of admissions, prompts read and departures. What decodes do
/// in between is caught up when it can matter: the blocks they took, before the next look-up, from their number; the
/// blocks they filled, when another turn of their session is looked up, read or leaves, or when they are preempted and
/// will look for them themselves.
class AffinePrefix {
 public:
  using Slot = FinishCalendar::Slot;
  /// At most `slots` requests run at a time.
  AffinePrefix(const Rules& rules, std::size_t slots);

  /// Whether `request`, `length` tokens long by now, can be admitted with `blocks` blocks when `held` are held in step
  /// `step`. Looks up what the cache has of it.
  bool fits(const QueuedRequest& request, std::int64_t length, std::int64_t blocks, std::int64_t held,
            std::int64_t step);
  /// By the last fits() that was true.
  std::int64_t found_blocks() const { return cache_.found(); }
  std::int64_t found_tokens() const { return cache_.found() * block_tokens_; }
  /// Decodes of this request's session may fill blocks that it will find.
  bool may_find_more(const QueuedRequest& request) const;

  /// The request that fitted is admitted; it stays where it is until it leaves. Returns how many of the blocks found
  /// were held by others.
  std::int64_t start(Slot slot, const QueuedRequest& request);
  /// The first `tokens` tokens of its prompt are in the cache.
  void read(Slot slot, std::int64_t tokens, std::int64_t step);
  /// From the next step on it decodes, with base + S tokens in the cache in step S.
  void join(Slot slot, std::int64_t base);
  /// It is done in step `step` and gives its `blocks` blocks back; how many of them are still held.
  std::int64_t finish(Slot slot, std::int64_t blocks, std::int64_t step);
  /// The same when it is preempted with `tokens` tokens in the cache.
  std::int64_t evict(Slot slot, std::int64_t blocks, std::int64_t tokens, std::int64_t step);

 private:
  struct Member {
    RunCache::Holding holding;
    const QueuedRequest* request = nullptr;
    std::int64_t shareable = 0;  ///< leading blocks that others may look for
    std::int64_t base = 0;
    bool decodes = false;
  };
  struct Session {
    std::int64_t running = 0;
    std::vector<Slot> decoding;  ///< in the order in which they fill blocks within a step
  };
  /// A look-up that need not be made again while nothing changes for the better.
  struct Failed {
    std::uint64_t index = 0;
    std::int64_t length = 0, found_held = 0;
    std::uint64_t version = 0;  ///< 0 = none
  };

  static std::int64_t session_of(const QueuedRequest& request) {
    return request.content == nullptr ? -1 : request.content->session;
  }
  void publish(Member& member, std::int64_t blocks);
  void catch_up(const QueuedRequest& request, std::int64_t step);
  void catch_up_in_turn(const std::vector<Slot>& decoding, std::int64_t step);
  void leave_session(Slot slot);
  std::int64_t give_back(Slot slot, std::int64_t blocks);

  RunCache cache_;
  std::int64_t block_tokens_, admission_limit_;
  bool by_arrival_;
  std::vector<Member> members_;
  std::unordered_map<std::int64_t, Session> sessions_;  ///< that have somebody running; never walked over
  std::uint64_t version_ = 1;                           ///< of what is held and known
  Failed failed_;
};

}  // namespace weir::sim
