#include "reports/charts/money_axis.h"

#include <cmath>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

std::string currency_name(const std::string& currency, Language language) {
  return currency.empty() ? currency : say(language, currency);
}

/// "83.5 万美元"; without a name "83.5 万".
std::string chinese_amount(double amount, Language language, const std::string& name) {
  const double magnitude = std::fabs(amount);
  const auto number = [&](double divisor, int decimals) {
    return grouped_fixed(amount / divisor, decimals, Spelling::typographic) + "\u00a0";
  };
  if (magnitude >= 0.9995e8) {
    return number(1e8, magnitude < 9.995e8 ? 2 : 1) + say(language, "hundred million {currency}", {{"currency", name}});
  }
  if (magnitude >= 1e4) return number(1e4, 1) + say(language, "ten thousand {currency}", {{"currency", name}});
  const std::string digits = magnitude >= 1000 ? grouped_fixed(amount, 0, Spelling::typographic)
                                               : significant(amount, 3, Spelling::typographic);
  return name.empty() ? digits : digits + "\u00a0" + name;
}

}  // namespace

MoneyScale money_scale(double largest, const std::string& currency, Language language) {
  const std::string name = currency_name(currency, language);
  if (language == Language::zh_CN) {
    if (largest >= 2e8) return {1e8, say(language, "hundred million {currency}", {{"currency", name}})};
    if (largest >= 2e4) return {1e4, say(language, "ten thousand {currency}", {{"currency", name}})};
    return {1, name};
  }
  if (largest >= 2e6) return {1e6, say(language, "million {currency}", {{"currency", name}})};
  if (largest >= 2e3) return {1e3, say(language, "thousand {currency}", {{"currency", name}})};
  return {1, name};
}

std::string money_text(double amount, const std::string& currency, Language language) {
  if (language == Language::en) return money_short(amount, currency, Spelling::typographic);
  return chinese_amount(amount, language, currency_name(currency, language));
}

std::string money_label(double amount, const std::string& currency, Language language) {
  if (language == Language::en) return money_text(amount, currency, language);
  return chinese_amount(amount, language, "");
}

}  // namespace weir::reports::charts
