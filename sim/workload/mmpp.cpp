#include "sim/workload/mmpp.h"

namespace weir::sim {

double mmpp_rate_per_s(const std::vector<data::MmppState>& states) {
  double requests = 0, time = 0;
  for (const data::MmppState& s : states) requests += s.rate_per_s * s.sojourn_s, time += s.sojourn_s;
  return requests / time;
}

Mmpp::Mmpp(const std::vector<data::MmppState>& states, RandomStream& random) : states_(states) {
  std::vector<double> shares;
  for (const data::MmppState& s : states_) shares.push_back(s.sojourn_s);
  enter(random.choice(shares), random);
}

void Mmpp::enter(std::size_t state, RandomStream& random) {
  state_ = state;
  left_s_ = random.exponential(states_[state].sojourn_s);
}

double Mmpp::gap(RandomStream& random) {
  constexpr double kLong_s = 2e7;  // beyond any horizon: states of rate 0 with short sojourns must not hold us up
  double gap_s = 0;
  while (gap_s < kLong_s) {
    const double rate = states_[state_].rate_per_s;
    const double to_arrival_s = rate > 0 ? random.exponential(1 / rate) : kLong_s;
    if (to_arrival_s < left_s_) {
      left_s_ -= to_arrival_s;
      return gap_s + to_arrival_s;
    }
    gap_s += left_s_;
    const std::size_t others = states_.size() - 1;
    const auto step = 1 + static_cast<std::size_t>(((random.bits() >> 32) * others) >> 32);
    enter((state_ + step) % states_.size(), random);
  }
  return gap_s;
}

}  // namespace weir::sim
