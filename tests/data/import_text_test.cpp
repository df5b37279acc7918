// The readers below the importer: records, lines, numbers, times.
#include <gtest/gtest.h>

#include "data/import/json_line.h"
#include "data/import/number_text.h"
#include "data/import/record_reader.h"

namespace weir::data {
namespace {

std::vector<Record> records(const std::string& text, char delimiter = ',') {
  TextBuffer buffer{std::string(text)};
  CsvReader reader(buffer, delimiter);
  std::vector<Record> out;
  for (Record record; reader.next(record);) out.push_back(record);
  return out;
}

TEST(CsvReader, QuotesNewlinesAndLineNumbers) {
  const auto rows = records("a,\"b,\"\"c\"\"\",\"two\nlines\"\r\n\r\nx,,\"\"\ry");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].fields[1].text, "b,\"c\"");
  EXPECT_TRUE(rows[0].fields[1].quoted);
  EXPECT_EQ(rows[0].fields[2].text, "two\nlines");
  EXPECT_EQ(rows[0].line, 1);
  EXPECT_TRUE(rows[1].blank);
  EXPECT_EQ(rows[1].line, 3);
  EXPECT_EQ(rows[2].fields.size(), 3u);
  EXPECT_EQ(rows[2].line, 4);
  EXPECT_EQ(rows[3].fields[0].text, "y");  // no final newline; the line before ended with CR alone
  EXPECT_EQ(rows[3].line, 5);
}

TEST(CsvReader, ANewlineAtTheEndIsNoRecord) {
  EXPECT_EQ(records("a\n").size(), 1u);
  EXPECT_EQ(records("a\n\n").size(), 2u);
  EXPECT_EQ(records("").size(), 0u);
}

TEST(CsvReader, AnOpenQuoteCostsOneLine) {
  const auto rows = records("1,2\n3,\"4\n5,6\n7,8\n");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_FALSE(rows[1].error.empty());
  EXPECT_EQ(rows[2].fields[1].text, "6");
  EXPECT_EQ(rows[2].line, 3);
}

TEST(CsvReader, AQuoteInsideAFieldIsText) { EXPECT_EQ(records("5\" disk,2\n")[0].fields[0].text, "5\" disk"); }

std::string decimal(std::string_view text, char mark = '.') {
  const auto value = parse_decimal(text, mark);
  return value ? std::to_string(value->whole) + "|" + std::to_string(value->nano) : "none";
}

TEST(Decimal, ReadsToTheNanosecond) {
  EXPECT_EQ(decimal("0"), "0|0");
  EXPECT_EQ(decimal("1772442001.100"), "1772442001|100000000");
  EXPECT_EQ(decimal("5.8926549999999995"), "5|892655000");
  EXPECT_EQ(decimal("0.9999999999"), "1|0");
  EXPECT_EQ(decimal(".5"), "0|500000000");
  EXPECT_EQ(decimal("-1.25"), "-2|750000000");
  EXPECT_EQ(decimal("9.8e-05"), "0|98000");
  EXPECT_EQ(decimal("1.5E+3"), "1500|0");
  EXPECT_EQ(decimal("1772442000000000001"), "1772442000000000001|0");
  EXPECT_EQ(decimal("0,25", ','), "0|250000000");
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", ".", "1,5", "1.2.3", "nan", "inf", "0x10", "1e", "1e+-3", " 1", "1 ", "12abc",
                           "99999999999999999999", "1e400000", "--1"}) {
    EXPECT_EQ(decimal(text), "none") << text;
  }
}

TEST(Decimal, NoticesDigitsASpreadsheetLost) {
  EXPECT_TRUE(parse_decimal("1.77244E+12", '.')->digits_lost);
  EXPECT_FALSE(parse_decimal("1.772442000000E+12", '.')->digits_lost);
  EXPECT_FALSE(parse_decimal("1.5E+3", '.')->digits_lost);
}

