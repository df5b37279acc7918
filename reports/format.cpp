#include "reports/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace weir::reports {
namespace {

constexpr std::string_view kMinus = "\u2212";

std::string group_digits(std::string digits) {
  const bool negative = !digits.empty() && digits.front() == '-';
  const std::size_t begin = negative ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > begin + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string with_minus(std::string text, Spelling spelling) {
  if (spelling == Spelling::typographic && !text.empty() && text.front() == '-') {
    text.replace(0, 1, kMinus);
  }
  return text;
}

/// Decimals that leave `digits` significant digits after rounding (9.996 with 3 digits is "10.0", not "10.00").
int decimals_for(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double magnitude = std::fabs(value);
  int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  const double scale = std::pow(10.0, digits - 1 - exponent);
  if (std::round(magnitude * scale) / scale >= std::pow(10.0, exponent + 1)) ++exponent;
  return digits - 1 - exponent;
}

std::string drop_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                 std::max(decimals, 0))
                       .ptr;
  std::string text(buffer.data(), end);
  // A number that rounds to zero has no sign.
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string significant(double value, int digits, Spelling spelling) {
  const int decimals = decimals_for(value, digits);
  if (decimals < 0) {
    const double step = std::pow(10.0, -decimals);
    value = std::round(value / step) * step;
  }
  return with_minus(group_digits(fixed(value, decimals)), spelling);
}

std::string trimmed(double value, int digits, Spelling spelling) {
  return drop_trailing_zeros(significant(value, digits, spelling));
}

std::string grouped_fixed(double value, int decimals, Spelling spelling) {
  return with_minus(group_digits(fixed(value, decimals)), spelling);
}

int column_decimals(const std::vector<double>& values, int digits, int most) {
  double smallest = 0;
  for (const double value : values) {
    const double magnitude = std::fabs(value);
    if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
  }
  return std::clamp(decimals_for(smallest, digits), 0, most);
}

std::string grouped(std::int64_t value) { return group_digits(std::to_string(value)); }

}  // namespace weir::reports
