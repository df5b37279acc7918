#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::sim {

/// Who finishes in which step: a ring of buckets over the steps to come, one bit a bucket for finding the next. Adding
/// and finding are O(1). Members are small numbers (slots), each in at most one bucket.
class FinishCalendar {
 public:
  using Slot = std::uint16_t;
  static constexpr Slot kNone = 0xffff;
  static constexpr std::int64_t kNever = std::int64_t{1} << 62;

  explicit FinishCalendar(std::size_t slots) : after_(slots, kNone) { resize(kLeastBuckets); }

  /// The earliest step at which anybody finishes; kNever when there is nobody.
  std::int64_t next() const { return next_; }

  /// `slot` finishes at `step`, which is later than `now`, the last step that was taken.
  void add(Slot slot, std::int64_t step, std::int64_t now) {
    if (step - now > mask_) [[unlikely]]
      grow(step, now);
    const std::size_t b = bucket(step);
    after_[slot] = first_[b];
    first_[b] = slot;
    bits_[b / 64] |= std::uint64_t{1} << (b % 64);
    ++members_;
    if (step < next_) next_ = step;
  }

  /// Removes those who finish at next(); the latest added is first, after() gives the others.
  Slot take() {
    const std::size_t b = bucket(next_);
    const Slot first = first_[b];
    first_[b] = kNone;
    bits_[b / 64] &= ~(std::uint64_t{1} << (b % 64));
    for (Slot s = first; s != kNone; s = after_[s]) --members_;
    find_next(next_);
    return first;
  }
  Slot after(Slot slot) const { return after_[slot]; }

  /// `slot` finishes at `step` no more.
  void remove(Slot slot, std::int64_t step);

 private:
  static constexpr std::size_t kLeastBuckets = 1024;

  std::size_t bucket(std::int64_t step) const { return static_cast<std::size_t>(step & mask_); }
  void resize(std::size_t buckets) {
    mask_ = static_cast<std::int64_t>(buckets) - 1;
    first_.assign(buckets, kNone);
    bits_.assign(buckets / 64, 0);
  }
  void grow(std::int64_t step, std::int64_t now);

  /// The first step after `step` with a member. All of them lie within one turn of the ring.
  void find_next(std::int64_t step) {
    if (members_ == 0) {
      next_ = kNever;
      return;
    }
    const std::size_t start = bucket(step + 1), words = bits_.size();
    std::size_t w = start / 64;
    std::uint64_t word = bits_[w] & (~std::uint64_t{0} << (start % 64));
    while (word == 0) {
      w = (w + 1) & (words - 1);
      word = bits_[w];
    }
    const std::size_t found = w * 64 + static_cast<std::size_t>(std::countr_zero(word));
    next_ = step + 1 + static_cast<std::int64_t>((found - start) & static_cast<std::size_t>(mask_));
  }

  std::int64_t next_ = kNever, mask_ = 0;
  std::int64_t members_ = 0;
  std::vector<Slot> first_, after_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace weir::sim
