#include "sim/core/random.h"

#include <cmath>
#include <stdexcept>

#include "sim/core/math.h"

namespace weir::sim {
namespace {

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014): the finalizer of SplitMix64.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325ULL;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return value;
}

double z99() { return math::normal_quantile(0.99); }

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index)
    : engine_(mix(mix(mix(seed) ^ hash(purpose)) + index)) {}

double RandomStream::exponential(double mean) { return -mean * math::log(uniform()); }

double RandomStream::normal() { return math::normal_quantile(uniform()); }

double RandomStream::lognormal(double mu, double sigma) { return math::exp(mu + sigma * normal()); }

std::size_t RandomStream::choice(std::span<const double> shares) {
  double total = 0;
  std::size_t last = 0;  // the last share above 0 takes what rounding leaves over
  for (std::size_t i = 0; i < shares.size(); ++i) {
    total += shares[i];
    if (shares[i] > 0) last = i;
  }
  if (!(total > 0)) throw std::invalid_argument("a choice needs a share above 0");
  double rest = uniform() * total;
  for (std::size_t i = 0; i < last; ++i) {
    if (rest < shares[i]) return i;
    rest -= shares[i];
  }
  return last;
}

double lognormal_largest_p99_ratio() { return math::exp(0.5 * z99() * z99()); }

LognormalParameters lognormal_from_mean_and_p99(double mean, double p99) {
  if (!(mean > 0) || !(p99 > mean)) throw std::invalid_argument("a lognormal needs 0 < mean < p99");
  // ln mean = mu + sigma^2/2 and ln p99 = mu + z sigma, so sigma^2/2 - z sigma + d = 0 with d = ln(p99/mean). Of the
  // two roots the smaller is taken: the other has its mode near zero and is no shape of a token count.
  const double z = z99();
  const double discriminant = z * z - 2 * math::log(p99 / mean);
  if (discriminant < 0) throw std::invalid_argument("no lognormal has a p99 that far above its mean");
  const double sigma = z - std::sqrt(discriminant);
  return {math::log(mean) - 0.5 * sigma * sigma, sigma};
}

}  // namespace weir::sim
