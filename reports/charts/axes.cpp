#include "reports/charts/axes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

constexpr double kMinute = 60, kHour = 3600, kDay = 86400;

/// Steps of time that divide minutes, hours and days evenly.
double time_step(double span_s, int wanted) {
  constexpr std::array<double, 20> kSteps = {
      1,        2,           5,           10,           15,           30,
      kMinute,  2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
      kHour,    2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour,   kDay,
      2 * kDay, 7 * kDay};
  const double raw = span_s / std::max(1, wanted);
  for (const double step : kSteps) {
    if (step >= raw * (1 - 1e-9)) return step;
  }
  return std::ceil(raw / (7 * kDay)) * 7 * kDay;
}

std::vector<double> multiples_inside(const Range& range, double step) {
  std::vector<double> values;
  const double slack = 1e-9 * (range.high - range.low) / step;
  for (double i = std::ceil(range.low / step - slack); i <= range.high / step + slack; ++i) values.push_back(i * step);
  return values;
}

/// Ticks of a range in other units than the data's.
std::vector<Tick> scaled_ticks(const Range& range, double divisor, int wanted) {
  std::vector<Tick> ticks = linear_ticks(range.low / divisor, range.high / divisor, wanted);
  for (Tick& tick : ticks) tick.value *= divisor;
  return ticks;
}

Axis with_all(Axis axis, const Range& all, const View& view) {
  if (view) axis.all = all;
  return axis;
}

}  // namespace

Range visible(const Range& all, const View& view) {
  if (!view || !(view->low < view->high)) return all;
  const Range cut{std::max(all.low, view->low), std::min(all.high, view->high)};
  return cut.low < cut.high ? cut : all;
}

Axis linear_axis(const Range& all, const View& view, int wanted, std::string title) {
  const Range range = visible(all, view);
  return with_all({range, linear_ticks(range.low, range.high, wanted), std::move(title), false}, all, view);
}

Axis log_axis(const Range& all, const View& view, int wanted, std::string title) {
  const Range range = visible(all, view);
  return with_all({range, log_ticks(range.low, range.high, wanted), std::move(title), true}, all, view);
}

Axis money_axis(const Range& all, const View& view, const MoneyScale& scale, int wanted) {
  const Range range = visible(all, view);
  return with_all({range, scaled_ticks(range, scale.divisor, wanted), "", false}, all, view);
}

Axis share_axis(const Range& all, const View& view, int wanted) {
  const Range range = visible(all, view);
  return with_all({range, scaled_ticks(range, 0.01, wanted), "", false}, all, view);
}

Axis log_share_axis(const Range& all, const View& view, int wanted) {
  const Range range = visible(all, view);
  Axis axis{range, log_ticks(range.low * 100, range.high * 100, wanted), "", true};
  for (Tick& tick : axis.ticks) {
    tick.value /= 100;
    tick.label += "\u00a0%";
  }
  return with_all(std::move(axis), all, view);
}

Axis month_axis(int months, const View& view, int wanted, Language language) {
  const Range all{0, static_cast<double>(months)};
  const Range range = visible(all, view);
  Axis axis{range, {}, say(language, "Month"), false};
  constexpr std::array<double, 8> kSteps = {1, 2, 3, 6, 12, 24, 60, 120};
  double step = kSteps.back();
  for (const double candidate : kSteps) {
    if ((range.high - range.low) / candidate <= wanted) {
      step = candidate;
      break;
    }
  }
  for (const double month : multiples_inside(range, step)) axis.ticks.push_back({month, grouped(std::llround(month))});
  return with_all(std::move(axis), all, view);
}

TimeUnit time_unit(double span_s) {
  if (span_s > 3 * kDay) return {kDay, "Day of the run", "day {number}"};
  if (span_s > 3 * kHour) return {kHour, "Hour of the run", "hour {number}"};
  if (span_s > 3 * kMinute) return {kMinute, "Minute of the run", "minute {number}"};
  return {1, "Second of the run", "second {number}"};
}

Axis time_axis(const Range& all, const View& view, int wanted, Language language) {
  const TimeUnit unit = time_unit(all.high - all.low);
  const Range range = visible(all, view);
  Axis axis{range, {}, say(language, unit.title), false};
  const double span = range.high - range.low;
  if (span / std::max(1, wanted) < 1) {
    axis.ticks = scaled_ticks(range, unit.seconds, wanted);
  } else {
    // Steps that are even in minutes or hours; as numbers of the unit they may need decimals ("0.25").
    const double step = time_step(span, wanted);
    const double in_units = step / unit.seconds;
    const int decimals = in_units >= 1 ? 0 : in_units * 10 == std::floor(in_units * 10) ? 1 : 2;
    for (const double at : multiples_inside(range, step)) {
      axis.ticks.push_back({at, grouped_fixed(at / unit.seconds, decimals)});
    }
  }
  return with_all(std::move(axis), all, view);
}

std::string clock_text(double seconds_of_day, bool with_seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds_of_day));
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  // The end of a day is written 24:00, the days after it start again.
  const long long day = whole > 86400 ? whole % 86400 : whole;
  return two(day / 3600) + ":" + two(day / 60 % 60) + (with_seconds ? ":" + two(day % 60) : "");
}

Axis clock_axis(const Range& all, const View& view, int wanted, std::string title) {
  const Range range = visible(all, view);
  Axis axis{range, {}, std::move(title), false};
  const double step = std::max(1.0, time_step(range.high - range.low, wanted));
  for (const double at : multiples_inside(range, step)) axis.ticks.push_back({at, clock_text(at, step < kMinute)});
  return with_all(std::move(axis), all, view);
}

std::string log_title(const std::string& title, Language language) {
  return say(language, "{quantity}, log scale", {{"quantity", title}});
}

int ticks_for(double length, double room_each, int most) {
  return std::clamp(static_cast<int>(std::floor(length / room_each)), 2, most);
}

}  // namespace weir::reports::charts
