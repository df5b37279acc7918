#include "sim/fleet/conduct.h"

namespace weir::sim {
namespace {

/// What maintenance that does not drain does with requests: as after a failure, but the router knows at once.
RetryPolicy sent_on_at_once(const data::FleetConduct& conduct) {
  RetryPolicy policy;
  if (conduct.failures && conduct.failures->retry) policy.max_retries = conduct.failures->max_retries;
  return policy;
}

double hours(WideInt ticks) {
  return static_cast<double>(ticks) / (3600.0 * static_cast<double>(Time::kTicksPerSecond));
}

}  // namespace

Conduct::Conduct(const data::FleetConduct& conduct, int replicas, double start_up_s, std::uint64_t seed)
    : replicas_(conduct.autoscaling ? conduct.autoscaling->max : replicas) {
  if (conduct.failures) failures_.emplace(*conduct.failures, seed);
  if (conduct.maintenance) maintenance_.emplace(*conduct.maintenance, sent_on_at_once(conduct));
  if (conduct.autoscaling) autoscaler_.emplace(*conduct.autoscaling, replicas, start_up_s);
  if (conduct.contention) contention_.emplace(*conduct.contention, seed);
}

void Conduct::add_to(std::vector<FleetProcess*>& processes) {
  // The autoscaler first: which replicas are on is known before anything happens to them.
  if (autoscaler_) processes.push_back(&*autoscaler_);
  if (failures_) processes.push_back(&*failures_);
  if (maintenance_) processes.push_back(&*maintenance_);
  if (contention_) processes.push_back(&*contention_);
}

FleetRecord Conduct::record(const ReplicaLog& log, Time wall) const {
  FleetRecord record;
  record.replica_hours = hours(log.on_ticks());
  record.replicas_peak = log.most_on();
  if (wall > Time()) {
    record.replicas_mean = static_cast<double>(log.on_ticks()) / static_cast<double>(wall.ticks());
    record.open_mean = static_cast<double>(log.open_ticks()) / static_cast<double>(wall.ticks());
  }
  if (log.on_ticks() > 0) {
    record.down_share = static_cast<double>(log.down_ticks()) / static_cast<double>(log.on_ticks());
  }
  if (failures_) record.failures = failures_->failures(), record.retried += failures_->retried();
  if (maintenance_) record.maintained = maintenance_->done(), record.retried += maintenance_->retried();
  if (autoscaler_) record.scale_ups = autoscaler_->ups(), record.scale_downs = autoscaler_->downs();
  return record;
}

}  // namespace weir::sim
