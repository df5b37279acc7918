#include "sim/fleet/router.h"

namespace weir::sim {

std::size_t LeastOutstandingRouter::pick() {
  const std::size_t n = outstanding_.size();
  std::size_t best = next_;
  std::size_t candidate = next_;
  for (std::size_t i = 0; i < n && outstanding_[best] > 0; ++i) {
    if (outstanding_[candidate] < outstanding_[best]) best = candidate;
    candidate = candidate + 1 == n ? 0 : candidate + 1;
  }
  next_ = best + 1 == n ? 0 : best + 1;
  return best;
}

}  // namespace weir::sim
