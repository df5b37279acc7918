#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weir::probes {

/// splitmix64 (Steele, Lea, Flood 2014): enough for operands and for the order of points, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// In [0, bound); bound is small against 2^64, so the bias does not matter here.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// Fills with values of mean 0 and the standard deviation given: sums of four uniform variates, bell-shaped within
/// +-3.5 deviations. Operands are never zeros: multiplying zeros takes less power, hence a higher clock.
inline void fill_random(std::span<float> values, float deviation, std::uint64_t seed) {
  Random random(seed);
  // Four variates uniform on the integers of 16 bits: mean 4 x 32767.5, variance 4 x 65536^2 / 12.
  constexpr float kMean = 131070.0F;
  const float scale = deviation / 37837.2F;
  for (float& value : values) {
    const std::uint64_t bits = random.next();
    const std::uint64_t sum =
        (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + ((bits >> 48) & 0xFFFF);
    value = (static_cast<float>(sum) - kMean) * scale;
  }
}

/// Puts `values` into a random order (Fisher-Yates).
template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace weir::probes
