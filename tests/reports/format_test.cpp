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

TEST(Format, MoneyInChineseCountsInTenThousands) {
  const auto zh = [](double amount, const char* currency = "USD") {
    return money_short(amount, currency, Spelling::ascii, Language::zh_CN);
  };
  EXPECT_EQ(zh(1.68), "1.68 美元");
  EXPECT_EQ(zh(9994), "9,994 美元");
  EXPECT_EQ(zh(9996), "1.00 万美元");
  EXPECT_EQ(zh(23'200), "2.32 万美元");
  EXPECT_EQ(zh(835'212), "83.5 万美元");
  EXPECT_EQ(zh(1'642'000), "164.2 万美元");
  EXPECT_EQ(zh(12'345'678), "1,234.6 万美元");
  EXPECT_EQ(zh(99'999'600), "1.00 亿美元");
  EXPECT_EQ(zh(250'000'000, "CNY"), "2.50 亿元");
  EXPECT_EQ(zh(-40'000, "EUR"), "-4.00 万欧元");
  EXPECT_EQ(zh(5, "CHF"), "5.00 CHF");
  EXPECT_EQ(zh(835'212, ""), "83.5 万");
  EXPECT_EQ(money_short(-835'212, "USD", Spelling::typographic, Language::zh_CN), "\u221283.5\u00a0万美元");
  EXPECT_EQ(money_full(835212.4, "USD", Spelling::ascii, Language::zh_CN), "835,212 美元");
}

TEST(Format, RangesOfMoneyNameTheirUnitOnce) {
  EXPECT_EQ(money_range(743'000, 927'000, "USD"), "$743k-927k");
  EXPECT_EQ(money_range(743'000, 927'000, "USD", Spelling::ascii, Language::zh_CN), "74.3-92.7 万美元");
  EXPECT_EQ(money_range(5'000, 20'000, "USD", Spelling::ascii, Language::zh_CN), "5,000 美元-2.00 万美元");
}

TEST(Format, TablesShareAUnitOfMoney) {
  EXPECT_EQ(money_unit(9'000, "USD").name, "USD");
  EXPECT_EQ(money_unit(2e6, "USD").name, "k USD");
  EXPECT_EQ(money_unit(2e6, "USD", Language::zh_CN).name, "万美元");
  EXPECT_EQ(money_unit(2e6, "USD", Language::zh_CN).divisor, 1e4);
  EXPECT_EQ(money_unit(3e8, "CNY", Language::zh_CN).name, "亿元");
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
  EXPECT_EQ(span_text(45, Language::zh_CN), "45 秒");
  EXPECT_EQ(span_text(3540, Language::zh_CN), "59 分钟");
  EXPECT_EQ(span_text(7500, Language::zh_CN), "2 小时 05 分");
}

TEST(Format, PercentNeverRoundsUpToAll) {
  EXPECT_EQ(percent(0.99996), "99.9");
  EXPECT_EQ(percent(1.0), "100.0");
  EXPECT_EQ(percent(0.5, 0), "50");
  EXPECT_EQ(percent_text(0.9934, Spelling::ascii), "99.3 %");
  EXPECT_EQ(percent_text(-0.05, Spelling::typographic, 0), "\u22125\u00a0%");
  EXPECT_EQ(change_text(0.672, Spelling::ascii), "+67.2 %");
  EXPECT_EQ(change_text(-0.1, Spelling::ascii), "-10 %");
  EXPECT_EQ(change_text(0.0001, Spelling::ascii), "0 %");
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
