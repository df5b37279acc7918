#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::data {

// Numbers and times as files write them. Nothing here depends on the locale, and no time passes through a double:
// nanoseconds since 1970 need more than its 53 bits.

/// whole + nano / 1e9 with 0 <= nano < 1e9; more fraction digits are rounded.
struct Decimal {
  std::int64_t whole = 0;
  std::int32_t nano = 0;
  bool fraction_written = false;  ///< had a decimal point
  bool digits_lost = false;       ///< scientific notation with fewer digits than the whole part has
};

/// Optional sign, digits with at most one `decimal_mark`, optional exponent. Empty when it is anything else or when the
/// whole part is beyond 64 bits.
std::optional<Decimal> parse_decimal(std::string_view text, char decimal_mark);

/// "1,024" -> "1024" when the text is digits in groups of three; otherwise empty.
std::optional<std::string> without_thousands(std::string_view text);

struct DateTime {
  std::int64_t epoch_ns = 0;  ///< plain clock time as if it were UTC when there is no zone
  bool has_zone = false;
};

/// `YYYY-MM-DD[ T]HH:MM[:SS[.fraction]][ ][Z|+HH:MM|+HHMM|+HH]`. Fractions are read to the nanosecond.
std::optional<DateTime> parse_date_time(std::string_view text);

/// `2026-03-02T09:00:00[.fraction]` plus `zone`.
std::string date_time_text(std::int64_t epoch_ns, std::string_view zone);

/// Value times unit in nanoseconds (1, 1e3, 1e6, 1e9); empty beyond 64 bits.
std::optional<std::int64_t> to_ns(const Decimal& value, std::int64_t unit_ns);

/// Foreign text for a message: quoted, cut, unprintable bytes as '?'.
std::string shown(std::string_view text);

/// The text with every byte that is no part of valid UTF-8 replaced by '?'.
std::string valid_utf8(std::string_view text);

}  // namespace weir::data
