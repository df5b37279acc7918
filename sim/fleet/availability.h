#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "data/scenario_fleet.h"
#include "sim/fleet/fleet_process.h"

namespace weir::sim {

/// `now` + seconds, or never when that is past what the clock holds.
Time later(Time now, double seconds);

/// What becomes of the requests of a replica that is lost.
struct RetryPolicy {
  bool retry = true;
  Time delay;
  int max_retries = 3;  ///< of one request
};

/// Sends those on that may be sent again, through the router and with their own arrival; the others leave as lost.
/// Returns how many were sent on.
std::int64_t send_elsewhere(FleetHandle& fleet, const std::vector<HeldRequest>& lost, Time now,
                            const RetryPolicy& policy);

/// Replicas that fail and are repaired. How long a replica is up and down is drawn by (seed, replica, how often it
/// happened), whatever it does meanwhile; a failure of one that is switched off has no consequence.
class Failures final : public FleetProcess {
 public:
  Failures(const data::Failures& failures, std::uint64_t seed);

  void begin(FleetHandle& fleet, Time now) override;
  Time next_event() const override { return changes_.empty() ? Time::never() : changes_.top().first; }
  void act(Time now) override;
  bool background() const override { return true; }

  std::int64_t failures() const { return count_; }
  std::int64_t retried() const { return retried_; }

 private:
  void change(std::size_t replica, Time now);
  double draw_s(std::size_t replica, double mean_h);

  data::Failures failures_;
  RetryPolicy policy_;
  std::uint64_t seed_;
  FleetHandle* fleet_ = nullptr;
  using Change = std::pair<Time, std::size_t>;  ///< when, which replica
  std::priority_queue<Change, std::vector<Change>, std::greater<>> changes_;
  std::vector<char> down_;
  std::vector<std::uint32_t> draws_;  ///< by replica, so far
  std::vector<HeldRequest> lost_;
  std::int64_t count_ = 0, retried_ = 0;
};

/// Rolling maintenance: in each round every replica that is on is closed, emptied, kept out for a while and opened
/// again, one after the other. A round that takes longer than the time between rounds puts the next one off.
class Maintenance final : public FleetProcess {
 public:
  Maintenance(const data::Maintenance& maintenance, const RetryPolicy& policy);

  void begin(FleetHandle& fleet, Time now) override;
  Time next_event() const override { return next_; }
  void act(Time now) override;
  bool background() const override { return true; }
  void drained(std::size_t replica, Time now) override;

  std::int64_t done() const { return done_; }
  std::int64_t retried() const { return retried_; }

 private:
  enum class Phase : std::uint8_t { none, emptying, serviced };
  void take_out(Time now);
  void service(Time now);
  void go_on(Time now);

  data::Maintenance maintenance_;
  RetryPolicy policy_;
  FleetHandle* fleet_ = nullptr;
  Phase phase_ = Phase::none;
  std::size_t turn_ = 0;
  Time round_, next_ = Time::never();
  std::vector<HeldRequest> lost_;
  std::int64_t done_ = 0, retried_ = 0;
};

}  // namespace weir::sim
