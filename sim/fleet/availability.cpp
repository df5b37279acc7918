#include "sim/fleet/availability.h"

#include <algorithm>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

constexpr double kSecondsPerHour = 3600;

}  // namespace

Time later(Time now, double seconds) {
  return seconds >= (Time::never() - now).seconds() ? Time::never() : now + Time::from_seconds(seconds);
}

std::int64_t send_elsewhere(FleetHandle& fleet, const std::vector<HeldRequest>& lost, Time now,
                            const RetryPolicy& policy) {
  std::int64_t sent = 0;
  for (const HeldRequest& held : lost) {
    if (!policy.retry || held.request.retries >= policy.max_retries) {
      fleet.drop(held.request, now, RequestOutcome::lost);
      continue;
    }
    QueuedRequest again = held.request;
    ++again.retries;
    fleet.send(again, now, now + policy.delay);
    ++sent;
  }
  return sent;
}

Failures::Failures(const data::Failures& failures, std::uint64_t seed)
    : failures_(failures),
      policy_{failures.retry, Time::from_seconds(failures.retry_delay_s), failures.max_retries},
      seed_(seed) {}

void Failures::begin(FleetHandle& fleet, Time now) {
  fleet_ = &fleet;
  down_.assign(fleet.replicas(), 0);
  draws_.assign(fleet.replicas(), 0);
  for (std::size_t i = 0; i < fleet.replicas(); ++i) changes_.emplace(later(now, draw_s(i, failures_.mtbf_h)), i);
}

double Failures::draw_s(std::size_t replica, double mean_h) {
  const double mean_s = mean_h * kSecondsPerHour;
  if (failures_.fixed) return mean_s;
  const std::uint64_t index = std::uint64_t{replica} << 32U | draws_[replica]++;
  return RandomStream(seed_, "failure", index).exponential(mean_s);
}

void Failures::act(Time now) {
  while (next_event() == now) {
    const std::size_t replica = changes_.top().second;
    changes_.pop();
    change(replica, now);
  }
}

void Failures::change(std::size_t replica, Time now) {
  if (down_[replica] != 0) {
    down_[replica] = 0;
    fleet_->open(replica, Closed::failed, now);
    changes_.emplace(later(now, draw_s(replica, failures_.mtbf_h)), replica);
    return;
  }
  const double repair_s = draw_s(replica, failures_.repair_h);
  if (!fleet_->is_on(replica)) {
    changes_.emplace(later(now, repair_s + draw_s(replica, failures_.mtbf_h)), replica);
    return;
  }
  ++count_;
  down_[replica] = 1;
  changes_.emplace(later(now, repair_s), replica);
  fleet_->close(replica, Closed::failed, now);
  lost_.clear();
  fleet_->fail(replica, now, lost_);
  retried_ += send_elsewhere(*fleet_, lost_, now, policy_);
}

Maintenance::Maintenance(const data::Maintenance& maintenance, const RetryPolicy& policy)
    : maintenance_(maintenance), policy_(policy) {}

void Maintenance::begin(FleetHandle& fleet, Time now) {
  fleet_ = &fleet;
  round_ = next_ = later(now, maintenance_.every_h * kSecondsPerHour);
}

void Maintenance::act(Time now) {
  if (phase_ == Phase::none) {
    take_out(now);
  } else {
    fleet_->open(turn_, Closed::maintained, now);
    ++done_;
    go_on(now);
  }
}

void Maintenance::take_out(Time now) {
  if (!fleet_->is_on(turn_)) {
    go_on(now);
    return;
  }
  phase_ = Phase::emptying;
  next_ = Time::never();
  fleet_->close(turn_, Closed::maintained, now);
  if (!maintenance_.drain) {
    lost_.clear();
    fleet_->fail(turn_, now, lost_);
    retried_ += send_elsewhere(*fleet_, lost_, now, policy_);
  }
  if (phase_ == Phase::emptying && fleet_->outstanding(turn_) == 0) service(now);
}

void Maintenance::drained(std::size_t replica, Time now) {
  if (phase_ == Phase::emptying && replica == turn_) service(now);
}

void Maintenance::service(Time now) {
  phase_ = Phase::serviced;
  next_ = later(now, maintenance_.lasts_h * kSecondsPerHour);
}

/// To the next replica, at once within a round.
void Maintenance::go_on(Time now) {
  phase_ = Phase::none;
  next_ = now;
  if (++turn_ < fleet_->replicas()) return;
  turn_ = 0;
  round_ = later(round_, maintenance_.every_h * kSecondsPerHour);
  next_ = std::max(now, round_);
}

}  // namespace weir::sim
