#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/serving/finish_calendar.h"
#include "sim/serving/fixed_list.h"
#include "sim/serving/request.h"

namespace weir::sim {

/// A request that AffineScheduler has admitted. The first two cache lines are all that one needs which is never
/// preempted.
struct alignas(64) Running {
  using Slot = FinishCalendar::Slot;
  static constexpr Slot kNone = FinishCalendar::kNone;
  ServedRequest served;
  std::int64_t base = 0;               ///< context in step S less S; its prompt is read
  std::int64_t finish = 0;             ///< the S of its last token
  std::int32_t prompt = 0, left = 0;   ///< to read; to write after that, the first token included
  Slot before = kNone, after = kNone;  ///< in running order

  std::int32_t covered = 0;  ///< of its input, read at least once
  std::int32_t cut = 0;      ///< restart_cuts_prompt: tokens that look written but are of its input, still to come
  Time last_token;           ///< when it was preempted, or when it joined again
  Time preempted_at = Time::never();
};

/// The admitted requests: a fixed number of places, and a list of those that run in the order in which they get their
/// KV blocks, of admission or of arrival. A place that was left last is taken next, for the cache's sake.
class RunningList {
 public:
  using Slot = FinishCalendar::Slot;
  static constexpr Slot kNone = FinishCalendar::kNone;

  RunningList(std::size_t places, bool by_arrival) : by_arrival_(by_arrival), places_(places), free_(places) {
    for (std::size_t i = places; i > 0; --i) free_.add(static_cast<Slot>(i - 1));
  }

  Running& operator[](Slot slot) { return places_[slot]; }
  const Running& operator[](Slot slot) const { return places_[slot]; }

  Slot take() { return free_.take(); }
  void give_back(Slot slot) { free_.add(slot); }

  Slot first() const { return first_; }
  Slot last() const { return last_; }
  bool by_arrival() const { return by_arrival_; }
  /// To the end of the list, or behind those that arrived no later.
  void append(Slot slot) {
    Slot behind = last_;
    if (by_arrival_) [[unlikely]] {
      while (behind != kNone && places_[behind].served.request.arrival > places_[slot].served.request.arrival) {
        behind = places_[behind].before;
      }
    }
    insert_after(behind, slot);
  }
  void unlink(Slot slot) {
    const Running& r = places_[slot];
    (r.before == kNone ? first_ : places_[r.before].after) = r.after;
    (r.after == kNone ? last_ : places_[r.after].before) = r.before;
  }

 private:
  void insert_after(Slot behind, Slot slot) {
    Running& r = places_[slot];
    r.before = behind;
    r.after = behind == kNone ? first_ : places_[behind].after;
    (behind == kNone ? first_ : places_[behind].after) = slot;
    (r.after == kNone ? last_ : places_[r.after].before) = slot;
  }

  bool by_arrival_;
  Slot first_ = kNone, last_ = kNone;
  std::vector<Running> places_;
  FixedList<Slot> free_;
};

}  // namespace weir::sim
