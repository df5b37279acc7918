#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Words of the program in each language. English is what stands in the sources; the other languages are tables from
/// English to that language, data/language/LANGUAGE/*.json, embedded. An entry may hold places: "needs {needed} of
/// {available}". Only reports and what lies above it know languages: the rooms below speak English, and their finished
/// sentences are translated here, at the rim.
namespace weir::reports {

enum class Language { en, zh_CN };

/// "en", "zh_CN"; also how locales and browsers spell them: "zh", "zh-CN", "zh_CN.UTF-8", "en_GB".
std::optional<Language> parse_language(std::string_view text);
/// "en", "zh_CN".
std::string_view code_of(Language language);
/// From LC_ALL, LC_MESSAGES, LANG, as every program of this system; English when they say nothing that is spoken here.
Language language_of_environment();

using Values = std::initializer_list<std::pair<std::string_view, std::string>>;

/// A sentence in `language`: the entry of the English text (which may hold places), with values put into its places.
/// Without an entry the English text is used.
std::string say(Language language, std::string_view english, Values values = {});

/// A finished English sentence of a room that knows no language: its own entry, else the entry whose places it fits;
/// what stood in the places is translated in its turn. Without an entry the English text comes back unchanged.
std::string translate(Language language, std::string_view english);
/// True when `translate` has words for it; numbers and names alone need none.
bool is_translated(Language language, std::string_view english);

/// Every English entry and its translation, for tests and the desktop.
const std::vector<std::pair<std::string, std::string>>& entries(Language language);

/// The text under this language's code, else the English one, else `otherwise` (titles of scenarios).
template <class Titles>
std::string in_language(Language language, const Titles& titles, const std::string& otherwise) {
  for (const std::string_view code : {code_of(language), code_of(Language::en)}) {
    const auto found = titles.find(std::string(code));
    if (found != titles.end() && !found->second.empty()) return found->second;
  }
  return otherwise;
}

}  // namespace weir::reports
