#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::sim {

/// Sends each request to the replica with the fewest requests waiting or running. Among equals it takes the next one
/// after the replica chosen last, so that an idle fleet is used evenly. O(replicas) at worst, O(1) when the next
/// replica is idle.
class LeastOutstandingRouter {
 public:
  LeastOutstandingRouter(int replicas, std::size_t first) : outstanding_(static_cast<std::size_t>(replicas)) {
    next_ = first % outstanding_.size();
  }

  std::size_t pick();
  void sent(std::size_t replica) { ++outstanding_[replica]; }
  void left(std::size_t replica) { --outstanding_[replica]; }
  std::int32_t outstanding(std::size_t replica) const { return outstanding_[replica]; }
  /// The count of a replica, which may be changed in place of sent() and left(); stays where it is.
  std::int32_t& counter(std::size_t replica) { return outstanding_[replica]; }

 private:
  std::vector<std::int32_t> outstanding_;
  std::size_t next_;
};

}  // namespace weir::sim
