#include "reports/format.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>

namespace weir::reports {
namespace {

TEST(Format, SignificantDigitsGroupAndNeverUseAnExponent) {
  EXPECT_EQ(significant(1234.5, 3), "1,230");
  EXPECT_EQ(significant(0.041234, 3), "0.0412");
  EXPECT_EQ(significant(9.996, 3), "10.0");
  EXPECT_EQ(significant(12345678, 4), "12,350,000");
  EXPECT_EQ(significant(0, 3), "0");
  EXPECT_EQ(significant(-5.26, 2, Spelling::typographic), "\u22125.3");
}

TEST(Format, MoneyStepsUpWhereRoundingReachesTheNextUnit) {
  EXPECT_EQ(money_short(1.68, "USD"), "$1.68");
  EXPECT_EQ(money_short(9994, "USD"), "$9,994");
  EXPECT_EQ(money_short(9996, "USD"), "$10.0k");
  EXPECT_EQ(money_short(835'212, "USD"), "$835k");
  EXPECT_EQ(money_short(999'600, "USD"), "$1.00M");
  EXPECT_EQ(money_short(-40'000, "USD"), "-$40.0k");
  EXPECT_EQ(money_short(2'500'000, "CNY"), "CNY 2.50M");
  EXPECT_EQ(money_full(835212.4, "USD"), "$835,212");
  EXPECT_EQ(money_full(-0.2, ""), "0");
}

TEST(Format, SecondsChooseTheirUnit) {
  EXPECT_EQ(seconds_text(0.84), "840 ms");
  EXPECT_EQ(seconds_text(1.0), "1 s");
  EXPECT_EQ(seconds_text(0.9996), "1 s");
  EXPECT_EQ(seconds_text(0.05), "50 ms");
  EXPECT_EQ(seconds_text(0.00037), "370 us");
  EXPECT_EQ(seconds_text(0), "0 s");
}

TEST(Format, SpansReadAsPeopleSayThem) {
  EXPECT_EQ(span_text(45), "45 s");
  EXPECT_EQ(span_text(3540), "59 min");
  EXPECT_EQ(span_text(7500), "2 h 05 min");
}

TEST(Format, PercentNeverRoundsUpToAll) {
  EXPECT_EQ(percent(0.99996), "99.9");
  EXPECT_EQ(percent(1.0), "100.0");
  EXPECT_EQ(percent(0.5, 0), "50");
}

TEST(Format, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("A100"), 4);
  EXPECT_EQ(display_width("\u5bf9\u8bdd"), 4);
  EXPECT_EQ(cut_to_width("\u5bf9\u8bdd\u52a9\u624b", 7), "\u5bf9\u8bdd...");
  EXPECT_EQ(cut_to_width("short", 7), "short");
}

TEST(Format, MarkupIsEscapedAndBrokenTextReplaced) {
  EXPECT_EQ(escape_markup("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escape_markup(std::string("x\x01y\xffz")), "x\ufffdy\ufffdz");
}

RC_GTEST_PROP(Format, ShortestReadsBack, (double value)) {
  const std::string text = shortest(value);
  double back = 0;
  std::from_chars(text.data(), text.data() + text.size(), back);
  RC_ASSERT(back == value);
}

RC_GTEST_PROP(Format, CutTextFits, (const std::string& text)) {
  const int width = *rc::gen::inRange(3, 40);
  RC_ASSERT(display_width(cut_to_width(text, width)) <= width);
}

}  // namespace
}  // namespace weir::reports
