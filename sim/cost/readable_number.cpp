#include "sim/cost/readable_number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace weir::sim {
namespace {

std::string with_thousands(std::string text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  std::array<char, 400> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end.ptr);
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  return with_thousands(std::move(text));
}

std::string readable_number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (!(size >= 1e-4 && size < 1e15)) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
    return {buffer.data(), end.ptr};
  }
  int decimals = 5;
  for (double limit = 1; size >= limit && decimals > 0; limit *= 10) --decimals;
  for (double limit = 0.1; size < limit; limit /= 10) ++decimals;
  std::string text = fixed_text(value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text;
}

std::string signed_percent_text(double share) {
  return (share < 0 ? "-" : "+") + readable_number(std::round(std::abs(share) * 1000) / 10) + "%";
}

}  // namespace weir::sim
