// The importer on small files written here. The published case files are in import_cases_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <clocale>
#include <cmath>
#include <locale>

#include "data/errors.h"
#include "data/import/trace_import.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Trace import_text(const std::string& text, const std::string& name = "trace.csv", const ImportOptions& options = {}) {
  const TemporaryFolder folder;
  return import_trace(folder.write(name, text), options);
}

/// The message of the InputError that the import ends with.
std::string refusal(const std::string& text, const ImportOptions& options = {}) {
  try {
    import_text(text, "trace.csv", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string counts(const Trace& trace) {
  const RowCounts& r = trace.rows;
  return std::to_string(r.read) + " = " + std::to_string(r.imported) + " + " + std::to_string(r.rejected) + " + " +
         std::to_string(r.blank);
}

std::vector<std::int64_t> arrivals(const Trace& trace) {
  std::vector<std::int64_t> out;
  for (const Request& request : trace.requests) out.push_back(request.arrival_ns);
  return out;
}

std::string all_warnings(const Trace& trace) {
  std::string out;
  for (const std::string& warning : trace.warnings) out += warning + "\n";
  return out;
}

int session_of(const Trace& trace, std::size_t request) {
  const int prompt = trace.requests.at(request).prompt;
  return prompt < 0 ? -1 : trace.prompts.at(static_cast<std::size_t>(prompt)).session;
}

const std::string kHeader = "arrival_s,input_tokens,output_tokens\n";

TEST(ImportPlain, OptionalColumns) {
  const Trace trace = import_text(
      "class,Arrival MS,Input_Tokens,OUTPUT TOKENS,items,status,session\n"
      "chat,1000,10,5,2,ok,s1\n"
      ",1250.5,20,6,,failed,s1\n"
      "batch,1500,30,7,1,cancelled,\n"
      "chat,1500,40,0,1,weird,s2\n");
  EXPECT_EQ(trace.format, "plain-csv");
  EXPECT_EQ(trace.kind, "trace");
  EXPECT_EQ(trace.name, "trace.csv");
  EXPECT_EQ(counts(trace), "4 = 4 + 0 + 0");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 250'500'000, 500'000'000, 500'000'000));
  EXPECT_THAT(trace.class_names, ElementsAre("chat", "batch"));
  EXPECT_EQ(trace.requests[0].class_index, 0);
  EXPECT_EQ(trace.requests[1].class_index, -1);
  EXPECT_EQ(trace.requests[2].class_index, 1);
  EXPECT_EQ(trace.requests[0].items, 2);
  EXPECT_EQ(trace.requests[1].items, 1);
  EXPECT_EQ(trace.requests[0].status, RequestStatus::ok);
  EXPECT_EQ(trace.requests[1].status, RequestStatus::failed);
  EXPECT_EQ(trace.requests[2].status, RequestStatus::cancelled);
  EXPECT_EQ(trace.requests[3].status, RequestStatus::zero_output);
  EXPECT_FALSE(trace.origin);
  EXPECT_THAT(all_warnings(trace), HasSubstr("status that is not known"));
  EXPECT_THAT(all_warnings(trace), ::testing::Not(HasSubstr("not used")));
  EXPECT_EQ(session_of(trace, 0), session_of(trace, 1));
  EXPECT_EQ(session_of(trace, 2), -1);
  EXPECT_NE(session_of(trace, 3), session_of(trace, 0));
  EXPECT_THAT(all_warnings(trace), HasSubstr("status that is not known"));
}

TEST(ImportPlain, JsonLines) {
  const Trace trace = import_text(
      "{\"arrival_ns\": 1772442000000000001, \"input_tokens\": 7, \"output_tokens\": 2}\n"
      "{\"output_tokens\": 3, \"arrival_ns\": 1772442000000000002, \"input_tokens\": 8.0, \"class\": \"a\"}\n"
      "[1]\n"
      "{\"arrival_ns\": 1772442000000000003, \"input_tokens\": 8}",
      "t.jsonl");
  EXPECT_EQ(trace.format, "plain-jsonl");
  EXPECT_EQ(counts(trace), "4 = 2 + 2 + 0");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 1));  // apart only in the 19th digit
  EXPECT_EQ(trace.origin.value_or(""), "1772442000000000001");
  EXPECT_EQ(trace.requests[1].class_index, 0);
  EXPECT_EQ(trace.rejected.at(0).reason, "is not a JSON object");
  EXPECT_EQ(trace.rejected.at(1).reason, "missing output_tokens");
  EXPECT_EQ(trace.rejected.at(1).line, 4);
}

