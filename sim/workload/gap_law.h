#pragma once

#include <cmath>

#include "data/scenario.h"
#include "sim/core/math.h"

namespace weir::sim {

/// A gamma variate of mean shape: Marsaglia and Tsang, "A simple method for generating gamma variables" (ACM TOMS 26,
/// 2000), with their power of a uniform variate for a shape below 1. Takes a varying count of numbers from the stream.
template <class Random>
double gamma_variate(Random& random, double shape) {
  if (shape < 1) {
    const double larger = gamma_variate(random, shape + 1);
    return larger * math::pow(random.uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (math::log(random.uniform()) < 0.5 * x * x + d - d * v + d * math::log(v)) return d * v;
  }
}

/// ln of the gamma function for x > 0, relative error about 1e-14: Stirling's series, with the argument moved up.
double log_gamma(double x);

/// CV of a Weibull distribution, sqrt(Gamma(1 + 2/k) / Gamma(1 + 1/k)^2 - 1), and the shape k that has a CV in
/// [0.01, 10], by bisection.
double weibull_cv(double shape);
double weibull_shape(double cv);

/// Independent gaps between arrivals: exponential, gamma or Weibull distributed, or all equal.
class GapLaw {
 public:
  /// Exponential.
  GapLaw() = default;
  /// Of shape 1 / cv^2.
  static GapLaw gamma(double cv) { return {Kind::gamma, 1 / (cv * cv), 1}; }
  static GapLaw weibull(double shape);
  /// The law of a "poisson", "gamma", "weibull", "periodic" or "rate-series" process: gamma there, unless the CV is 1.
  static GapLaw of(const data::ArrivalProcess& process);

  template <class Random>
  double gap(Random& random, double mean) const {
    switch (kind_) {
      case Kind::gamma:
        return gamma_variate(random, shape_) * (mean / shape_);
      case Kind::weibull:
        return mean * unit_scale_ * math::pow(-math::log(random.uniform()), 1 / shape_);
      case Kind::equal:
        return mean;
      case Kind::exponential:
        break;
    }
    return -mean * math::log(random.uniform());  // random.exponential
  }

  /// The time to the first arrival from any moment on, for a process that has gone on for long: a uniform share of a
  /// gap that is drawn with probability in proportion to its length.
  template <class Random>
  double rest_of_gap(Random& random, double mean) const {
    switch (kind_) {
      case Kind::gamma:
        return random.uniform() * gamma_variate(random, shape_ + 1) * (mean / shape_);
      case Kind::weibull:
        return random.uniform() * mean * unit_scale_ * math::pow(gamma_variate(random, 1 + 1 / shape_), 1 / shape_);
      case Kind::equal:
        return random.uniform() * mean;
      case Kind::exponential:
        break;
    }
    return gap(random, mean);
  }

 private:
  enum class Kind { exponential, gamma, weibull, equal };
  GapLaw(Kind kind, double shape, double unit_scale) : kind_(kind), shape_(shape), unit_scale_(unit_scale) {}

  Kind kind_ = Kind::exponential;
  double shape_ = 1;
  double unit_scale_ = 1;  ///< Weibull: scale of the distribution of mean 1
};

}  // namespace weir::sim
