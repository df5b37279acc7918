#include "sim/fleet/replica_log.h"

#include <algorithm>

namespace weir::sim {

ReplicaLog::ReplicaLog(std::size_t replicas, Time begin, Time series_step)
    : closed_(replicas),
      on_(replicas, 1),
      on_since_(replicas, begin),
      on_ticks_(replicas),
      begin_(begin),
      since_(begin) {
  if (series_step > Time()) series_.emplace(begin, series_step);
  for (std::size_t i = 0; i < replicas; ++i) count(i, 1, begin);
  most_on_ = static_cast<int>(replicas);
}

void ReplicaLog::integrate(Time now) {
  const std::int64_t ticks = (now - since_).ticks();
  open_ticks_ += WideInt{now_open_} * ticks;
  down_ticks_ += WideInt{now_down_} * ticks;
  since_ = now;
}

/// Takes the replica's state into the counts, or out of them.
void ReplicaLog::count(std::size_t replica, int sign, Time now) {
  now_on_ += on_[replica] != 0 ? sign : 0;
  now_down_ += is_down(replica) ? sign : 0;
  if (!is_open(replica)) return;
  now_open_ += sign;
  if (series_) series_->change(now, 0, sign, 0);
}

void ReplicaLog::set_closed(std::size_t replica, Closed why, bool closed, Time now) {
  integrate(now);
  count(replica, -1, now);
  closed_[replica] = static_cast<std::uint8_t>(closed ? closed_[replica] | bit(why) : closed_[replica] & ~bit(why));
  count(replica, 1, now);
  used_ = true;
}

void ReplicaLog::set_on(std::size_t replica, bool on, Time now) {
  if (is_on(replica) == on) return;
  integrate(now);
  count(replica, -1, now);
  if (on) {
    on_since_[replica] = now;
  } else {
    on_ticks_[replica] += (now - on_since_[replica]).ticks();
  }
  on_[replica] = on ? 1 : 0;
  count(replica, 1, now);
  // Those that are switched off at the very beginning never ran.
  most_on_ = now == begin_ ? static_cast<int>(now_on_) : std::max(most_on_, static_cast<int>(now_on_));
  used_ = true;
}

void ReplicaLog::settle(Time end) {
  integrate(end);
  for (std::size_t i = 0; i < on_.size(); ++i) {
    if (on_[i] == 0) continue;
    on_ticks_[i] += (end - on_since_[i]).ticks();
    on_since_[i] = end;
  }
}

WideInt ReplicaLog::on_ticks() const {
  WideInt sum = 0;
  for (const WideInt ticks : on_ticks_) sum += ticks;
  return sum;
}

std::vector<double> ReplicaLog::open_series() const {
  if (!series_) return {};
  const Time end = since_;
  SeriesGrid grid = *series_;
  grid.change(end, 0, 0, 0);  // as long as the run's
  std::vector<double> means;
  for (const SeriesPoint& point : grid.points(end, 1)) means.push_back(point.running_mean);
  return means;
}

}  // namespace weir::sim
