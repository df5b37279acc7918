#include "reports/language.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace weir::reports {
namespace {

std::set<std::string> places(const std::string& text) {
  static const std::regex place(R"(\{[a-z_0-9]+\}|%[0-9])");
  return {std::sregex_token_iterator(text.begin(), text.end(), place), std::sregex_token_iterator()};
}

TEST(Language, IsReadAsLocalesSpellIt) {
  EXPECT_EQ(parse_language("zh_CN.UTF-8"), Language::zh_CN);
  EXPECT_EQ(parse_language("zh-CN"), Language::zh_CN);
  EXPECT_EQ(parse_language("zh"), Language::zh_CN);
  EXPECT_EQ(parse_language("en_GB"), Language::en);
  EXPECT_EQ(parse_language("C"), std::nullopt);
  EXPECT_EQ(parse_language("zhx"), std::nullopt);
}

TEST(Language, EveryEntryKeepsItsPlaces) {
  EXPECT_FALSE(entries(Language::zh_CN).empty());
  for (const auto& [english, chinese] : entries(Language::zh_CN)) {
    EXPECT_FALSE(chinese.empty()) << english;
    EXPECT_EQ(places(english), places(chinese)) << english;
  }
}

TEST(Language, NoEntryIsThereTwiceWithAnotherMeaning) {
  std::map<std::string, std::string> seen;
  for (const auto& [english, chinese] : entries(Language::zh_CN)) {
    const auto [at, fresh] = seen.emplace(english, chinese);
    EXPECT_TRUE(fresh || at->second == chinese) << english;
  }
}

TEST(Language, WithoutAnEntryTheEnglishTextIsUsed) {
  EXPECT_EQ(say(Language::zh_CN, "no such {thing} here", {{"thing", "word"}}), "no such word here");
  EXPECT_EQ(translate(Language::zh_CN, "nothing like this stands in any table"),
            "nothing like this stands in any table");
  EXPECT_FALSE(is_translated(Language::zh_CN, "nothing like this stands in any table"));
}

TEST(Language, AFinishedSentenceIsTranslatedThroughItsPlaces) {
  EXPECT_EQ(say(Language::zh_CN, "owned"), "自有");
  EXPECT_EQ(translate(Language::zh_CN, "owned"), "自有");
  EXPECT_EQ(translate(Language::en, "owned"), "owned");
}

}  // namespace
}  // namespace weir::reports