TEST(Thousands, OnlyGroupsOfThree) {
  EXPECT_EQ(without_thousands("1,024").value_or(""), "1024");
  EXPECT_EQ(without_thousands("12,345,678").value_or(""), "12345678");
  for (const char* text : {"1,02", "1,0245", ",024", "1234,567", "1,024,", "1,0 4", "1024"}) {
    EXPECT_FALSE(without_thousands(text)) << text;
  }
}

TEST(DateTime, FractionsAndZones) {
  // 2026-03-02T09:00:00Z is 1772442000 s.
  constexpr std::int64_t kNine = 1'772'442'000'000'000'000;
  EXPECT_EQ(parse_date_time("2026-03-02 09:00:00")->epoch_ns, kNine);
  EXPECT_EQ(parse_date_time("2026-03-02T09:00Z")->epoch_ns, kNine);
  EXPECT_EQ(parse_date_time("2026-03-02T10:00:00.5+01:00")->epoch_ns, kNine + 500'000'000);
  EXPECT_EQ(parse_date_time("2026-03-02 04:00:00.000000001-0500")->epoch_ns, kNine + 1);
  EXPECT_EQ(parse_date_time("2026-03-02 11:30:00 +02")->epoch_ns, kNine + 1'800'000'000'000);
  EXPECT_FALSE(parse_date_time("2026-03-02 09:00:00")->has_zone);
  EXPECT_TRUE(parse_date_time("2026-03-02 09:00:00Z")->has_zone);
  EXPECT_EQ(parse_date_time("2024-02-29 00:00:00")->epoch_ns, 1'709'164'800'000'000'000);
  EXPECT_EQ(date_time_text(kNine + 250'000'000, "Z"), "2026-03-02T09:00:00.25Z");
}

TEST(DateTime, RefusesWhatIsNoTime) {
  for (const char* text : {"2026-02-29 00:00:00", "2026-13-01 00:00:00", "2026-03-02", "2026-03-02 24:00:00",
                           "2026-03-02 09:00:00.", "2026-03-02 09:00:00+1", "2026-03-02 09:00:00 CET",
                           "26-03-02 09:00:00", "2026/03/02 09:00:00", "1772442000", ""}) {
    EXPECT_FALSE(parse_date_time(text)) << text;
  }
}

TEST(JsonLine, KeepsTheTextOfNumbers) {
  JsonMembers members;
  EXPECT_EQ(parse_json_line(R"({"t": 1772442000000000001, "x": 1.10000000000000000001, "n": null, "l": [1, {"t": 2}]})",
                            members),
            "");
  ASSERT_EQ(members.size(), 4u);
  EXPECT_EQ(members[0].second.text, "1772442000000000001");
  EXPECT_EQ(members[1].second.text, "1.10000000000000000001");
  EXPECT_EQ(members[2].second.kind, Field::Kind::null);
  EXPECT_EQ(members[3].second.kind, Field::Kind::nested);
}

TEST(JsonLine, SaysWhatIsWrong) {
  JsonMembers members;
  EXPECT_EQ(parse_json_line(R"({"timestamp": 4000, "input_len)", members), "unexpected end of line at column 31");
  EXPECT_EQ(parse_json_line(R"({"a": oops})", members), "not valid JSON at column 7");
  EXPECT_EQ(parse_json_line("[1, 2]", members), "is not a JSON object");
  EXPECT_EQ(parse_json_line("3", members), "is not a JSON object");
}

TEST(Shown, IsOneValidShortLine) {
  EXPECT_EQ(shown("a\nb\xff"), "\"a?b?\"");
  EXPECT_EQ(shown(std::string(50, 'x')), "\"" + std::string(40, 'x') + "...\"");
  EXPECT_EQ(valid_utf8("\xE5\x80\xBC\xE5\x80"), "\xE5\x80\xBC??");
}

}  // namespace
}  // namespace weir::data
