#include "sim/workload/rate_shape.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/core/math.h"
#include "sim/core/wide_int.h"

namespace weir::sim {

RateShape::RateShape(const std::vector<double>& rates, double period_s) : period_(Time::from_seconds(period_s)) {
  if (rates.empty()) return;
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  if (!(sum > 0) || *std::min_element(rates.begin(), rates.end()) < 0 || period_ <= Time()) {
    throw std::invalid_argument("a rate that comes back needs rates of which none is below and one is above 0");
  }
  double done = 0;
  for (const double rate : rates) {
    done += rate;
    rate_.push_back(rate / sum * static_cast<double>(rates.size()));
    end_.push_back(done / sum * static_cast<double>(period_.ticks()));
  }
}

RateShape RateShape::of(const data::ArrivalProcess& process) {
  if (process.weekly_shape.empty()) return RateShape(process.daily_shape, kDay_s);
  if (process.daily_shape.empty()) return RateShape(process.weekly_shape, kWeek_s);
  std::vector<double> rates;
  for (const double day : process.weekly_shape) {
    for (const double part : process.daily_shape) rates.push_back(day * part);
  }
  return RateShape(rates, kWeek_s);
}

double RateShape::peak() const { return even() ? 1 : *std::max_element(rate_.begin(), rate_.end()); }

Time RateShape::time_at(Time even_time) const {
  if (even()) return even_time;
  const std::int64_t periods = even_time.ticks() / period_.ticks();
  const auto in_period = static_cast<double>(even_time.ticks() % period_.ticks());
  // The first part that ends after it: parts of rate 0 end where they begin, so none of them is found. The last ends at
  // exactly a period (x / x is 1), which passes 2^53 ticks from a day and a bit on and may then be rounded to.
  const auto found = std::upper_bound(end_.begin(), end_.end(), in_period);
  auto part = static_cast<std::size_t>(found - end_.begin());
  while (part >= rate_.size() || rate_[part] <= 0) --part;
  const double before = part == 0 ? 0 : end_[part - 1];
  const auto begin = [&](std::size_t i) {
    // A day times 1,068 parts and more passes 2^63 ticks.
    return static_cast<std::int64_t>(WideInt{period_.ticks()} * static_cast<std::int64_t>(i) /
                                     static_cast<std::int64_t>(rate_.size()));
  };
  const auto into = static_cast<std::int64_t>((in_period - before) / rate_[part]);
  return period_ * periods + Time::from_ticks(std::min(begin(part) + into, begin(part + 1)));
}

RateGrowth::RateGrowth(double per_year) {
  constexpr double kYear_s = 365.25 * 86'400;
  if (per_year != 0) k_ = math::log(1 + per_year) / kYear_s;
}

Time RateGrowth::time_at(Time even_time) const {
  if (none()) return even_time;
  const double grown = 1 + k_ * even_time.seconds();
  const double at_s = grown > 0 ? math::log(grown) / k_ : 8e7;
  return at_s < 8e7 ? Time::from_seconds(at_s) : Time::never();
}

}  // namespace weir::sim
