#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/serving/request.h"

namespace weir::sim {

/// Requests in the order in which they came, as many as there are: O(1), and no allocation once it has grown. Also a
/// WaitingQueue that refuses nobody and has no timeout.
class RequestRing {
 public:
  RequestRing() : places_(16), mask_(places_.size() - 1) {}

  bool new_empty() const { return count_ == 0; }
  std::size_t new_size() const { return count_; }
  /// The first to come; not of an empty ring.
  const QueuedRequest& front() const { return places_[head_]; }
  void pop() {
    head_ = (head_ + 1) & mask_;
    --count_;
  }
  /// Always true: there is room.
  [[gnu::always_inline]] bool push(const QueuedRequest& request, bool /*replica_idle*/) {
    if (count_ > mask_) [[unlikely]]
      grow();
    copy_fields(request, places_[(head_ + count_) & mask_]);
    ++count_;
    return true;
  }
  /// Removes the first request of this client, if any.
  std::optional<QueuedRequest> take_of_client(std::int32_t client) {
    const auto at = [this](std::size_t i) -> QueuedRequest& { return places_[(head_ + i) & mask_]; };
    std::size_t i = 0;
    while (i < count_ && at(i).client != client) ++i;
    if (i == count_) return std::nullopt;
    const QueuedRequest taken = at(i);
    for (; i + 1 < count_; ++i) at(i) = at(i + 1);
    --count_;
    return taken;
  }
  static constexpr Time next_expiry() { return Time::never(); }
  static std::span<const QueuedRequest> drop_expired(Time) { return {}; }

 private:
  void grow() {
    std::rotate(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(head_), places_.end());
    head_ = 0;
    places_.resize(2 * places_.size());
    mask_ = places_.size() - 1;
  }

  std::vector<QueuedRequest> places_;  ///< a power of two of them
  std::size_t mask_;                   ///< their number - 1
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace weir::sim
