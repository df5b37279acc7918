#pragma once

#include <string>

#include "reports/language.h"

/// Marks between fields, which languages set differently. Sentences come whole from the tables.
namespace weir::reports::charts {

/// "Cumulative cost (thousand USD)", "累计成本（万美元）".
inline std::string with_unit(Language language, const std::string& quantity, const std::string& unit) {
  return language == Language::zh_CN ? quantity + "（" + unit + "）" : quantity + " (" + unit + ")";
}
/// A quantity and the symbol of its unit, which all languages write alike: "TTFT P99 (s)"; where the name ends in
/// parentheses of its own, "Time to first token (TTFT, s)".
inline std::string with_symbol(const std::string& quantity, const std::string& symbol) {
  if (!quantity.ends_with(')')) return quantity + " (" + symbol + ")";
  return quantity.substr(0, quantity.size() - 1) + ", " + symbol + ")";
}
/// A name and its value in a list: "Energy: $12.0k. ".
inline std::string list_entry(Language language, const std::string& name, const std::string& value) {
  return language == Language::zh_CN ? name + "：" + value + "。" : name + ": " + value + ". ";
}
inline std::string full_stop(Language language) { return language == Language::zh_CN ? "。" : ". "; }

}  // namespace weir::reports::charts
