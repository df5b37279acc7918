#pragma once

#include <vector>

#include "data/scenario.h"
#include "sim/core/time.h"

namespace weir::sim {

/// A rate that comes back after a period: a day, a week, the length of a series. The first period begins at time 0 and
/// has equal parts, one a rate; the rates are scaled to mean 1. A process that runs at an even rate in its own time is
/// bent into this shape by t = L^-1(u), with L(t) the integral of the rate from 0 to t: its mean rate stays, whatever
/// the process.
class RateShape {
 public:
  static constexpr double kDay_s = 86'400, kWeek_s = 7 * kDay_s;

  /// Always 1.
  RateShape() = default;
  /// Each rate is >= 0 and one is > 0, the period > 0; throws std::invalid_argument if not.
  RateShape(const std::vector<double>& rates, double period_s);
  /// Daily and weekly shape of a process, or even. A week of days with a daily shape is their product.
  static RateShape of(const data::ArrivalProcess& process);

  bool even() const { return rate_.empty(); }
  double period_s() const { return period_.seconds(); }
  std::size_t parts() const { return rate_.size(); }
  double peak() const;  ///< over the mean
  /// L^-1 of `even_time`: never earlier for a later one. Within a tick for a day, within 1 / 2^53 of longer periods.
  Time time_at(Time even_time) const;

 private:
  std::vector<double> rate_;  ///< of each part, mean 1
  std::vector<double> end_;   ///< L at the end of each part, in ticks
  Time period_;
};

/// A rate that grows by `per_year` a year from time 0 on: L(t) = Y/k (e^(k t/Y) - 1), k = ln(1 + per_year).
class RateGrowth {
 public:
  explicit RateGrowth(double per_year = 0);
  bool none() const { return k_ == 0; }
  /// L^-1(u): never earlier for a later one. Time::never() when the demand shrinks to nothing before.
  Time time_at(Time even_time) const;

 private:
  double k_ = 0;  ///< a second
};

}  // namespace weir::sim
