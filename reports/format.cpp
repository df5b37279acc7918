#include "reports/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace weir::reports {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNoBreakSpace = "\u00a0";

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

std::string_view unit_blank(Spelling spelling) { return spelling == Spelling::typographic ? kNoBreakSpace : " "; }

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

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = true;
};

CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || at + length > text.size()) return {0xFFFD, 1, false};
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {0xFFFD, 1, false};
    value = (value << 6U) | (byte(at + i) & 0x3FU);
  }
  return {value, length, true};
}

int columns_of(char32_t c) {
  // Combining marks and zero-width characters, then the wide blocks of Unicode's EastAsianWidth (W and F).
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF) return 0;
  constexpr std::array<std::array<char32_t, 2>, 9> kWide = {{{0x1100, 0x115F},
                                                             {0x2E80, 0x303E},
                                                             {0x3041, 0xA4CF},
                                                             {0xAC00, 0xD7A3},
                                                             {0xF900, 0xFAFF},
                                                             {0xFE30, 0xFE4F},
                                                             {0xFF00, 0xFF60},
                                                             {0x1F300, 0x1FAFF},
                                                             {0x20000, 0x3FFFD}}};
  return std::any_of(kWide.begin(), kWide.end(), [&](const auto& r) { return c >= r[0] && c <= r[1]; }) ? 2 : 1;
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

std::string currency_sign(std::string_view currency, Spelling spelling) {
  if (currency.empty()) return "";
  if (currency == "USD") return "$";
  if (spelling == Spelling::typographic && currency == "CNY") return "CN\u00a5";
  if (spelling == Spelling::typographic && currency == "EUR") return "\u20ac";
  return std::string(currency) + std::string(unit_blank(spelling));
}

std::string money_short(double amount, std::string_view currency, Spelling spelling) {
  const double magnitude = std::fabs(amount);
  double scale = 1;
  std::string_view suffix;
  // 999.6 k reads 1.00 M: the step up is taken where rounding to three digits would reach it.
  if (magnitude >= 999.5e6) {
    scale = 1e9, suffix = "B";
  } else if (magnitude >= 999.5e3) {
    scale = 1e6, suffix = "M";
  } else if (magnitude >= 9995) {
    scale = 1e3, suffix = "k";
  }
  const std::string digits = significant(magnitude / scale, scale == 1 && magnitude >= 1000 ? 4 : 3);
  const std::string sign =
      amount < 0 && digits != "0" ? (spelling == Spelling::typographic ? std::string(kMinus) : "-") : std::string();
  return sign + currency_sign(currency, spelling) + digits + std::string(suffix);
}

std::string money_full(double amount, std::string_view currency, Spelling spelling) {
  const std::string digits = group_digits(fixed(std::fabs(amount), 0));
  const std::string sign =
      amount <= -0.5 ? (spelling == Spelling::typographic ? std::string(kMinus) : "-") : std::string();
  return sign + currency_sign(currency, spelling) + digits;
}

std::string seconds_text(double seconds, Spelling spelling) {
  const std::string blank(unit_blank(spelling));
  if (seconds == 0) return "0" + blank + "s";
  const double magnitude = std::fabs(seconds);
  if (magnitude >= 0.9995) return drop_trailing_zeros(significant(seconds, 3, spelling)) + blank + "s";
  if (magnitude >= 0.9995e-3) return drop_trailing_zeros(significant(seconds * 1e3, 3, spelling)) + blank + "ms";
  return drop_trailing_zeros(significant(seconds * 1e6, 3, spelling)) + blank +
         (spelling == Spelling::typographic ? "\u00b5s" : "us");
}

std::string span_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min";
  const std::string minutes = std::to_string(whole / 60 % 60);
  return std::to_string(whole / 3600) + " h " + (minutes.size() == 1 ? "0" : "") + minutes + " min";
}

std::string percent(double share, int decimals) {
  const double hundred = share * 100;
  std::string text = fixed(hundred, decimals);
  if (hundred < 100 && text == fixed(100, decimals)) {
    const double step = std::pow(10.0, -decimals);
    text = fixed(100 - step, decimals);
  }
  return text;
}

int display_width(std::string_view utf8) {
  int width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const CodePoint c = decode(utf8, at);
    width += columns_of(c.value);
    at += c.length;
  }
  return width;
}

std::string cut_to_width(std::string_view utf8, int width) {
  if (display_width(utf8) <= width) return std::string(utf8);
  const int room = std::max(0, width - 3);
  int used = 0;
  std::size_t at = 0;
  while (at < utf8.size()) {
    const CodePoint c = decode(utf8, at);
    if (used + columns_of(c.value) > room) break;
    used += columns_of(c.value);
    at += c.length;
  }
  return std::string(utf8.substr(0, at)) + std::string(static_cast<std::size_t>(std::clamp(width, 0, 3)), '.');
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    const bool allowed = c.valid && (c.value >= 0x20 || c.value == '\t' || c.value == '\n' || c.value == '\r') &&
                         !(c.value >= 0xD800 && c.value <= 0xDFFF) && c.value != 0xFFFE && c.value != 0xFFFF;
    if (!allowed) {
      out += "\ufffd";
    } else if (c.value == '&') {
      out += "&amp;";
    } else if (c.value == '<') {
      out += "&lt;";
    } else if (c.value == '>') {
      out += "&gt;";
    } else if (c.value == '"') {
      out += "&quot;";
    } else if (c.value == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

}  // namespace weir::reports