TEST(ImportPlain, JsonKeysThatComeLate) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "{\"arrival_s\": " + std::to_string(i) + ", \"input_tokens\": 1, \"output_tokens\": 1}\n";
  }
  text +=
      "{\"arrival_s\": 500, \"input_tokens\": 1, \"output_tokens\": 1, \"class\": \"late\", \"status\": \"failed\"}\n";
  const Trace trace = import_text(text, "t.jsonl");
  EXPECT_THAT(trace.class_names, ElementsAre("late"));
  EXPECT_EQ(trace.requests.back().status, RequestStatus::failed);
  EXPECT_TRUE(trace.warnings.empty());
}

TEST(ImportPlain, DelimitersAndDecimalCommas) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = kHeader + "0.5,10,1\n2.25,20,2\n";
    for (char& c : text) c = c == ',' ? delimiter : c;
    EXPECT_THAT(arrivals(import_text(text)), ElementsAre(0, 1'750'000'000)) << delimiter;
  }
  const Trace comma = import_text("arrival_s;input_tokens;output_tokens\n0,5;10;1\n2,25;20;2\n1;1,024;1\n");
  EXPECT_EQ(counts(comma), "3 = 2 + 1 + 0");  // 1,024 is 1.024 here, and no count of tokens
  EXPECT_THAT(arrivals(comma), ElementsAre(0, 1'750'000'000));
  EXPECT_THAT(all_warnings(comma), HasSubstr("decimal marks"));
  // Commas as delimiters: a decimal comma in quotes is refused, not guessed.
  EXPECT_EQ(counts(import_text(kHeader + "\"0,25\",10,1\n1,10,1\n")), "2 = 1 + 1 + 0");
}

/// Decimal comma and grouped digits, as a German desktop sets them for every stream.
class CommaPunctuation : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ImportPlain, TheLocaleOfTheMachineDoesNotMatter) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");  // where it is installed
  const Trace trace = import_text(kHeader + "0.5,10000,1\n2.25,20000,2\n1000000.5,1,1\n2000000,1,x\n");
  std::locale::global(before);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 1'750'000'000, 1'000'000'000'000'000));
  EXPECT_EQ(trace.requests[0].input_tokens, 10'000);
  EXPECT_EQ(trace.rejected.at(0).reason, "output_tokens: \"x\" is not a whole number");
}

