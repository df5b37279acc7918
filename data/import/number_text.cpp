#include "data/import/number_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace weir::data {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

template <typename Integer>
bool read_integer(std::string_view text, Integer& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

/// Nanoseconds of a fraction's digits, and 1 carried when rounding reaches a whole.
std::int32_t nanoseconds(std::string_view digits) {
  std::string nine(digits.substr(0, 9));
  nine.append(9 - nine.size(), '0');
  std::int32_t value = 0;
  read_integer(std::string_view(nine), value);
  if (digits.size() > 9 && digits[9] >= '5') ++value;
  return value;
}

/// The parts of a number: digits of the mantissa without the point, and where the point stands.
struct Mantissa {
  std::string digits;
  std::int64_t point = 0;
  bool fraction_written = false;
  bool scientific = false;
  bool negative = false;
};

std::optional<Mantissa> split_number(std::string_view text, char decimal_mark) {
  Mantissa out;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    out.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::size_t e = text.find_first_of("eE");
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    const bool plus = power.starts_with('+');
    if (plus) power.remove_prefix(1);
    if ((plus && power.starts_with('-')) || !read_integer(power, exponent) || exponent > 400 || exponent < -400)
      return std::nullopt;
    out.scientific = true;
    text = text.substr(0, e);
  }
  const std::size_t mark = text.find(decimal_mark);
  const std::string_view whole = text.substr(0, mark);
  const std::string_view fraction = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  out.fraction_written = mark != std::string_view::npos;
  out.digits = std::string(whole) + std::string(fraction);
  if (!all_digits(out.digits) || out.digits.size() > 400) return std::nullopt;
  out.point = static_cast<std::int64_t>(whole.size()) + exponent;
  return out;
}

/// Two digits at `at`, within [low, high]; -1 otherwise.
int two_digits(std::string_view text, std::size_t at, int low, int high) {
  if (at + 2 > text.size() || !is_digit(text[at]) || !is_digit(text[at + 1])) return -1;
  const int value = (text[at] - '0') * 10 + (text[at + 1] - '0');
  return value >= low && value <= high ? value : -1;
}

/// Zone at the end of a time: seconds east of UTC, or empty text for none.
bool read_zone(std::string_view text, DateTime& out) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text.empty()) return true;
  out.has_zone = true;
  if (text == "Z" || text == "z" || text == "UTC") return true;
  if (text[0] != '+' && text[0] != '-') return false;
  const std::int64_t sign = text[0] == '-' ? -1 : 1;
  const int hours = two_digits(text, 1, 0, 18);
  std::size_t at = 3;
  if (at < text.size() && text[at] == ':') ++at;
  const int minutes = text.size() == 3 ? 0 : two_digits(text, at, 0, 59);
  const bool complete = text.size() == 3 || text.size() == at + 2;
  if (hours < 0 || minutes < 0 || !complete) return false;
  out.epoch_ns -= sign * (hours * 3600 + minutes * 60) * kSecondNs;
  return true;
}

/// Nanoseconds of `YYYY-MM-DD` at the start of the text since 1970; years in which 64 bits hold them.
std::optional<std::int64_t> read_date(std::string_view text) {
  int year = 0;
  if (text.size() < 10 || !all_digits(text.substr(0, 4)) || !read_integer(text.substr(0, 4), year)) return std::nullopt;
  const int month = two_digits(text, 5, 1, 12), day = two_digits(text, 8, 1, 31);
  if (text[4] != '-' || text[7] != '-' || month < 0 || day < 0 || year < 1700 || year > 2260) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86'400} * kSecondNs;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text, char decimal_mark) {
  const std::optional<Mantissa> number = split_number(text, decimal_mark);
  if (!number) return std::nullopt;
  std::string digits = number->digits;
  std::int64_t point = number->point;
  if (point < 0) {
    digits.insert(0, static_cast<std::size_t>(-point), '0');
    point = 0;
  }
  Decimal out;
  out.fraction_written = number->fraction_written;
  const auto written = static_cast<std::int64_t>(digits.size());
  out.digits_lost = number->scientific && written < point && point >= 9;
  if (written < point) digits.append(static_cast<std::size_t>(point - written), '0');
  const std::string_view whole = std::string_view(digits).substr(0, static_cast<std::size_t>(point));
  if (!whole.empty() && !read_integer(whole, out.whole)) return std::nullopt;
  out.nano = nanoseconds(std::string_view(digits).substr(static_cast<std::size_t>(point)));
  if (out.nano == kSecondNs) {
    out.nano = 0;
    if (__builtin_add_overflow(out.whole, 1, &out.whole)) return std::nullopt;
  }
  if (number->negative) {
    out.whole = out.nano > 0 ? -out.whole - 1 : -out.whole;
    if (out.nano > 0) out.nano = static_cast<std::int32_t>(kSecondNs) - out.nano;
  }
  return out;
}

