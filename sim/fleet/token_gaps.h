#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/metrics/histogram.h"

namespace weir::sim {

/// Inter-token latencies of one replica, counted in bulk. As all running requests get a token in every decode step,
/// those that were in the last one share the time of their last token; only the requests that joined since have
/// another. A step therefore costs O(classes + joins), not O(batch).
class TokenGaps {
 public:
  explicit TokenGaps(std::vector<Histogram>& by_class) : by_class_(by_class), settled_(by_class.size()) {}

  /// A request that will decode got its first token.
  void joined(Time at, std::size_t request_class) {
    if (!fresh_.empty() && fresh_.back().at == at && fresh_.back().request_class == request_class) {
      ++fresh_.back().count;
    } else {
      fresh_.push_back({at, request_class, 1});
    }
  }

  /// A decode step of all requests ended.
  void decoded(Time at) {
    for (std::size_t c = 0; c < settled_.size(); ++c) {
      if (settled_[c] > 0) by_class_[c].add(at - last_, settled_[c]);
    }
    for (const Fresh& f : fresh_) {
      by_class_[f.request_class].add(at - f.at, f.count);
      settled_[f.request_class] += f.count;
    }
    fresh_.clear();
    last_ = at;
  }

  /// A request left after the decode step that `decoded` has just counted.
  void finished(std::size_t request_class) { --settled_[request_class]; }

 private:
  struct Fresh {
    Time at;
    std::size_t request_class;
    std::int64_t count;
  };

  std::vector<Histogram>& by_class_;
  std::vector<std::int64_t> settled_;
  std::vector<Fresh> fresh_;
  Time last_;
};

}  // namespace weir::sim
