#include "reports/charts/money_axis.h"

#include "reports/format.h"

namespace weir::reports::charts {

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
  return money_short(amount, currency, Spelling::typographic, language);
}

std::string money_label(double amount, const std::string& currency, Language language) {
  return money_short(amount, language == Language::zh_CN ? "" : currency, Spelling::typographic, language);
}

}  // namespace weir::reports::charts
