#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/core/draw.h"
#include "sim/fleet/prefix_affinity.h"
#include "sim/serving/request.h"

namespace weir::sim {

enum class RouterKind : std::uint8_t {
  least_outstanding,  ///< the fewest requests waiting or running
  least_tokens,       ///< the fewest tokens, input and output, of requests waiting or running
  round_robin,        ///< in turn
  random,             ///< each alike
  power_of_two,       ///< of two drawn at random the one with fewer requests
  session_affinity,   ///< a session stays with its replica; who has none goes where the fewest requests are
  prefix_affinity,    ///< where the longest prefix is known, unless that replica is too busy: PrefixAffinity
  kept_for_priority,  ///< the last replicas take no requests of low priority; else the fewest requests
};

/// How requests are dealt to replicas.
struct RouterRules {
  RouterKind kind = RouterKind::least_outstanding;
  std::uint64_t seed = 1;          ///< of the draws, which depend on it and the request alone
  std::uint64_t first = 0;         ///< replica (modulo their number) that is first among equals
  int kept_replicas = 0;           ///< kept_for_priority: so many, the last ones; at least one is not kept
  std::int16_t from_priority = 1;  ///< kept_for_priority: requests of this priority or a larger one may use all
  /// Relative speeds, one a replica, > 0; empty = all alike. Routers that compare loads compare load / speed with the
  /// new request counted; random, round-robin, sessions and prefixes take no notice.
  std::vector<double> speed = {};
  std::int64_t remembered_tokens = 0;  ///< prefix_affinity: what the prefix caches of all replicas hold
};

/// Sends each request to one of the open replicas. Where loads are compared, equals take turns after the replica that
/// was chosen last, so that an idle fleet is used evenly. O(replicas) at worst; random and power of two O(1) while all
/// are open.
class Router {
 public:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  Router(const RouterRules& rules, int replicas);

  /// kNobody when no replica is open. Counts nothing: see sent().
  std::size_t pick(const QueuedRequest& request);
  void sent(std::size_t replica, const QueuedRequest& request) {
    ++outstanding_[replica];
    if (!tokens_.empty()) tokens_[replica] += tokens_of(request);
  }
  void left(std::size_t replica, const QueuedRequest& request) {
    --outstanding_[replica];
    if (!tokens_.empty()) tokens_[replica] -= tokens_of(request);
  }
  std::int32_t outstanding(std::size_t replica) const {
    return outstanding_[replica] - (is_open(replica) ? 0 : kClosed);
  }
  std::int64_t outstanding_tokens(std::size_t replica) const { return tokens_[replica]; }

  bool is_open(std::size_t replica) const { return open_[replica] != 0; }
  std::size_t open_replicas() const { return open_list_.size(); }
  void open(std::size_t replica);
  void close(std::size_t replica);
  /// Requests that came with what an affinity goes by: a session, or any content.
  std::int64_t with_affinity() const { return with_affinity_; }

  /// The counts of a replica, which may be changed in place of sent() and left(); they stay where they are. `tokens` is
  /// null unless the router wants them.
  struct Counters {
    std::int32_t& requests;
    std::int64_t* tokens;
  };
  Counters counters(std::size_t replica) {
    return {outstanding_[replica], tokens_.empty() ? nullptr : &tokens_[replica]};
  }
  static std::int64_t tokens_of(const QueuedRequest& r) {
    return std::int64_t{r.input_tokens} * r.items + r.output_tokens;
  }

 private:
  /// Added to the count of a replica that is closed, so that comparing loads passes it over.
  static constexpr std::int32_t kClosed = 1 << 30;

  std::size_t least_outstanding(std::size_t end);
  template <class Load>
  std::size_t least(std::size_t end, const Load& load);
  double relative_load(std::size_t replica) const;
  std::size_t in_turn();
  std::size_t at_random(const QueuedRequest& request) const;
  std::size_t better_of_two(const QueuedRequest& request) const;
  std::size_t of_session(const QueuedRequest& request);
  std::size_t with_kept(const QueuedRequest& request);
  void list_open();
  bool all_open() const { return open_list_.size() == outstanding_.size(); }

  RouterRules rules_;
  Draws draws_;
  std::vector<std::int32_t> outstanding_;
  std::vector<std::int64_t> tokens_;  ///< least_tokens only
  std::vector<char> open_;
  std::vector<std::uint32_t> open_list_;  ///< ascending
  std::optional<PrefixAffinity> prefixes_;
  std::size_t next_;
  std::int64_t with_affinity_ = 0;
};

}  // namespace weir::sim
