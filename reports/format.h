#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/language.h"

namespace weir::reports {

/// How text for people is spelled. `ascii` keeps to one column a character, so that terminal tables stay aligned in
/// East Asian locales too; `typographic` uses the true minus, the multiplication sign and the no-break space.
enum class Spelling { ascii, typographic };

/// Shortest decimal form that reads back as the same double; no locale.
std::string shortest(double value);
/// Fixed number of decimals, no grouping: "0.50".
std::string fixed(double value, int decimals);
/// `digits` significant digits, grouped by commas, never an exponent: "1,230", "0.0412".
std::string significant(double value, int digits, Spelling spelling = Spelling::ascii);
/// The same without zeros at the end: "0.03", "1.5".
std::string trimmed(double value, int digits, Spelling spelling = Spelling::ascii);
/// Fixed decimals, grouped: "1,112.6". For columns whose numbers share their decimals.
std::string grouped_fixed(double value, int decimals, Spelling spelling = Spelling::ascii);
/// Decimals that give the smallest of these numbers (zeros aside) `digits` significant digits; at most `most`.
int column_decimals(const std::vector<double>& values, int digits, int most = 3);
/// Grouped whole number: 19366 -> "19,366".
std::string grouped(std::int64_t value);

/// "$", "CN¥", "€"; any other currency is its code and a blank; nothing for "".
std::string currency_sign(std::string_view currency, Spelling spelling);
/// As a unit after a number: "USD"; "美元" in Chinese.
std::string currency_name(std::string_view currency, Language language = Language::en);
/// Three significant digits with k, M or B: "$835k", "$1.20M", "$0.42". In Chinese with 万 or 亿, then at least one
/// decimal: "83.5 万美元", "2.32 万美元", "164.2 万美元", "1.68 美元".
std::string money_short(double amount, std::string_view currency, Spelling spelling = Spelling::ascii,
                        Language language = Language::en);
/// Whole units, grouped: "$835,212", "835,212 美元".
std::string money_full(double amount, std::string_view currency, Spelling spelling = Spelling::ascii,
                       Language language = Language::en);
/// Two ends of a range: "$743k–927k"; "74.3–92.7 万美元" when both have the same unit.
std::string money_range(double low, double high, std::string_view currency, Spelling spelling = Spelling::ascii,
                        Language language = Language::en);

/// The unit that amounts up to `largest` share in a table or on an axis: {1e3, "k USD"}, {1e4, "万美元"}.
struct MoneyUnit {
  double divisor = 1;
  std::string name;
};
MoneyUnit money_unit(double largest, std::string_view currency, Language language = Language::en);

/// "840 ms", "1.2 s", "370 us": three significant digits at most; units of the SI in every language.
std::string seconds_text(double seconds, Spelling spelling = Spelling::ascii);
/// "2 h 05 min", "59 min", "45 s"; "2 小时 05 分", "59 分钟", "45 秒".
std::string span_text(double seconds, Language language = Language::en);
/// 0.9934 -> "99.3". Never rounds up to 100.
std::string percent(double share, int decimals = 1);
/// The same with its sign: "99.3 %".
std::string percent_text(double share, Spelling spelling, int decimals = 1);
/// A change with its sign, at most one decimal: 0.672 -> "+67.2 %".
std::string change_text(double share, Spelling spelling);

/// Columns a terminal needs for UTF-8 text: two for East Asian wide characters, none for combining ones.
int display_width(std::string_view utf8);
/// The text cut to `width` columns, with "..." when it had to be cut.
std::string cut_to_width(std::string_view utf8, int width);

/// & < > " and ' as references; characters that XML does not allow become U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace weir::reports
