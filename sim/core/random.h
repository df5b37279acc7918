#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <boost/random/mersenne_twister.hpp>

namespace weir::sim {

/// One stream of random numbers. A stream is named by (seed, purpose, index), so that drawing more in one place never
/// changes what another place draws. The variates are ours, by inversion through sim/core/math, because the standard
/// ones differ between libraries: every call takes exactly one number from the engine.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  std::uint64_t bits() { return engine_(); }
  /// In (0, 1), never 0 or 1: (i + 1/2) / 2^52.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  double exponential(double mean);
  double normal();
  /// exp(mu + sigma z).
  double lognormal(double mu, double sigma);
  /// Index i with probability shares[i] / sum. Shares are >= 0 and one is > 0.
  std::size_t choice(std::span<const double> shares);

 private:
  boost::random::mt19937_64 engine_;
};

/// Parameters of the lognormal distribution with this mean and 99th percentile. Throws std::invalid_argument when there
/// is none: p99 must be above the mean and at most exp(z99^2 / 2) = 14.97 times it.
struct LognormalParameters {
  double mu = 0, sigma = 0;
};
LognormalParameters lognormal_from_mean_and_p99(double mean, double p99);

/// The largest p99 / mean a lognormal distribution can have.
double lognormal_largest_p99_ratio();

}  // namespace weir::sim
