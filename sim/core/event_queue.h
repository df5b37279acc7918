#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/core/time.h"

namespace weir::sim {

/// Something that happens at `ticks`. `kind` and `target` mean what the owner of the queue says.
struct Event {
  std::int64_t ticks = 0;
  std::uint64_t seq = 0;  ///< order of scheduling; breaks ties, so equal times fire in the order they were pushed
  std::uint32_t kind = 0;
  std::uint32_t target = 0;

  Time time() const { return Time::from_ticks(ticks); }
  bool before(const Event& other) const { return ticks != other.ticks ? ticks < other.ticks : seq < other.seq; }
};
static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) == 24);

/// Pending events in a 4-ary heap: push O(log4 n), pop O(4 log4 n), 24 bytes an event and no allocation per event.
/// Four children share one or two cache lines, which makes it faster than a binary heap from some hundred events on.
/// There is no removal: an owner whose plan changed ignores the event when it fires.
class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  /// The earliest event. The queue must not be empty.
  const Event& top() const { return heap_.front(); }

  void push(Time at, std::uint32_t kind, std::uint32_t target) {
    heap_.push_back({at.ticks(), next_seq_++, kind, target});
    sift_up(heap_.size() - 1);
  }

  /// Removes and returns the earliest event. The queue must not be empty.
  Event pop() {
    const Event first = heap_.front();
    const Event last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(last);
    return first;
  }

 private:
  static constexpr std::size_t kArity = 4;

  void sift_up(std::size_t hole) {
    const Event event = heap_[hole];
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!event.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = event;
  }

  /// Puts `event` where it belongs, starting from a hole at the root.
  void sift_down(const Event& event) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t begin = hole * kArity + 1;
      if (begin >= heap_.size()) break;
      const std::size_t end = begin + kArity < heap_.size() ? begin + kArity : heap_.size();
      std::size_t least = begin;
      for (std::size_t child = begin + 1; child < end; ++child) {
        if (heap_[child].before(heap_[least])) least = child;
      }
      if (!heap_[least].before(event)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = event;
  }

  std::vector<Event> heap_;
  std::uint64_t next_seq_ = 0;
};

}  // namespace weir::sim
