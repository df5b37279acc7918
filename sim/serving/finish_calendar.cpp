#include "sim/serving/finish_calendar.h"

#include <stdexcept>
#include <utility>

namespace weir::sim {

void FinishCalendar::remove(Slot slot, std::int64_t step) {
  const std::size_t b = bucket(step);
  Slot* link = &first_[b];
  while (*link != slot) {
    if (*link == kNone) throw std::logic_error("FinishCalendar: nobody of this name finishes then");
    link = &after_[*link];
  }
  *link = after_[slot];
  --members_;
  if (first_[b] == kNone) bits_[b / 64] &= ~(std::uint64_t{1} << (b % 64));
  if (step == next_ && first_[b] == kNone) find_next(step);
}

/// A ring that reaches `step`. A bucket's step follows from its place, because all lie within one turn after `now`.
void FinishCalendar::grow(std::int64_t step, std::int64_t now) {
  const std::vector<Slot> old = std::move(first_);
  const std::int64_t old_mask = mask_;
  resize(std::bit_ceil(static_cast<std::size_t>(step - now) + 1));
  for (std::int64_t s = now + 1; s <= now + old_mask + 1; ++s) {
    const Slot first = old[static_cast<std::size_t>(s & old_mask)];
    if (first == kNone) continue;
    first_[bucket(s)] = first;
    bits_[bucket(s) / 64] |= std::uint64_t{1} << (bucket(s) % 64);
  }
}

}  // namespace weir::sim
