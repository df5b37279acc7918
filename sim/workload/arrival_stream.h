#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "data/scenario.h"
#include "sim/core/random.h"
#include "sim/core/time.h"
#include "sim/workload/gap_law.h"
#include "sim/workload/mmpp.h"
#include "sim/workload/rate_shape.h"

namespace weir::sim {

/// The mean rate of a process: stated, or what its states or its series come to.
double mean_rate_per_s(const data::ArrivalProcess& process);

/// From the time in which a process runs evenly to the clock: growth, then the shape of a day, a week or a series. The
/// growth is that of the begin of the period, within the period's length: nothing at the rates a year has.
class TimeBend {
 public:
  TimeBend() = default;
  explicit TimeBend(const data::ArrivalProcess& process);
  bool none() const { return growth_.none() && shape_.even(); }
  const RateShape& shape() const { return shape_; }
  Time operator()(Time even_time) const {
    const Time grown = growth_.time_at(even_time);
    return shape_.even() || grown >= Time::never() ? grown : shape_.time_at(grown);
  }

 private:
  RateGrowth growth_;
  RateShape shape_;
};

/// A gap that can be added to a time: one beyond any horizon is cut.
inline Time gap_time(double gap_s) {
  constexpr double kLongGap_s = 2e7;
  return Time::from_seconds(gap_s < kLongGap_s ? gap_s : kLongGap_s);
}

/// The arrival times of one class, one after another, without end: independent gaps or an MMPP. The first gap begins at
/// time 0. Growth and shape bend the time.
class ArrivalStream {
 public:
  /// `place` is the JSON pointer that an InputError names. A rate series is a list here.
  ArrivalStream(const data::ArrivalProcess& process, const std::string& scenario, const std::string& place,
                std::uint64_t seed, const std::string& class_name);

  /// At least the one before. Ends about 2e7 s after the first time beyond 1e7 s; ask for no more after that.
  Time next() {
    even_time_ += gap_time(mmpp_ ? mmpp_->gap(random_) : law_.gap(random_, mean_gap_s_));
    if (bend_.none()) return even_time_;
    // Logarithms may be an ulp out of order.
    return last_ = std::max(last_, bend_(even_time_));
  }

 private:
  RandomStream random_;
  double mean_gap_s_;
  GapLaw law_;
  std::optional<Mmpp> mmpp_;
  TimeBend bend_;
  Time even_time_, last_;
};

}  // namespace weir::sim
