#include "reports/charts/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

struct Step {
  double mantissa = 1;
  int exponent = 0;
  double value() const { return mantissa * std::pow(10.0, exponent); }
  /// Decimals that show a multiple of the step exactly.
  int decimals() const {
    const int extra = mantissa == 2.5 ? 1 : 0;
    return std::max(0, extra - exponent);
  }
};

Step round_step(double span, int wanted) {
  const double raw = span / std::max(1, wanted);
  const int exponent = static_cast<int>(std::floor(std::log10(raw)));
  for (const double mantissa : {1.0, 2.0, 2.5, 5.0}) {
    const Step step{mantissa, exponent};
    if (step.decimals() > 0 && mantissa == 2.5) continue;  // "2.5" beside "5" asks for a decimal that 0, 5, 10 spare
    if (step.value() >= raw * (1 - 1e-9)) return step;
  }
  return {1.0, exponent + 1};
}

std::string grouped_fixed(double value, int decimals) {
  if (decimals == 0 && std::fabs(value) < 9e15) return grouped(std::llround(value));
  return fixed(value, decimals);
}

std::vector<Tick> multiples(double low, double high, const Step& step) {
  std::vector<Tick> ticks;
  const double size = step.value();
  const double slack = 1e-9 * (high - low) / size;
  const auto first = static_cast<long long>(std::ceil(low / size - slack));
  const auto last = static_cast<long long>(std::floor(high / size + slack));
  for (long long i = first; i <= last; ++i) {
    // i x mantissa is exact, so one rounding is left and labels such as 0.30000000000000004 cannot arise.
    const double value = step.exponent >= 0 ? static_cast<double>(i) * size
                                            : static_cast<double>(i) * step.mantissa / std::pow(10.0, -step.exponent);
    ticks.push_back({value, grouped_fixed(value, step.decimals())});
  }
  return ticks;
}

std::vector<Tick> log_ticks_with(double low, double high, const std::vector<double>& mantissas) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(high))) + 1;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double mantissa : mantissas) {
      const double value = exponent >= 0 ? mantissa * std::pow(10.0, exponent) : mantissa / std::pow(10.0, -exponent);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      ticks.push_back({value, grouped_fixed(value, std::max(0, -exponent))});
    }
  }
  return ticks;
}

/// The nearest of `mantissas` (ascending, 1 to 10) times powers of ten below `low` and above `high`.
Range rounded_out(double low, double high, const std::vector<double>& mantissas) {
  const double below = std::pow(10.0, std::floor(std::log10(low)));
  const double above = std::pow(10.0, std::floor(std::log10(high)));
  Range range{below, 10 * above};
  for (const double mantissa : mantissas) {
    if (mantissa * below <= low * (1 + 1e-9)) range.low = mantissa * below;
  }
  for (auto it = mantissas.rbegin(); it != mantissas.rend(); ++it) {
    if (*it * above >= high * (1 - 1e-9)) range.high = *it * above;
  }
  if (range.high <= range.low) range.high = range.low * 2;
  return range;
}

}  // namespace

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
  for (int aim = std::max(1, wanted);; aim *= 2) {
    std::vector<Tick> ticks = multiples(low, high, round_step(high - low, aim));
    if (ticks.size() >= 2) return ticks;
  }
}

std::vector<Tick> month_ticks(int months, int wanted) {
  constexpr std::array<int, 8> kSteps = {1, 2, 3, 6, 12, 24, 60, 120};
  int step = kSteps.back();
  for (const int candidate : kSteps) {
    if (months / candidate <= wanted) {
      step = candidate;
      break;
    }
  }
  std::vector<Tick> ticks;
  for (int month = 0; month <= months; month += step) ticks.push_back({static_cast<double>(month), grouped(month)});
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int wanted) {
  const double decades = std::log10(high / low);
  // Within a few times the lowest value even steps read best.
  if (decades < 0.65) return linear_ticks(low, high, wanted);
  if (decades < 1.2) {
    std::vector<Tick> fine = log_ticks_with(low, high, {1, 2, 3, 5, 7});
    if (fine.size() >= 2) return fine;
    return linear_ticks(low, high, wanted);
  }
  for (const auto& mantissas : {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
    std::vector<Tick> ticks = log_ticks_with(low, high, mantissas);
    if (static_cast<int>(ticks.size()) <= wanted + 1 && ticks.size() >= 2) return ticks;
  }
  // Many decades: every second, third, ... power of ten.
  std::vector<Tick> powers = log_ticks_with(low, high, {1});
  const std::size_t stride = std::max<std::size_t>(
      1, (powers.size() + static_cast<std::size_t>(wanted)) / static_cast<std::size_t>(std::max(1, wanted)));
  std::vector<Tick> kept;
  for (std::size_t i = 0; i < powers.size(); i += stride) kept.push_back(powers[i]);
  return kept;
}

Range from_zero(double high, int wanted) {
  if (!(high > 0)) return {0, 1};
  const double size = round_step(high, wanted).value();
  return {0, std::ceil(high / size - 1e-9) * size};
}

Range round_range(double low, double high, int wanted) {
  if (!(low < high)) return {low, low + 1};
  const double size = round_step(high - low, wanted).value();
  return {std::floor(low / size + 1e-9) * size, std::ceil(high / size - 1e-9) * size};
}

Range log_range(double low, double high) { return rounded_out(low, high, {1, 2, 5, 10}); }

Range snug_log_range(double low, double high) {
  return rounded_out(low, high, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10});
}

}  // namespace weir::reports::charts
