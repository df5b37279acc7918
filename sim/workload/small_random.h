#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/math.h"

namespace weir::sim {

/// The name of many small streams: (seed, purpose).
class StreamName {
 public:
  StreamName(std::uint64_t seed, std::string_view purpose);
  std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_;
};

/// One stream of random numbers in 8 bytes, for draws that belong to one request or one client of very many: named by
/// (seed, purpose, key, index), so that they do not depend on the order of events. SplitMix64 (Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014). The variates are those of RandomStream.
class SmallRandom {
 public:
  explicit SmallRandom(const StreamName& name, std::uint64_t key = 0, std::uint64_t index = 0)
      : state_(mix(mix(name.bits() ^ mix(key + kStep)) + (index + 1) * kStep)) {}

  std::uint64_t bits() { return mix(state_ += kStep); }
  /// In (0, 1), never 0 or 1: (i + 1/2) / 2^52.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  double exponential(double mean) { return -mean * math::log(uniform()); }
  double normal() { return math::normal_quantile(uniform()); }
  double lognormal(double mu, double sigma) { return math::exp(mu + sigma * normal()); }

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

inline StreamName::StreamName(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t text = 0xcbf29ce484222325ULL;  // FNV-1a, 64 bits
  for (const char c : purpose) text = (text ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  bits_ = SmallRandom::mix(SmallRandom::mix(seed + 0x9e3779b97f4a7c15ULL) ^ text);
}

}  // namespace weir::sim
