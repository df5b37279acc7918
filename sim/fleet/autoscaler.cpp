#include "sim/fleet/autoscaler.h"

#include <algorithm>
#include <cmath>

#include "sim/fleet/availability.h"

namespace weir::sim {
namespace {

/// ceil() that does not go one up for what rounding has added.
int replicas_for(double load) { return static_cast<int>(std::min(1e9, std::ceil(load - 1e-9))); }

}  // namespace

Autoscaler::Autoscaler(const data::Autoscaling& scaling, int initial, double start_up_s)
    : scaling_(scaling), initial_(initial), start_up_s_(start_up_s) {}

void Autoscaler::begin(FleetHandle& fleet, Time now) {
  fleet_ = &fleet;
  states_.assign(fleet.replicas(), State::in_use);
  busy_before_.assign(fleet.replicas(), 0);
  const int in_use = std::clamp(scaling_.metric == "schedule" ? scheduled(now) : initial_, scaling_.min, scaling_.max);
  for (auto i = static_cast<std::size_t>(in_use); i < states_.size(); ++i) {
    states_[i] = State::off;
    fleet.close(i, Closed::scaled_in, now);
    fleet.switch_on(i, false, now);
  }
  last_look_ = now;
  next_look_ = later(now, scaling_.interval_s);
}

Time Autoscaler::next_event() const {
  return starting_.empty() ? next_look_ : std::min(next_look_, starting_.front().first);
}

void Autoscaler::act(Time now) {
  while (!starting_.empty() && starting_.front().first == now) {
    const std::size_t replica = starting_.front().second;
    starting_.pop_front();
    states_[replica] = State::in_use;
    busy_before_[replica] = fleet_->busy_ticks(replica, now);
    fleet_->open(replica, Closed::scaled_in, now);
  }
  if (next_look_ == now) look(now);
}

void Autoscaler::drained(std::size_t replica, Time now) {
  if (states_[replica] != State::draining) return;
  states_[replica] = State::off;
  fleet_->switch_on(replica, false, now);
}

int Autoscaler::count(State state) const { return static_cast<int>(std::ranges::count(states_, state)); }

void Autoscaler::look(Time now) {
  const int more = wanted(now) - count(State::in_use) - count(State::starting);
  last_look_ = now;
  next_look_ = later(now, scaling_.interval_s);
  const auto rests = [now](bool ever, Time last, double cooldown_s) {
    return ever && now - last < Time::from_seconds(cooldown_s);
  };
  if (more > 0 && !rests(started_, last_start_, scaling_.cooldown_up_s)) {
    start(more, now);
    started_ = changed_ = true;
    last_start_ = last_change_ = now;
    ++ups_;
  } else if (more < 0 && !rests(changed_, last_change_, scaling_.cooldown_down_s)) {
    stop(-more, now);
    changed_ = true;
    last_change_ = now;
    ++downs_;
  }
}

int Autoscaler::wanted(Time now) {
  int replicas = 0;
  if (scaling_.metric == "schedule") {
    replicas = scheduled(now);
  } else if (scaling_.metric == "utilisation") {
    replicas = replicas_for(busy_share(now) / scaling_.target);
  } else {
    const bool queue = scaling_.metric == "queue";
    std::int64_t load = fleet_->held_at_router();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == State::in_use) load += queue ? fleet_->waiting(i) : fleet_->outstanding(i);
    }
    replicas = replicas_for(static_cast<double>(load) / scaling_.target);
  }
  return std::clamp(replicas, scaling_.min, scaling_.max);
}

int Autoscaler::scheduled(Time now) const {
  constexpr std::int64_t kDay = 86'400 * Time::kTicksPerSecond;
  const double hour = static_cast<double>(now.ticks() % kDay) / static_cast<double>(Time::kTicksPerSecond) / 3600;
  int replicas = scaling_.schedule.back().replicas;  // of the day before
  for (const data::ScheduledReplicas& s : scaling_.schedule) {
    if (s.at_h <= hour) replicas = s.replicas;
  }
  return replicas;
}

/// Replicas' worth of computing in the interval that ends now.
double Autoscaler::busy_share(Time now) {
  std::int64_t busy = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] != State::in_use) continue;
    const std::int64_t ticks = fleet_->busy_ticks(i, now);
    busy += ticks - busy_before_[i];
    busy_before_[i] = ticks;
  }
  return static_cast<double>(busy) / static_cast<double>((now - last_look_).ticks());
}

void Autoscaler::start(int more, Time now) {
  for (std::size_t i = 0; i < states_.size() && more > 0; ++i) {
    if (states_[i] != State::draining) continue;
    states_[i] = State::in_use;
    busy_before_[i] = fleet_->busy_ticks(i, now);
    fleet_->open(i, Closed::scaled_in, now);
    --more;
  }
  for (std::size_t i = 0; i < states_.size() && more > 0; ++i) {
    if (states_[i] != State::off) continue;
    states_[i] = State::starting;
    fleet_->switch_on(i, true, now);
    starting_.emplace_back(later(now, start_up_s_), i);
    --more;
  }
}

void Autoscaler::stop(int fewer, Time now) {
  for (; fewer > 0 && !starting_.empty(); --fewer) {
    const std::size_t replica = starting_.back().second;
    starting_.pop_back();
    states_[replica] = State::off;
    fleet_->switch_on(replica, false, now);
  }
  for (; fewer > 0; --fewer) {
    const std::size_t replica = least_loaded();
    states_[replica] = State::draining;
    fleet_->close(replica, Closed::scaled_in, now);
    if (fleet_->outstanding(replica) == 0) drained(replica, now);
  }
}

/// Of those in use; of equals the last.
std::size_t Autoscaler::least_loaded() const {
  std::size_t least = states_.size();
  for (std::size_t i = states_.size(); i-- > 0;) {
    if (states_[i] != State::in_use) continue;
    if (least == states_.size() || fleet_->outstanding(i) < fleet_->outstanding(least)) least = i;
  }
  return least;
}

}  // namespace weir::sim
