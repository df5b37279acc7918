#include "reports/charts/money_axis.h"

#include <cmath>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

std::string currency_name(const std::string& currency, Language language) {
  return currency.empty() ? currency : say(language, currency);
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
  const std::string blank = "\u00a0";
  const std::string name = currency_name(currency, language);
  const double magnitude = std::fabs(amount);
  if (magnitude >= 0.9995e8) {
    return grouped_fixed(amount / 1e8, magnitude < 9.995e8 ? 2 : 1, Spelling::typographic) + blank +
           say(language, "hundred million {currency}", {{"currency", name}});
  }
  if (magnitude >= 1e4) {
    return grouped_fixed(amount / 1e4, 1, Spelling::typographic) + blank +
           say(language, "ten thousand {currency}", {{"currency", name}});
  }
  const std::string digits = magnitude >= 1000 ? grouped_fixed(amount, 0, Spelling::typographic)
                                               : significant(amount, 3, Spelling::typographic);
  return digits + blank + name;
}

}  // namespace weir::reports::charts
