#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "reports/decision_view.h"
#include "reports/format.h"
#include "reports/text_table.h"
#include "sample_decision.h"

namespace weir::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextTable, AlignsByDisplayWidth) {
  TextTable table({{"Name", false, 0}, {"Value\n(s)", true, 0}});
  table.add({"\u5bf9\u8bdd", "1.5"});
  table.add({"chat", "12.25"});
  EXPECT_EQ(table.render(80),
            "      Value\n"
            "Name    (s)\n"
            "-----------\n"
            "\u5bf9\u8bdd    1.5\n"
            "chat  12.25\n");
}

TEST(TextTable, LeavesOutTheMostExpendableColumnsFirst) {
  TextTable table({{"A", false, 0}, {"Wide column", false, 2}, {"B", true, 1}});
  table.add({"1", "x", "2"});
  EXPECT_THAT(table.render(40), HasSubstr("Wide column"));
  const std::string narrow = table.render(10);
  EXPECT_THAT(narrow, Not(HasSubstr("Wide")));
  EXPECT_THAT(narrow, HasSubstr("B"));
}

TEST(WrapText, BreaksBetweenChineseCharactersButNotBeforeTheirMarks) {
  EXPECT_EQ(wrap_text("one two three", 8), "one two\nthree\n");
  EXPECT_EQ(wrap_text("租用一台服务器，按需。", 8), "租用一台\n服务器，\n按需。\n");
  // The comma would be the ninth column: its character goes with it.
  EXPECT_EQ(wrap_text("租用服务，按需", 8), "租用服\n务，按需\n");
  EXPECT_EQ(wrap_text("租用（按需）", 6), "租用\n（按\n需）\n");
  EXPECT_EQ(wrap_text("用 A100 卡", 6, "- "), "- 用\n  A100\n  卡\n");
}

TEST(Shortlist, TakesTheBestOfEachCardAndTenure) {
  const Decision decision = testing::sample_decision();
  const Shortlist list = shortlist(decision.plan);
  EXPECT_THAT(list.rows, ::testing::ElementsAre(0u, 1u, 2u, 3u));
  // Of the two T4 options the one that was simulated came nearer than the one that does not fit.
  EXPECT_THAT(list.not_eligible, ::testing::ElementsAre(4u));
}

TEST(DecisionText, AnswersInOneSentenceAndFitsTheTerminal) {
  const Decision decision = testing::sample_decision();
  for (const int width : {80, 120, 200}) {
    const std::string text = decision_text(decision, width);
    EXPECT_THAT(text, ::testing::StartsWith("Own 2 servers of 4 x A100 SXM4 80GB at INT8.\n"));
    EXPECT_THAT(text, HasSubstr("TTFT p99 is 9.50 s with one request"));
    EXPECT_THAT(text, HasSubstr("Predicted against measured"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
    for (const char c : text)
      EXPECT_LT(static_cast<unsigned char>(c), 0x80) << "only ASCII keeps columns aligned everywhere";
  }
}

TEST(DecisionText, IsChineseAndFitsTheTerminal) {
  const Decision decision = testing::sample_decision();
  for (const int width : {80, 120}) {
    const std::string text = decision_text(decision, width, Language::zh_CN);
    EXPECT_THAT(text, ::testing::StartsWith("自购 2 台 4 × A100 SXM4 80GB 服务器（INT8）。\n"));
    EXPECT_THAT(text, HasSubstr("不达标"));
    EXPECT_THAT(text, HasSubstr("本机预测与实测对照"));
    for (const char* english : {"Targets", "months", "rented", "cannot", "Timing"})
      EXPECT_THAT(text, Not(HasSubstr(english)));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(DecisionText, SaysWhenNothingMeetsTheTargets) {
  EXPECT_THAT(decision_text(testing::infeasible_decision()),
              ::testing::StartsWith("None of the 2 options meets the targets."));
}

}  // namespace
}  // namespace weir::reports
