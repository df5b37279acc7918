#include <array>
#include <cmath>

#include "reports/format.h"

namespace weir::reports {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNoBreakSpace = "\u00a0";

std::string blank(Spelling spelling) { return std::string(spelling == Spelling::typographic ? kNoBreakSpace : " "); }
std::string minus(Spelling spelling) { return std::string(spelling == Spelling::typographic ? kMinus : "-"); }
std::string to(Spelling spelling) { return spelling == Spelling::typographic ? "\u2013" : "-"; }

std::string drop_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

/// An amount without its sign and currency: digits and the word for what they count.
struct Amount {
  std::string digits, suffix;
};

Amount english_amount(double magnitude) {
  // 999.6 k reads 1.00 M: the step up is taken where rounding to three digits would reach it.
  if (magnitude >= 999.5e6) return {significant(magnitude / 1e9, 3), "B"};
  if (magnitude >= 999.5e3) return {significant(magnitude / 1e6, 3), "M"};
  if (magnitude >= 9995) return {significant(magnitude / 1e3, 3), "k"};
  return {significant(magnitude, magnitude >= 1000 ? 4 : 3), ""};
}

/// Three significant digits and at least one decimal: 2.32, 83.5, 164.2.
std::string at_least_one_decimal(double value) {
  return value >= 99.95 ? grouped_fixed(value, 1) : significant(value, 3);
}

Amount chinese_amount(double magnitude) {
  if (magnitude >= 0.999995e8) return {at_least_one_decimal(magnitude / 1e8), "亿"};
  if (magnitude >= 9995) return {at_least_one_decimal(magnitude / 1e4), "万"};
  return {significant(magnitude, magnitude >= 1000 ? 4 : 3), ""};
}

/// "83.5" and "万" and the currency: "83.5 万美元"; the minus stands before the digits.
std::string chinese_money(const std::string& digits, const std::string& suffix, std::string_view currency,
                          Spelling spelling) {
  const std::string unit = suffix + currency_name(currency, Language::zh_CN);
  return unit.empty() ? digits : digits + blank(spelling) + unit;
}

}  // namespace

std::string currency_sign(std::string_view currency, Spelling spelling) {
  if (currency.empty()) return "";
  if (currency == "USD") return "$";
  if (spelling == Spelling::typographic && currency == "CNY") return "CN\u00a5";
  if (spelling == Spelling::typographic && currency == "EUR") return "\u20ac";
  return std::string(currency) + blank(spelling);
}

std::string currency_name(std::string_view currency, Language language) {
  constexpr std::array<std::array<std::string_view, 2>, 5> kChinese = {
      {{"USD", "美元"}, {"CNY", "元"}, {"EUR", "欧元"}, {"GBP", "英镑"}, {"JPY", "日元"}}};
  if (language == Language::zh_CN) {
    for (const auto& [code, name] : kChinese) {
      if (code == currency) return std::string(name);
    }
  }
  return std::string(currency);
}

std::string money_short(double amount, std::string_view currency, Spelling spelling, Language language) {
  const double magnitude = std::fabs(amount);
  const Amount shown = language == Language::zh_CN ? chinese_amount(magnitude) : english_amount(magnitude);
  const std::string sign = amount < 0 && shown.digits != "0" ? minus(spelling) : std::string();
  if (language == Language::zh_CN) return chinese_money(sign + shown.digits, shown.suffix, currency, spelling);
  return sign + currency_sign(currency, spelling) + shown.digits + shown.suffix;
}

std::string money_full(double amount, std::string_view currency, Spelling spelling, Language language) {
  const std::string digits = grouped_fixed(std::fabs(amount), 0);
  const std::string sign = amount <= -0.5 ? minus(spelling) : std::string();
  if (language == Language::zh_CN) return chinese_money(sign + digits, "", currency, spelling);
  return sign + currency_sign(currency, spelling) + digits;
}

std::string money_range(double low, double high, std::string_view currency, Spelling spelling, Language language) {
  if (language == Language::zh_CN && low >= 0) {
    const Amount from = chinese_amount(low), until = chinese_amount(high);
    if (from.suffix == until.suffix)
      return chinese_money(from.digits + to(spelling) + until.digits, until.suffix, currency, spelling);
  }
  if (language == Language::en && low >= 0)
    return money_short(low, currency, spelling) + to(spelling) + money_short(high, "", spelling);
  return money_short(low, currency, spelling, language) + to(spelling) +
         money_short(high, currency, spelling, language);
}

MoneyUnit money_unit(double largest, std::string_view currency, Language language) {
  const std::string name = currency_name(currency, language);
  if (language == Language::zh_CN) {
    if (largest >= 1e8) return {1e8, "亿" + name};
    if (largest >= 1e4) return {1e4, "万" + name};
    return {1, name};
  }
  if (largest >= 1e8) return {1e6, "M " + name};
  if (largest >= 1e4) return {1e3, "k " + name};
  return {1, name};
}

std::string seconds_text(double seconds, Spelling spelling) {
  const std::string space = blank(spelling);
  if (seconds == 0) return "0" + space + "s";
  const double magnitude = std::fabs(seconds);
  if (magnitude >= 0.9995) return drop_trailing_zeros(significant(seconds, 3, spelling)) + space + "s";
  if (magnitude >= 0.9995e-3) return drop_trailing_zeros(significant(seconds * 1e3, 3, spelling)) + space + "ms";
  return drop_trailing_zeros(significant(seconds * 1e6, 3, spelling)) + space +
         (spelling == Spelling::typographic ? "\u00b5s" : "us");
}

std::string span_text(double seconds, Language language) {
  const bool chinese = language == Language::zh_CN;
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + (chinese ? " 秒" : " s");
  if (whole < 3600) return std::to_string(whole / 60) + (chinese ? " 分钟" : " min");
  const std::string minutes = std::to_string(whole / 60 % 60);
  return std::to_string(whole / 3600) + (chinese ? " 小时 " : " h ") + (minutes.size() == 1 ? "0" : "") + minutes +
         (chinese ? " 分" : " min");
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

std::string percent_text(double share, Spelling spelling, int decimals) {
  const std::string digits = percent(share, decimals);
  return (digits.starts_with('-') ? minus(spelling) + digits.substr(1) : digits) + blank(spelling) + "%";
}

std::string change_text(double share, Spelling spelling) {
  const std::string digits = drop_trailing_zeros(grouped_fixed(std::fabs(share) * 100, 1));
  const std::string sign = digits == "0" ? "" : share < 0 ? minus(spelling) : "+";
  return sign + digits + blank(spelling) + "%";
}

}  // namespace weir::reports
