#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace weir::sim {

/// Simulated time: a count of 10 ps ticks. An int64 of them spans 2.9 years. A double as clock loses whole schedules
/// at ten million requests, and 1 ps ticks overflow after 106 days.
class Time {
 public:
  static constexpr std::int64_t kTicksPerSecond = 100'000'000'000;

  constexpr Time() = default;
  static constexpr Time from_ticks(std::int64_t ticks) { return Time(ticks); }
  /// Rounds to the nearest tick. |seconds| must be below 9e7.
  static constexpr Time from_seconds(double seconds) {
    const double ticks = seconds * static_cast<double>(kTicksPerSecond);
    return Time(static_cast<std::int64_t>(ticks < 0 ? ticks - 0.5 : ticks + 0.5));
  }
  static constexpr Time from_nanoseconds(std::int64_t ns) { return Time(ns * (kTicksPerSecond / 1'000'000'000)); }
  /// Later than everything; far enough below the limit of int64 that adding a duration to it cannot wrap.
  static constexpr Time never() { return Time(std::numeric_limits<std::int64_t>::max() / 4); }

  constexpr std::int64_t ticks() const { return ticks_; }
  constexpr double seconds() const { return static_cast<double>(ticks_) / static_cast<double>(kTicksPerSecond); }

  constexpr auto operator<=>(const Time&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
  constexpr Time operator+(Time other) const { return Time(ticks_ + other.ticks_); }
  constexpr Time operator-(Time other) const { return Time(ticks_ - other.ticks_); }
  constexpr Time operator*(std::int64_t factor) const { return Time(ticks_ * factor); }
  constexpr Time& operator+=(Time other) {
    ticks_ += other.ticks_;
    return *this;
  }
  constexpr Time& operator-=(Time other) {
    ticks_ -= other.ticks_;
    return *this;
  }

 private:
  constexpr explicit Time(std::int64_t ticks) : ticks_(ticks) {}
  std::int64_t ticks_ = 0;
};

}  // namespace weir::sim