std::optional<std::string> without_thousands(std::string_view text) {
  std::string out;
  std::size_t group = text.find(',');
  if (group == std::string_view::npos || group == 0 || group > 3) return std::nullopt;
  out = text.substr(0, group);
  while (group < text.size()) {
    if (text[group] != ',' || group + 4 > text.size()) return std::nullopt;
    out += text.substr(group + 1, 3);
    group += 4;
  }
  if (!all_digits(out)) return std::nullopt;
  return out;
}

std::optional<DateTime> parse_date_time(std::string_view text) {
  const std::optional<std::int64_t> date = read_date(text);
  if (!date || text.size() < 16 || (text[10] != ' ' && text[10] != 'T' && text[10] != 't')) return std::nullopt;
  const int hour = two_digits(text, 11, 0, 23), minute = two_digits(text, 14, 0, 59);
  if (hour < 0 || minute < 0 || text[13] != ':') return std::nullopt;
  std::size_t at = 16;
  int second = 0;
  std::int32_t nano = 0;
  if (at < text.size() && text[at] == ':') {
    second = two_digits(text, at + 1, 0, 60);  // 60 is a leap second
    if (second < 0) return std::nullopt;
    at += 3;
    if (at < text.size() && (text[at] == '.' || text[at] == ',')) {
      const std::size_t from = ++at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at == from) return std::nullopt;
      nano = nanoseconds(text.substr(from, at - from));
    }
  }
  DateTime out;
  out.epoch_ns = *date + (hour * 3600 + minute * 60 + second) * kSecondNs + nano;
  if (!read_zone(text.substr(at), out)) return std::nullopt;
  return out;
}

std::string date_time_text(std::int64_t epoch_ns, std::string_view zone) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(epoch_ns)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const auto padded = [](std::int64_t value, std::size_t width) {
    std::string digits = std::to_string(value);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  std::string out = padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) +
                    "-" + padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(clock.hours().count(), 2) + ":" +
                    padded(clock.minutes().count(), 2) + ":" + padded(clock.seconds().count(), 2);
  if (const std::int64_t nano = clock.subseconds().count(); nano > 0) {
    std::string fraction = padded(nano, 9);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += "." + fraction;
  }
  return out + std::string(zone);
}

std::optional<std::int64_t> to_ns(const Decimal& value, std::int64_t unit_ns) {
  std::int64_t out = 0;
  const std::int64_t nanos_per_step = kSecondNs / unit_ns;
  const std::int64_t part = (value.nano + nanos_per_step / 2) / nanos_per_step;
  if (__builtin_mul_overflow(value.whole, unit_ns, &out) || __builtin_add_overflow(out, part, &out))
    return std::nullopt;
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool good = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; good && k < length; ++k) good = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    if (good && length == 3) {  // no overlong forms, no surrogates
      const auto second = static_cast<unsigned char>(text[i + 1]);
      good = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second >= 0xA0);
    } else if (good && length == 4) {
      const auto second = static_cast<unsigned char>(text[i + 1]);
      good = !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second >= 0x90);
    }
    out += good ? std::string(text.substr(i, length)) : std::string("?");
    i += good ? length : 1;
  }
  return out;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const bool cut = text.size() > kLongest;
  if (cut) {
    std::size_t length = kLongest;
    while (length > kLongest - 4 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
    text = text.substr(0, length);
  }
  std::string out = valid_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return "\"" + out + (cut ? "...\"" : "\"");
}

}  // namespace weir::data
