#include "reports/language.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "data/embedded.h"

namespace weir::reports {
namespace {

/// An entry with places, cut at them: "needs {a} of {b}" -> {"needs ", " of ", ""} and {"a", "b"}.
struct Template {
  std::vector<std::string> literals;
  std::vector<std::string> places;
  std::string translation;
  std::size_t literal_length = 0;
};

struct Words {
  std::vector<std::pair<std::string, std::string>> entries;
  std::map<std::string, std::string, std::less<>> exact;
  std::vector<Template> templates;  ///< most literal text first
};

Template cut(const std::string& english, const std::string& translation) {
  Template entry;
  entry.translation = translation;
  std::size_t from = 0;
  for (;;) {
    const std::size_t open = english.find('{', from);
    const std::size_t close = open == std::string::npos ? open : english.find('}', open);
    if (close == std::string::npos) break;
    entry.literals.push_back(english.substr(from, open - from));
    entry.places.push_back(english.substr(open + 1, close - open - 1));
    from = close + 1;
  }
  entry.literals.push_back(english.substr(from));
  for (const std::string& literal : entry.literals) entry.literal_length += literal.size();
  return entry;
}

/// Places with only blanks and marks between them ("{day} {month}") would fit every text.
bool has_words(const Template& entry) {
  return std::any_of(entry.literals.begin(), entry.literals.end(), [](const std::string& literal) {
    return std::any_of(literal.begin(), literal.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  });
}

Words load(Language language) {
  Words words;
  const std::string folder = "language/" + std::string(code_of(language)) + "/";
  for (const data::EmbeddedFile& file : data::embedded_files()) {
    if (!file.path.starts_with(folder)) continue;
    const auto table = nlohmann::ordered_json::parse(file.text);
    for (const auto& [english, translation] : table.items()) {
      const std::string text = translation.get<std::string>();
      words.entries.emplace_back(english, text);
      words.exact.emplace(english, text);
      if (english.find('{') == std::string::npos) continue;
      Template entry = cut(english, text);
      if (has_words(entry)) words.templates.push_back(std::move(entry));
    }
  }
  std::stable_sort(words.templates.begin(), words.templates.end(),
                   [](const Template& a, const Template& b) { return a.literal_length > b.literal_length; });
  return words;
}

const Words& words_of(Language language) {
  static const Words english;
  static const Words chinese = load(Language::zh_CN);
  return language == Language::zh_CN ? chinese : english;
}

template <class Find>
std::string fill(std::string_view text, const Find& value_of) {
  std::string out;
  std::size_t from = 0;
  for (;;) {
    const std::size_t open = text.find('{', from);
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(from, open - from);
    out += value_of(text.substr(open + 1, close - open - 1));
    from = close + 1;
  }
  return out += text.substr(from);
}

/// What stands in the places when `text` from `at` on fits the literals from `index` on; backtracks. A place is never
/// empty.
bool fits(const Template& entry, std::size_t index, std::string_view text, std::size_t at,
          std::vector<std::string_view>& values) {
  const bool last = index + 1 == entry.literals.size();
  const std::string& literal = entry.literals[index];
  if (last && literal.empty()) {
    values.push_back(text.substr(at));
    return at < text.size();
  }
  for (std::size_t found = text.find(literal, at + 1); found != std::string_view::npos;
       found = text.find(literal, found + 1)) {
    if (last && found + literal.size() != text.size()) continue;
    values.push_back(text.substr(at, found - at));
    if (last || fits(entry, index + 1, text, found + literal.size(), values)) return true;
    values.pop_back();
  }
  return false;
}

std::optional<std::vector<std::string_view>> match(const Template& entry, std::string_view text) {
  if (!text.starts_with(entry.literals.front())) return std::nullopt;
  std::vector<std::string_view> values;
  if (!fits(entry, 1, text, entry.literals.front().size(), values)) return std::nullopt;
  return values;
}

constexpr int kDeepest = 4;  ///< places within places

std::optional<std::string> find_translation(Language language, std::string_view english, int depth) {
  const Words& words = words_of(language);
  if (const auto found = words.exact.find(english); found != words.exact.end()) return found->second;
  if (depth >= kDeepest) return std::nullopt;
  for (const Template& entry : words.templates) {
    const auto values = match(entry, english);
    if (!values) continue;
    return fill(entry.translation, [&](std::string_view place) {
      const auto at = std::find(entry.places.begin(), entry.places.end(), place);
      if (at == entry.places.end()) throw std::logic_error("no place {" + std::string(place) + "} in the English text");
      const std::string_view value = (*values)[static_cast<std::size_t>(at - entry.places.begin())];
      return find_translation(language, value, depth + 1).value_or(std::string(value));
    });
  }
  return std::nullopt;
}

}  // namespace

std::optional<Language> parse_language(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of("_-.@"));
  if (name == "en") return Language::en;
  if (name == "zh") return Language::zh_CN;
  return std::nullopt;
}

std::string_view code_of(Language language) { return language == Language::zh_CN ? "zh_CN" : "en"; }

Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return parse_language(value).value_or(Language::en);
  }
  return Language::en;
}

std::string say(Language language, std::string_view english, Values values) {
  const Words& words = words_of(language);
  const auto found = words.exact.find(english);
  return fill(found == words.exact.end() ? english : std::string_view(found->second), [&](std::string_view place) {
    const auto* at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == place; });
    if (at == values.end()) throw std::logic_error("no value for {" + std::string(place) + "}");
    return at->second;
  });
}

std::string translate(Language language, std::string_view english) {
  return find_translation(language, english, 0).value_or(std::string(english));
}

bool is_translated(Language language, std::string_view english) {
  return language == Language::en || find_translation(language, english, 0).has_value();
}

const std::vector<std::pair<std::string, std::string>>& entries(Language language) {
  return words_of(language).entries;
}

}  // namespace weir::reports
