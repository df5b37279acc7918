#pragma once

#include <vector>

#include "sim/core/time.h"

namespace weir::sim {

/// A rate that follows the hour of the day. The day begins at time 0 and has equal parts, one a rate; the rates are
/// scaled to mean 1. A process that runs at an even rate in its own time is bent into this shape by
/// t = L^-1(u), with L(t) the integral of the rate from 0 to t: its mean rate stays, whatever the process.
class DailyShape {
 public:
  static constexpr double kDay_s = 86'400;

  /// No rates: the rate is even. Otherwise each is >= 0 and one is > 0; throws std::invalid_argument if not.
  explicit DailyShape(const std::vector<double>& rates = {});

  bool even() const { return rate_.empty(); }
  /// L^-1 of `even_time`: never earlier for a later one. Within a tick.
  Time time_at(Time even_time) const;

 private:
  std::vector<double> rate_;  ///< of each part, mean 1
  std::vector<double> end_;   ///< L at the end of each part, in ticks
};

}  // namespace weir::sim
