#include "reports/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "sample_decision.h"

namespace weir::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A reader of RFC 4180, written from the RFC and independent of the writer.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        rows.back().back() += '"';
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        rows.back().back() += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();  // the line end of the last row opened an empty one
  return rows;
}

TEST(Csv, QuotesOnlyWhatNeedsIt) {
  CsvTable table({"a", "b (s)"});
  table.text("plain").number(0.5).end_row();
  table.text("say \"hi\", twice\nplease").number(std::nullopt).end_row();
  EXPECT_EQ(table.take(), "a,b (s)\r\nplain,0.5\r\n\"say \"\"hi\"\", twice\nplease\",\r\n");
}

TEST(Csv, FormulasAreDisarmedAndNegativeNumbersAreNot) {
  CsvTable table({"x"});
  for (const char* text : {"=1+1", "+1", "-cmd", "@sum", "\tx", "\rx"}) table.text(text).end_row();
  table.number(-5.5).end_row();
  const auto rows = read_csv(table.take());
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t i = 1; i <= 6; ++i) EXPECT_THAT(rows[i][0], StartsWith("'"));
  EXPECT_EQ(rows[7][0], "-5.5");
}

RC_GTEST_PROP(Csv, TextReadsBack, (const std::vector<std::string>& cells)) {
  RC_PRE(!cells.empty());
  CsvTable table(cells);
  const auto rows = read_csv(table.take());
  RC_ASSERT(rows.size() == 1u);
  RC_ASSERT(rows[0].size() == cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool formula = !cells[i].empty() && std::string("=+-@\t\r").find(cells[i][0]) != std::string::npos;
    RC_ASSERT(rows[0][i] == (formula ? "'" + cells[i] : cells[i]));
  }
}

TEST(OptionTable, HasARowForEachOptionAndUnitsInItsHead) {
  const Decision decision = testing::sample_decision();
  const auto rows = read_csv(option_table_csv(decision));
  ASSERT_EQ(rows.size(), 1 + decision.plan.options.size());
  const auto& head = rows[0];
  for (const auto& row : rows) EXPECT_EQ(row.size(), head.size());
  const auto column = [&](const std::string& name) {
    const auto found = std::find(head.begin(), head.end(), name);
    EXPECT_NE(found, head.end()) << name;
    return static_cast<std::size_t>(found - head.begin());
  };
  EXPECT_EQ(rows[1][column("TCO 36 months (USD)")], "232000");
  EXPECT_EQ(rows[1][column("TTFT p99 (s)")], "0.8");
  EXPECT_EQ(rows[1][column("break-even (month)")], "25");
  EXPECT_EQ(rows[4][column("TCO 36 months (USD)")], "");
  EXPECT_EQ(rows[5][column("meets targets")], "no");
  EXPECT_THAT(rows[5][column("why not")], HasSubstr("9.50 s"));
}

TEST(OptionTable, AllTablesAreRectangular) {
  for (const auto& [name, text] : decision_tables(testing::sample_decision())) {
    const auto rows = read_csv(text);
    ASSERT_GE(rows.size(), 2u) << name;
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << name;
  }
}

TEST(OptionTable, CashFlowAddsUpToTheTotal) {
  for (const auto& [name, text] : decision_tables(testing::sample_decision())) {
    if (name != "cash_flow.csv") continue;
    const auto rows = read_csv(text);
    // Month 36 of option 1: 200,000 + 36 x 2,000 - 40,000.
    EXPECT_EQ(rows[37][3], "36");
    EXPECT_EQ(rows[37][7], "232000");
  }
}

}  // namespace
}  // namespace weir::reports
