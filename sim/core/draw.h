#pragma once

#include <cstdint>
#include <string_view>

namespace weir::sim {

/// Numbers that belong to one thing each, such as a request: a hash of (seed, purpose, index), so that what a request
/// draws depends on nothing that happens around it, and cheap enough for one a request. Finaliser of SplitMix64
/// (Steele, Lea, Flood, OOPSLA 2014) over a Weyl sequence.
class Draws {
 public:
  constexpr Draws(std::uint64_t seed, std::string_view purpose) : key_(mix(seed)) {
    for (const char c : purpose) key_ = mix(key_ ^ static_cast<unsigned char>(c));
  }
  /// The `number`-th number of `index`.
  constexpr std::uint64_t bits(std::uint64_t index, std::uint64_t number = 0) const {
    return mix(mix(key_ + index * kWeyl) + number * kWeyl);
  }
  /// A whole number in [0, count), count in [1, 2^32]: each is as likely to 2^-32.
  constexpr std::uint64_t below(std::uint64_t count, std::uint64_t index, std::uint64_t number = 0) const {
    return ((bits(index, number) >> 32U) * count) >> 32U;
  }

 private:
  static constexpr std::uint64_t kWeyl = 0x9e3779b97f4a7c15U;
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x += kWeyl;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }

  std::uint64_t key_;
};

}  // namespace weir::sim
