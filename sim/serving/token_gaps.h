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
    if (class_index > static_cast<std::int64_t>(others_.size())) [[unlikely]]
      others_.resize(static_cast<std::size_t>(class_index));
    if (now == last_) {
      ++settled(class_index);
    } else {
      joined_later(now, class_index);
    }
  }

  /// `steps` decode steps of all requests that lasted first_ticks, first_ticks + increase, ...; the last ended at
  /// `now`. More than one only when settled_at() the time they began.
  template <class Out>
  [[gnu::always_inline]] void decoded(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase, Time now,
                                      Out& out) {
    if (of_first_ > 0) [[likely]]
      out.gap(Gap{first_ticks, increase, steps, of_first_, 0});
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i] > 0) out.gap(Gap{first_ticks, increase, steps, others_[i], static_cast<std::int16_t>(i + 1)});
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
  void finished(std::int16_t class_index) { --settled(class_index); }
  /// A request that joined at `joined`, since the last decode step or before it (`fresh`), leaves. Returns when it had
  /// its last token.
  Time evicted(std::int16_t class_index, Time joined, bool fresh);

 private:
  struct Fresh {
    Time at;
    std::int16_t class_index;
    std::int64_t count;
  };
  std::int64_t& settled(std::int16_t class_index) {
    return class_index == 0 ? of_first_ : others_[static_cast<std::size_t>(class_index - 1)];
  }
  void joined_later(Time now, std::int16_t class_index);
  template <class Out>
  [[gnu::noinline]] void settle_fresh(Time now, Out& out) {
    for (const Fresh& f : fresh_) {
      if (f.count > 0) out.gap(Gap{(now - f.at).ticks(), 0, 1, f.count, f.class_index});
      settled(f.class_index) += f.count;
    }
    fresh_.clear();
  }

  // By class. Most demands have one, which is then all that a step looks at.
  std::int64_t of_first_ = 0;
  std::vector<std::int64_t> others_;
  std::vector<Fresh> fresh_;
  Time last_;
};

}  // namespace weir::sim
