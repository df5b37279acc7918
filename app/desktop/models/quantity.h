#pragma once

#include <QString>
#include <limits>
#include <optional>

#include "reports/language.h"

namespace weir::desktop {

/// What a field holds. Values are in SI base units (seconds, bytes, shares of 1); people type and read others.
enum class QuantityKind {
  number,   ///< "1.5k", "2 万", "3e6"
  count,    ///< the same, whole
  seconds,  ///< "5 ms", "2 h", "90 秒"; bare numbers are in `bare_unit`
  bytes,    ///< "80 GB" (10^9), "16 GiB" (2^30)
  share,    ///< "12 %"; a bare "12" is 12 % when `bare_unit` is "%", else a bare "0.12" is
};

struct QuantityRule {
  QuantityKind kind = QuantityKind::number;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;  ///< the end itself is not allowed
  QString bare_unit = {};                    ///< unit of a number without one, and the one that ranges are shown in
  bool may_be_empty = false;                 ///< an empty text is a valid "none"
};

struct ParsedQuantity {
  std::optional<double> value;  ///< empty: see error; without an error: nothing was typed, which is allowed
  QString error;                ///< one sentence in the language that states the valid range
};

/// Understands full-width digits and signs, grouping by comma, blank or apostrophe, k/M/B/G/T, 千 万 亿, and units
/// after the number. Never depends on the locale.
ParsedQuantity parse_quantity(const QString& text, const QuantityRule& rule, reports::Language language);

/// The value as a field shows it: shortest exact form with its unit, readable by parse_quantity. "50 ms", "80 GB", "12
/// %".
QString quantity_text(double value, const QuantityRule& rule);
/// "more than 0 ms, at most 10,000 ms"; empty when anything goes.
QString range_text(const QuantityRule& rule, reports::Language language);

}  // namespace weir::desktop
