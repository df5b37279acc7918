#include "sim/fleet/contention.h"

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/fleet/availability.h"
#include "sim/workload/number_text.h"

namespace weir::sim {
namespace {

std::uint64_t stream_of(std::size_t replica, std::uint32_t number) { return std::uint64_t{replica} << 32U | number; }

}  // namespace

void Contention::begin(FleetHandle& fleet, Time now) {
  fleet_ = &fleet;
  states_.resize(fleet.replicas());
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const bool slow = RandomStream(seed_, "contention begin", stream_of(i, 0)).uniform() < contention_.share_of_time;
    enter(i, slow, now);
  }
}

void Contention::enter(std::size_t replica, bool slow, Time now) {
  constexpr std::int64_t kMostSpells = 5'000'000;  // so that a run ends: it takes some 20 s by then
  if (++spells_ > kMostSpells) {
    throw data::InputError("scenario", "/fleet/contention/mean_s", number_text(contention_.mean_s),
                           "longer, or less demand: a run has at most 5,000,000 quiet and slow spells");
  }
  State& state = states_[replica];
  state.slow = slow;
  const double share = contention_.share_of_time;
  const double mean_s = slow ? contention_.mean_s : contention_.mean_s * (1 - share) / share;
  const double lasts_s = RandomStream(seed_, "contention", stream_of(replica, state.changes++)).exponential(mean_s);
  changes_.emplace(later(now, lasts_s), replica);
  fleet_->slow(replica, slow ? contention_.slowdown : 1, now);
}

void Contention::act(Time now) {
  while (next_event() == now) {
    const std::size_t replica = changes_.top().second;
    changes_.pop();
    enter(replica, !states_[replica].slow, now);
  }
}

}  // namespace weir::sim
