#pragma once

#include <cstdint>
#include <vector>

#include "data/catalog.h"

namespace weir::sim {

/// What the router of a mixture gives the experts of one of `groups` equal groups of ranks, in expectation.
///
/// A token takes `active` of `count` experts; expert i (from 0) is asked for in proportion to 1 / (i + 1)^skew, and no
/// expert more than once a token: q_i = min(1, c / (i + 1)^skew) with c such that the q_i add up to `active`. skew 0 =
/// all alike, q = active / count. Experts are dealt over the groups in order of popularity, so group 0 has the most to
/// do; it is the one described. Tokens choose independently of each other.
class ExpertLoad {
 public:
  /// groups >= 1 divides count; skew in [0, 4].
  ExpertLoad(const data::ExpertShape& shape, double skew, int groups);

  /// Experts of the group that at least one of `tokens` tokens asks for: sum of 1 - (1 - q_i)^tokens.
  double distinct(double tokens) const;
  /// Token-expert pairs of the busiest group: tokens x sum of its q_i, and with several groups sqrt(2 ln groups)
  /// standard deviations more, which is what the largest of as many independent sums keeps below in expectation; never
  /// more than all experts of the group for every token.
  double pairs(double tokens) const;
  /// Groups a token is sent to, all groups taken as equally likely: G (1 - (1 - 1 / G)^active).
  double groups_of_token() const;
  int experts_of_group() const { return static_cast<int>(chances_.size()); }
  int groups() const { return groups_; }

 private:
  std::vector<double> chances_;  ///< q_i of the group's experts
  double mean_ = 0, variance_ = 0;
  int active_ = 0, groups_ = 1;
};

}  // namespace weir::sim
