#pragma once

#include <cstdint>
#include <string>

#include "data/scenario.h"
#include "sim/core/math.h"
#include "sim/core/random.h"
#include "sim/core/time.h"
#include "sim/workload/daily_shape.h"

namespace weir::sim {

/// A gamma variate of mean shape: Marsaglia and Tsang, "A simple method for generating gamma variables" (ACM TOMS 26,
/// 2000), with their power of a uniform variate for a shape below 1. Takes a varying count of numbers from the stream.
double gamma_variate(RandomStream& random, double shape);

/// The arrival times of one class, one after another, without end. Gaps are independent: exponential ("poisson"), or
/// gamma variates of shape 1 / cv^2 ("gamma"); the first one begins at time 0. The daily shape bends the time.
class ArrivalStream {
 public:
  /// `place` is the JSON pointer that an InputError names.
  ArrivalStream(const data::ArrivalProcess& process, const std::string& scenario, const std::string& place,
                std::uint64_t seed, const std::string& class_name);

  /// At least the one before. Ends about 2e7 s after the first time beyond 1e7 s; ask for no more after that.
  Time next() {
    even_time_ += gap();
    return shape_.even() ? even_time_ : shape_.time_at(even_time_);
  }

 private:
  static constexpr double kLongGap_s = 2e7;  // beyond any horizon, and safe to add to a time within it

  Time gap() {
    const double gap_s = gamma_shape_ > 0 ? gamma_variate(random_, gamma_shape_) * (mean_gap_s_ / gamma_shape_)
                                          : -mean_gap_s_ * math::log(random_.uniform());  // random_.exponential
    return Time::from_seconds(gap_s < kLongGap_s ? gap_s : kLongGap_s);
  }

  RandomStream random_;
  double mean_gap_s_;
  double gamma_shape_ = 0;  ///< 0: exponential
  DailyShape shape_;
  Time even_time_;
};

}  // namespace weir::sim
