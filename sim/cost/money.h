#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>

namespace weir::sim {

/// Money is added up as integer micro-units of its currency and rounded once, for display. Sums that leave the range of
/// int64 (about 9.2e12 units) throw std::overflow_error instead of wrapping.
class Money {
 public:
  constexpr Money() = default;
  static constexpr Money from_micros(std::int64_t micros) { return Money(micros); }
  static Money from_units(double units);  ///< rounds to the nearest micro-unit; throws std::overflow_error
  constexpr std::int64_t micros() const { return micros_; }
  constexpr double units() const { return static_cast<double>(micros_) / 1e6; }
  constexpr Money operator+(Money o) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(micros_, o.micros_, &sum)) throw std::overflow_error("amount of money out of range");
    return Money(sum);
  }
  constexpr Money operator-(Money o) const {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(micros_, o.micros_, &difference)) {
      throw std::overflow_error("amount of money out of range");
    }
    return Money(difference);
  }
  constexpr Money& operator+=(Money o) { return *this = *this + o; }
  constexpr Money& operator-=(Money o) { return *this = *this - o; }
  constexpr auto operator<=>(const Money&) const = default;

 private:
  constexpr explicit Money(std::int64_t micros) : micros_(micros) {}
  std::int64_t micros_ = 0;
};

}  // namespace weir::sim
