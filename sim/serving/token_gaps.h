#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/serving/step.h"

namespace weir::sim {

/// Times between tokens, counted in bulk. As all running requests get a token in every decode step, those that were in
/// the last one share the time of their last token; only the requests that joined since have another. A step therefore
/// costs O(classes + joins), not O(batch).
///
/// Where a function takes `out`, it calls out.gap(Gap) for each gap.
class TokenGaps {
 public:
  /// A request that will decode emitted a token.
  void joined(Time now, std::int16_t class_index) {
    const auto c = static_cast<std::size_t>(class_index);
    if (c >= settled_.size()) [[unlikely]]
      settled_.resize(c + 1);
    if (now == last_) {
      ++settled_[c];
    } else {
      joined_later(now, class_index);
    }
  }

  /// `steps` decode steps of all requests that lasted first_ticks, first_ticks + increase, ...; the last ended at
  /// `now`. More than one only when settled_at() the time they began.
  template <class Out>
  [[gnu::always_inline]] void decoded(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase, Time now,
                                      Out& out) {
    const std::int64_t* const end = settled_.data() + settled_.size();
    for (const std::int64_t* of_class = settled_.data(); of_class != end; ++of_class) {
      const auto c = static_cast<std::int16_t>(of_class - settled_.data());
      if (*of_class > 0) out.gap(Gap{first_ticks, increase, steps, *of_class, c});
    }
    if (!fresh_.empty()) [[unlikely]]
      settle_fresh(now, out);
    last_ = now;
  }
  /// One step.
  template <class Out>
  [[gnu::always_inline]] void decoded(Time now, Out& out) {
    decoded(1, (now - last_).ticks(), 0, now, out);
  }
  /// All who decode had a token when the last decode step ended, at `now`.
  bool settled_at(Time now) const { return now == last_ && fresh_.empty(); }

  /// A request left after the decode step that `decoded` has just counted.
  void finished(std::int16_t class_index) { --settled_[static_cast<std::size_t>(class_index)]; }
  /// A request that joined at `joined`, since the last decode step or before it (`fresh`), leaves. Returns when it had
  /// its last token.
  Time evicted(std::int16_t class_index, Time joined, bool fresh);

 private:
  struct Fresh {
    Time at;
    std::int16_t class_index;
    std::int64_t count;
  };
  void joined_later(Time now, std::int16_t class_index);
  template <class Out>
  [[gnu::noinline]] void settle_fresh(Time now, Out& out) {
    for (const Fresh& f : fresh_) {
      if (f.count > 0) out.gap(Gap{(now - f.at).ticks(), 0, 1, f.count, f.class_index});
      settled_[static_cast<std::size_t>(f.class_index)] += f.count;
    }
    fresh_.clear();
  }

  std::vector<std::int64_t> settled_;  ///< by class
  std::vector<Fresh> fresh_;
  Time last_;
};

}  // namespace weir::sim
