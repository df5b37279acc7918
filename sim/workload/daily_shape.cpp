#include "sim/workload/daily_shape.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/core/wide_int.h"

namespace weir::sim {
namespace {

constexpr Time kDay = Time::from_ticks(86'400 * Time::kTicksPerSecond);
constexpr auto kDayTicks = static_cast<double>(kDay.ticks());  // 8.64e15, below 2^53

}  // namespace

DailyShape::DailyShape(const std::vector<double>& rates) {
  if (rates.empty()) return;
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  if (!(sum > 0) || *std::min_element(rates.begin(), rates.end()) < 0) {
    throw std::invalid_argument("a daily shape needs rates of which none is below and one is above 0");
  }
  double done = 0;
  for (const double rate : rates) {
    done += rate;
    rate_.push_back(rate / sum * static_cast<double>(rates.size()));
    end_.push_back(done / sum * kDayTicks);
  }
}

Time DailyShape::time_at(Time even_time) const {
  if (even()) return even_time;
  const std::int64_t day = even_time.ticks() / kDay.ticks();
  const auto in_day = static_cast<double>(even_time.ticks() % kDay.ticks());
  // The first part that ends after it: there is one, as the last ends at exactly a day (x / x is 1). Parts of rate 0
  // end where they begin, so none of them is found.
  const auto found = std::upper_bound(end_.begin(), end_.end(), in_day);
  const auto part = static_cast<std::size_t>(found - end_.begin());
  const double before = part == 0 ? 0 : end_[part - 1];
  const auto begin = [&](std::size_t i) {
    // A day times 1,068 parts and more passes 2^63 ticks.
    return static_cast<std::int64_t>(WideInt{kDay.ticks()} * static_cast<std::int64_t>(i) /
                                     static_cast<std::int64_t>(rate_.size()));
  };
  const auto into = static_cast<std::int64_t>((in_day - before) / rate_[part]);
  return kDay * day + Time::from_ticks(std::min(begin(part) + into, begin(part + 1)));
}

}  // namespace weir::sim
