#include "reports/finding_text.h"

#include <algorithm>

namespace weir::reports {
namespace {

/// Parts that were joined by `mark`, each translated by itself.
std::string translate_each(Language language, const std::string& text, std::string_view mark) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    if (at > 0) out += translate(language, mark);
    out += translate(language, text.substr(at, end - at));
    at = end + mark.size();
  }
  return out;
}

}  // namespace

std::string finding_value(Language language, std::string_view key, const std::string& value) {
  return key == "isa" ? translate_each(language, value, ", ") : translate(language, value);
}

std::string finding_cost(Language language, const std::string& cost) { return translate_each(language, cost, "; "); }

}  // namespace weir::reports
