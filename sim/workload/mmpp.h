#pragma once

#include <cstddef>
#include <vector>

#include "data/scenario.h"
#include "sim/core/random.h"

namespace weir::sim {

/// Mean rate of an MMPP whose state goes to each of the others alike: it is in state i for a share in proportion to its
/// sojourn.
double mmpp_rate_per_s(const std::vector<data::MmppState>& states);

/// A Markov-modulated Poisson process. It begins in a state drawn by these shares.
class Mmpp {
 public:
  Mmpp(const std::vector<data::MmppState>& states, RandomStream& random);

  /// The next gap. While nothing arrives in the state it is in, it goes on to another.
  double gap(RandomStream& random);

 private:
  void enter(std::size_t state, RandomStream& random);

  std::vector<data::MmppState> states_;
  std::size_t state_ = 0;
  double left_s_ = 0;  ///< in this state
};

}  // namespace weir::sim