TEST(ImportPlain, SortsStablyAndTakesTheEarliestAsOrigin) {
  const Trace trace = import_text(kHeader + "4,600,1\n1,520,1\n9,100,1\n3,1030,1\n3,1025,1\n");
  std::vector<int> inputs;
  for (const Request& r : trace.requests) inputs.push_back(r.input_tokens);
  EXPECT_THAT(inputs, ElementsAre(520, 1030, 1025, 600, 100));
  EXPECT_THAT(all_warnings(trace), HasSubstr("2 rows (lines 3, 5) of 5 were earlier than the row before"));
  EXPECT_EQ(trace.requests.back().arrival_ns, 8'000'000'000);
}

TEST(ImportPlain, RejectsWithLineAndReason) {
  const Trace trace = import_text(kHeader +
                                  "0,10,1\n"                     // 2
                                  "1,-1,1\n"                     // 3
                                  "2,1.5,1\n"                    // 4
                                  "3,10,99999999999999999999\n"  // 5
                                  "x,10,1\n"                     // 6
                                  ",10,1\n"                      // 7
                                  "7,0,0\n"                      // 8
                                  "8\n"                          // 9
                                  "9,\"1,0\",1\n"                // 10
                                  "10,\"5\n"                     // 11
                                  "arrival_s,input_tokens,output_tokens\n"
                                  "12,100000000,1\n"
                                  "13,100000001,1\n");
  EXPECT_EQ(counts(trace), "13 = 2 + 11 + 0");
  std::vector<std::string> reasons;
  for (const RejectedRow& row : trace.rejected) reasons.push_back(std::to_string(row.line) + ": " + row.reason);
  EXPECT_THAT(reasons,
              ElementsAre("3: input_tokens: \"-1\" is negative", "4: input_tokens: \"1.5\" is not a whole number",
                          "5: output_tokens: \"99999999999999999999\" is implausible, more than 100,000,000",
                          "6: arrival_s: \"x\" is not a number that can be a time", "7: arrival_s is empty",
                          "8: no tokens", "9: missing input_tokens", "10: input_tokens: \"1,0\" is not a whole number",
                          "11: a quote is opened and never closed", "12: repeated header",
                          "14: input_tokens: \"100000001\" is implausible, more than 100,000,000"));
}

TEST(ImportPlain, HealthChecksAreRejectedUnlessAskedFor) {
  const std::string text =
      "arrival_s,input_tokens,output_tokens,path\n0,1,1,/v1/chat\n1,1,1,/health\n2,1,1,/api/healthz?x=1\n";
  EXPECT_EQ(counts(import_text(text)), "3 = 1 + 2 + 0");
  ImportOptions keep;
  keep.keep_health = true;
  EXPECT_EQ(counts(import_text(text, "t.csv", keep)), "3 = 3 + 0 + 0");
}

TEST(ImportPlain, DuplicatesNeedAnId) {
  EXPECT_EQ(counts(import_text(kHeader + "0,1,1\n0,1,1\n")), "2 = 2 + 0 + 0");
  EXPECT_EQ(counts(import_text("id," + kHeader + ",0,1,1\n,0,1,1\na,0,1,1\nb,0,1,1\na,0,1,1\n")), "5 = 4 + 1 + 0");
}

TEST(ImportPlain, OneAbsurdTimeDoesNotStretchTheTrace) {
  const Trace trace = import_text(
      "timestamp,input_tokens,output_tokens\n1970-01-01 00:00:00,1,1\n2026-03-02 09:00:00,1,1\n"
      "2026-03-02 09:00:01,1,1\n2026-03-02 09:00:02,1,1\n");
  EXPECT_EQ(counts(trace), "4 = 3 + 1 + 0");
  EXPECT_EQ(trace.span_s(), 2);
  EXPECT_EQ(trace.rejected.at(0).line, 2);
  EXPECT_EQ(trace.origin.value_or(""), "2026-03-02T09:00:00");
}

TEST(ImportPlain, AllZeroOutputIsEncoderTraffic) {
  const Trace trace = import_text(kHeader + "0,10,0\n1,20,0\n");
  EXPECT_TRUE(trace.is_encoder_traffic());
  EXPECT_EQ(trace.demand_count(), 2);
  EXPECT_EQ(trace.requests[0].status, RequestStatus::zero_output);
}

TEST(ImportPlain, KeepsTheFirstThousandRejections) {
  std::string text = kHeader + "0,1,1\n";
  for (int i = 0; i < 1500; ++i) text += "bad,1,1\n";
  const Trace trace = import_text(text);
  EXPECT_EQ(trace.rows.rejected, 1500);
  ASSERT_EQ(trace.rejected.size(), 1000u);
  EXPECT_EQ(trace.rejected.back().line, 1002);
}

TEST(ImportRefuses, WithOneLine) {
  EXPECT_THAT(refusal(""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("\n \n"), HasSubstr("blank lines only"));
  EXPECT_THAT(refusal(kHeader), HasSubstr("column names but no rows"));
  EXPECT_THAT(refusal(kHeader + "x,1,1\ny,1,1\n"),
              HasSubstr("no usable row: 2 read, 2 rejected (line 2: arrival_s: \"x\" is not a number"));
  EXPECT_THAT(refusal("0,1,2\n1,2,3\n"), HasSubstr("holds data where the column names should be"));
  EXPECT_THAT(refusal("a,b,c\n1,2,3\n"), HasSubstr("columns found: a, b, c"));
  EXPECT_THAT(refusal("num_prefill_tokens,num_decode_tokens\n1,2\n"), HasSubstr("has lengths but no arrival times"));
  EXPECT_THAT(refusal("timestamp,input_tokens,output_tokens\n1,1,1\n"), HasSubstr("do not say their unit"));
  EXPECT_THAT(refusal("arrival_s,prompt_tokens,context_tokens,output_tokens\n1,1,1,1\n"),
              HasSubstr("several columns could be the input tokens"));
  EXPECT_THAT(refusal("timestamp,start_time,input_tokens,output_tokens\n1,1,1,1\n"),
              HasSubstr("several columns could be the time"));
  EXPECT_THAT(refusal("[{\"arrival_s\": 0}]"), HasSubstr("JSON array"));
  EXPECT_THAT(refusal("{\n\"a\": 1\n}"), HasSubstr("not one object a line"));
  EXPECT_THAT(refusal(std::string("a\0b", 3)), HasSubstr("binary file"));
  EXPECT_THAT(refusal("PK\x03\x04"), HasSubstr("ZIP or Excel"));
  EXPECT_THAT(refusal("\xFF\xFE"
                      "a"),
              HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("timestamp,value\n2026-01-01 00:00:00,5\n"), HasSubstr("series of values"));
  EXPECT_THAT(refusal("\x1f\x8bgarbage that is no deflate stream"), HasSubstr("gzip file is damaged"));
}

TEST(ImportRefuses, FilesThatAreNotThere) {
  const TemporaryFolder folder;
  EXPECT_THROW(import_trace(folder.path() / "none.csv"), InputError);
  EXPECT_THROW(import_trace(folder.path()), InputError);
}

TEST(ImportOptions, KindAndFormat) {
  const std::string text = kHeader + "0,1,1\n";
  ImportOptions options;
  options.as = "trace";
  EXPECT_EQ(refusal(text, options), "no error");
  options.as = "benchmark";
  EXPECT_THAT(refusal(text, options), HasSubstr("is a trace (plain-csv), not benchmark"));
  options.as = "picture";
  EXPECT_THAT(refusal(text, options), HasSubstr("expected trace, benchmark"));
  options.as = "";
  options.format = "vidur";
  EXPECT_THAT(refusal(text, options), HasSubstr("vidur needs"));
  options.format = "plain-jsonl";
  EXPECT_THAT(refusal(text, options), HasSubstr("is not JSONL"));
  options.format = "csv";
  EXPECT_THAT(refusal(text, options), HasSubstr("expected azure-llm-2023"));
}

TEST(ImportProgress, RisesAndCancels) {
  std::string text = kHeader;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i) + ",100,10\n";  // several chunks
  double last = 0;
  int calls = 0;
  ImportOptions options;
  options.progress = [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, last);
    last = fraction;
    ++calls;
    return true;
  };
  EXPECT_EQ(import_text(text, "t.csv", options).rows.imported, 400'000);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 4);
  options.progress = [](double fraction, std::string_view) { return fraction < 0.5; };
  EXPECT_THROW(import_text(text, "t.csv", options), Cancelled);
}

TEST(ImportChunks, ARecordMayLieAcrossTheirBorder) {
  // Fields of growing length make records fall on every offset of the 1 MiB border.
  std::string text = "note," + kHeader;
  std::int64_t expected = 0;
  for (int i = 0; text.size() < (3u << 20); ++i, ++expected) {
    text +=
        "\"" + std::string(static_cast<std::size_t>(i % 97), 'n') + "\n\"\"," + "\"," + std::to_string(i) + ",1,1\r\n";
  }
  const Trace trace = import_text(text);
  EXPECT_EQ(trace.rows.imported, expected);
  EXPECT_EQ(trace.rows.rejected, 0);
  EXPECT_EQ(trace.requests.back().arrival_ns, (expected - 1) * 1'000'000'000);
}

// Whatever the dirt, every row is accounted for, times do not fall and start at 0, and nothing is NaN.
RC_GTEST_PROP(ImportProperty, EveryRowIsAccountedFor, ()) {
  const std::vector<std::string> pieces = {"0",         "1",
                                           "2.5",       "-3",
                                           "1e3",       "nan",
                                           "\"1,024\"", "\"a\nb\"",
                                           "\"open",    "",
                                           " ",         "x\"y",
                                           "7,8",       "\t",
                                           "\r",        "\n",
                                           "\r\n",      ",",
                                           "1e400",     "99999999999",
                                           ";",         "arrival_s,input_tokens,output_tokens",
                                           "5,10,20\n", "6,30,40\n"};
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, pieces.size()));
  std::string text = kHeader + "0,10,5\n";
  for (const std::size_t pick : picks) text += pieces[pick] + (pick % 3 == 0 ? "," : "");
  const Trace trace = import_text(text);
  RC_ASSERT(trace.rows.read == trace.rows.imported + trace.rows.rejected + trace.rows.blank);
  RC_ASSERT(trace.rows.imported == static_cast<std::int64_t>(trace.requests.size()));
  RC_ASSERT(trace.rows.rejected == static_cast<std::int64_t>(trace.rejected.size()));
  RC_ASSERT(trace.requests.front().arrival_ns == 0);
  std::int64_t line = 1;
  for (const RejectedRow& row : trace.rejected) {
    RC_ASSERT(row.line > line);
    line = row.line;
  }
  for (std::size_t i = 1; i < trace.requests.size(); ++i) {
    RC_ASSERT(trace.requests[i].arrival_ns >= trace.requests[i - 1].arrival_ns);
  }
  const ArrivalStatistics s = trace.arrival_statistics();
  for (const auto& value : {s.rate_per_s, s.cv, s.resolution_s, s.dispersion_1s})
    RC_ASSERT(!value || std::isfinite(*value));
}

}  // namespace
}  // namespace weir::data
