#include "sim/fleet/router.h"

#include <stdexcept>
#include <utility>

namespace weir::sim {

Router::Router(const RouterRules& rules, int replicas)
    : rules_(rules),
      draws_(rules.seed, "router"),
      outstanding_(static_cast<std::size_t>(replicas)),
      tokens_(rules.kind == RouterKind::least_tokens ? outstanding_.size() : 0),
      open_(outstanding_.size(), 1),
      next_(rules.first % outstanding_.size()) {
  if (!rules_.speed.empty() && rules_.speed.size() != outstanding_.size()) {
    throw std::logic_error("Router: one speed a replica");
  }
  if (rules_.kept_replicas < 0 || rules_.kept_replicas >= replicas) {
    throw std::logic_error("Router: at least one replica takes every request");
  }
  if (rules.kind == RouterKind::prefix_affinity) {
    prefixes_.emplace(outstanding_.size(), rules.first, rules.remembered_tokens);
  }
  list_open();
}

void Router::list_open() {
  open_list_.clear();
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i] != 0) open_list_.push_back(static_cast<std::uint32_t>(i));
  }
}

void Router::open(std::size_t replica) {
  if (is_open(replica)) return;
  open_[replica] = 1;
  outstanding_[replica] -= kClosed;
  list_open();
}

void Router::close(std::size_t replica) {
  if (!is_open(replica)) return;
  open_[replica] = 0;
  outstanding_[replica] += kClosed;
  list_open();
}

std::size_t Router::pick(const QueuedRequest& request) {
  if (open_list_.empty()) return kNobody;
  switch (rules_.kind) {
    case RouterKind::least_outstanding:
      return least_outstanding(outstanding_.size());
    case RouterKind::least_tokens:
      return least(outstanding_.size(), [&](std::size_t i) {
        const auto load = static_cast<double>(tokens_[i] + tokens_of(request));
        return rules_.speed.empty() ? load : load / rules_.speed[i];
      });
    case RouterKind::round_robin:
      return in_turn();
    case RouterKind::random:
      return at_random(request);
    case RouterKind::power_of_two:
      return better_of_two(request);
    case RouterKind::session_affinity:
      return of_session(request);
    case RouterKind::prefix_affinity:
      with_affinity_ += request.content != nullptr ? 1 : 0;
      return prefixes_->pick(request.content, request.input_tokens, outstanding_);
    case RouterKind::kept_for_priority:
      return with_kept(request);
  }
  throw std::logic_error("Router: unknown kind");
}

double Router::relative_load(std::size_t replica) const {
  return static_cast<double>(outstanding_[replica] + 1) / rules_.speed[replica];
}

/// Of the replicas [0, end), of which one is open.
std::size_t Router::least_outstanding(std::size_t end) {
  if (!rules_.speed.empty()) return least(end, [this](std::size_t i) { return relative_load(i); });
  std::size_t best = next_ < end ? next_ : 0;
  std::size_t candidate = best;
  for (std::size_t i = 0; i < end && outstanding_[best] > 0; ++i) {
    if (outstanding_[candidate] < outstanding_[best]) best = candidate;
    candidate = candidate + 1 == end ? 0 : candidate + 1;
  }
  next_ = best + 1 == end ? 0 : best + 1;
  return best;
}

template <class Load>
std::size_t Router::least(std::size_t end, const Load& load) {
  std::size_t candidate = next_ < end ? next_ : 0, best = end;
  double best_load = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (open_[candidate] != 0) {
      const double here = load(candidate);
      if (best == end || here < best_load) best = candidate, best_load = here;
    }
    candidate = candidate + 1 == end ? 0 : candidate + 1;
  }
  next_ = best + 1 == end ? 0 : best + 1;
  return best;
}

std::size_t Router::in_turn() {
  while (open_[next_] == 0) next_ = next_ + 1 == open_.size() ? 0 : next_ + 1;
  return std::exchange(next_, next_ + 1 == open_.size() ? 0 : next_ + 1);
}

// A request that is sent again draws anew: `retries` is part of what it is.

std::size_t Router::at_random(const QueuedRequest& request) const {
  return open_list_[draws_.below(open_list_.size(), request.index, static_cast<std::uint64_t>(request.retries) * 2)];
}

std::size_t Router::better_of_two(const QueuedRequest& request) const {
  const std::size_t n = open_list_.size();
  const auto number = static_cast<std::uint64_t>(request.retries) * 2;
  const std::size_t one = draws_.below(n, request.index, number);
  if (n == 1) return open_list_[one];
  std::size_t other = draws_.below(n - 1, request.index, number + 1);
  if (other >= one) ++other;
  const std::size_t a = open_list_[one], b = open_list_[other];
  if (rules_.speed.empty()) return outstanding_[b] < outstanding_[a] ? b : a;
  return relative_load(b) < relative_load(a) ? b : a;
}

/// By rendezvous: every session ranks the replicas in its own order and goes to the first that is open, so that one
/// that closes moves its own sessions and no others.
std::size_t Router::of_session(const QueuedRequest& request) {
  if (request.content == nullptr || request.content->session < 0) return least_outstanding(outstanding_.size());
  ++with_affinity_;
  const auto session = static_cast<std::uint64_t>(request.content->session);
  std::size_t best = open_list_.front();
  std::uint64_t best_rank = 0;
  for (const std::uint32_t i : open_list_) {
    const std::uint64_t rank = draws_.bits(session, i);
    if (rank >= best_rank) best = i, best_rank = rank;
  }
  return best;
}

std::size_t Router::with_kept(const QueuedRequest& request) {
  const std::size_t all = outstanding_.size(), common = all - static_cast<std::size_t>(rules_.kept_replicas);
  if (request.priority >= rules_.from_priority) return least_outstanding(all);
  // Nobody is left without a replica because those that take everything are closed.
  return open_list_.front() < common ? least_outstanding(common) : least_outstanding(all);
}

}  // namespace weir::sim
