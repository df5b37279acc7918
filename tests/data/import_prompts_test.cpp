// What prompts hold and who sends them: prefix hashes, sessions, turns, clients; and times of a coarse clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "data/errors.h"
#include "data/import/trace_import.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Trace import_text(const std::string& text, const ImportOptions& options = {}) {
  const TemporaryFolder folder;
  return import_trace(folder.write("trace.txt", text), options);
}

std::string refusal(const std::string& text, const ImportOptions& options = {}) {
  try {
    import_text(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A row as Mooncake writes it.
std::string row(const std::string& timestamp, int input, const std::string& hashes) {
  return "{\"timestamp\": " + timestamp + ", \"input_length\": " + std::to_string(input) +
         ", \"output_length\": 3, \"hash_ids\": " + hashes + "}\n";
}

std::vector<std::uint64_t> hashes(const Trace& trace, std::size_t request) {
  const auto found = trace.hashes_of(trace.requests.at(request));
  return {found.begin(), found.end()};
}

const Prompt& prompt(const Trace& trace, std::size_t request) {
  return trace.prompts.at(static_cast<std::size_t>(trace.requests.at(request).prompt));
}

std::string all_warnings(const Trace& trace) {
  std::string out;
  for (const std::string& warning : trace.warnings) out += warning + "\n";
  return out;
}

TEST(ImportHashes, AreKeptTo64Bits) {
  const Trace trace =
      import_text(row("0", 1100, "[0, 18446744073709551615, -1]") + row("7", 20, "[9223372036854775807]"));
  EXPECT_EQ(trace.format, "mooncake");
  EXPECT_EQ(trace.tokens_per_hash, 512);
  EXPECT_THAT(hashes(trace, 0), ElementsAre(0, std::numeric_limits<std::uint64_t>::max(),
                                            std::numeric_limits<std::uint64_t>::max()));  // -1 has the same 64 bits
  EXPECT_THAT(hashes(trace, 1), ElementsAre(9223372036854775807U));
  EXPECT_EQ(trace.requests[1].arrival_ns, 7'000'000);  // milliseconds
  EXPECT_THAT(trace.warnings, IsEmpty());
}

TEST(ImportHashes, ARowMayHaveNone) {
  const Trace trace = import_text(row("0", 600, "[1, 2]") + row("1", 600, "[]") + row("2", 600, "null") +
                                  "{\"timestamp\": 3, \"input_length\": 600, \"output_length\": 3}\n");
  EXPECT_EQ(trace.rows.imported, 4);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_THAT(hashes(trace, i), IsEmpty());
    EXPECT_EQ(trace.requests[i].prompt, -1);
  }
}

TEST(ImportHashes, ListsOfOtherThingsRejectTheirRow) {
  const Trace trace = import_text(row("0", 600, "[1, 2]") + row("1", 600, "[1, \"2\"]") + row("2", 600, "[1.5, 2]") +
                                  row("3", 600, "[1, [2]]") + row("4", 600, "{\"a\": 1}") + row("5", 600, "[1, null]") +
                                  row("6", 600, "[1, 18446744073709551616]") + row("7", 600, "[3, 4]"));
  EXPECT_EQ(trace.rows.read, 8);
  EXPECT_EQ(trace.rows.imported, 2);
  ASSERT_EQ(trace.rejected.size(), 6u);
  for (const RejectedRow& rejected : trace.rejected) {
    EXPECT_EQ(rejected.reason, "hash_ids is not a list of whole numbers") << rejected.line;
  }
  EXPECT_THAT(hashes(trace, 1), ElementsAre(3, 4));
  EXPECT_EQ(trace.hashes.size(), 4u);  // nothing of a rejected row
}

// 16 fits 33 tokens with 3 hashes; 32 with 2. A prompt of 16 or fewer is one block whatever the size.
TEST(ImportHashes, TheirSizeIsFoundFromTheirNumber) {
  EXPECT_EQ(import_text(row("0", 33, "[1, 2, 3]") + row("1", 9, "[4]")).tokens_per_hash, 16);
  EXPECT_EQ(import_text(row("0", 33, "[1, 2]") + row("1", 9, "[4]")).tokens_per_hash, 32);
  EXPECT_EQ(import_text(row("0", 2048, "[1, 2]")).tokens_per_hash, 1024);
  EXPECT_EQ(import_text(row("0", 9, "[4]")).tokens_per_hash, 16);
}

TEST(ImportHashes, AsksForASizeThatCannotBeFound) {
  const std::string odd = row("0", 600, "[1, 2]") + row("1", 600, "[1, 2, 3]") + row("2", 600, "[1, 4]");
  EXPECT_THAT(refusal(odd), HasSubstr("trace.txt: line 2: its number of prefix hashes fits no block"));
  EXPECT_THAT(refusal(odd), HasSubstr("--tokens-per-hash"));
  EXPECT_THAT(refusal(row("0", 600, "[1]") + row("1", 600, "[1]")), "no error");  // 1,024
  ImportOptions options;
  options.tokens_per_hash = 512;
  const Trace trace = import_text(odd, options);
  EXPECT_EQ(trace.tokens_per_hash, 512);
  EXPECT_THAT(hashes(trace, 1), ElementsAre(1, 2));  // the third is beyond the prompt
  EXPECT_THAT(all_warnings(trace), HasSubstr("1 row (line 2) whose number of prefix hashes does not fit"));
  EXPECT_THAT(all_warnings(trace), ::testing::Not(HasSubstr("each prefix hash")));
  options.tokens_per_hash = 300;
  EXPECT_THAT(all_warnings(import_text(odd, options)), HasSubstr("each prefix hash stands for 300 tokens\n"));
}

TEST(ImportHashes, MooncakeTimesAreWholeMilliseconds) {
  EXPECT_THAT(refusal(row("0.5", 600, "[1, 2]") + row("1.25", 600, "[1, 2]")), HasSubstr("do not say their unit"));
  EXPECT_EQ(import_text(row("1772442000000", 600, "[1, 2]") + row("1772442000250", 600, "[1, 2]")).span_s(), 0.25);
}

TEST(ImportHashes, FormatsAreNamedOrRefused) {
  ImportOptions options;
  options.format = "mooncake";
  EXPECT_THAT(refusal("arrival_s,input_tokens,output_tokens\n0,1,1\n", options),
              HasSubstr("mooncake needs a JSONL file with timestamp, input_length, output_length, hash_ids"));
  EXPECT_EQ(import_text(row("0", 5, "[1]"), options).format, "mooncake");
  options.format = "plain-jsonl";
  EXPECT_EQ(import_text(row("0", 5, "[1]"), options).format, "plain-jsonl");
  EXPECT_THAT(
      refusal("{\"chat_id\": 1, \"timestamp\": 1.5, \"input_length\": 2, \"output_length\": 3, \"hash_ids\": [1]}\n"),
      HasSubstr("has the columns of a Qwen-Bailian trace"));
}

TEST(ImportHashes, PlainTracesHavePrefixBlocks) {
  const Trace lines = import_text(
      "{\"arrival_s\": 0, \"input_tokens\": 40, \"output_tokens\": 1, \"prefix_blocks\": [7, 8, 9]}\n"
      "{\"arrival_s\": 1, \"input_tokens\": 20, \"output_tokens\": 1, \"prefix_blocks\": [7, 8]}\n");
  EXPECT_EQ(lines.format, "plain-jsonl");
  EXPECT_EQ(lines.tokens_per_hash, 16);
  EXPECT_THAT(hashes(lines, 1), ElementsAre(7, 8));
  const Trace table = import_text(
      "arrival_s,input_tokens,output_tokens,prefix_blocks\n0,40,1,7 8 9\n1,20,1,\"7,8\"\n2,20,1,\"[7; 8]\"\n3,20,1,\n"
      "4,20,1,7 x\n");
  EXPECT_THAT(hashes(table, 0), ElementsAre(7, 8, 9));
  EXPECT_THAT(hashes(table, 1), ElementsAre(7, 8));
  EXPECT_THAT(hashes(table, 2), ElementsAre(7, 8));
  EXPECT_THAT(hashes(table, 3), IsEmpty());
  EXPECT_EQ(table.rejected.at(0).reason, "prefix_blocks is not a list of whole numbers");
}

TEST(ImportHashes, ThePreviewShowsTheFirst) {
  std::vector<ImportedColumn> columns;
  ImportOptions options;
  options.columns = &columns;
  std::string list = "[100";
  for (int i = 101; i < 200; ++i) list += ", " + std::to_string(i);
  import_text(row("0", 51'200, list + "]"), options);
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[3].meaning, "prefix hashes");
  EXPECT_EQ(columns[3].values.at(0), "100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 ...");
}

TEST(ImportSessions, EqualNamesAreEqualNumbers) {
  const Trace trace = import_text(
      "arrival_s,input_tokens,output_tokens,session,turn,client\n"
      "0,10,1,abc,1,ann\n1,20,1,abc,2,ann\n2,10,1,17,,bob\n3,10,1,,,\n4,10,1,abc,3,bob\n5,10,1,abc,-4,ann\n");
  EXPECT_EQ(trace.rows.imported, 5);
  EXPECT_EQ(prompt(trace, 0).session, prompt(trace, 1).session);
  EXPECT_EQ(prompt(trace, 0).session, prompt(trace, 4).session);
  EXPECT_NE(prompt(trace, 0).session, prompt(trace, 2).session);
  EXPECT_EQ(prompt(trace, 1).turn, 2);
  EXPECT_EQ(prompt(trace, 2).turn, -1);
  EXPECT_EQ(trace.requests[3].prompt, -1);
  EXPECT_EQ(trace.requests[0].client, trace.requests[1].client);
  EXPECT_EQ(trace.requests[2].client, trace.requests[4].client);
  EXPECT_NE(trace.requests[0].client, trace.requests[2].client);
  EXPECT_EQ(trace.requests[3].client, -1);
  EXPECT_EQ(trace.rejected.at(0).reason, "turn: \"-4\" is negative");
  EXPECT_EQ(trace.prefix_statistics().sessions, 2);
  EXPECT_EQ(trace.prefix_statistics().clients, 2);
  EXPECT_FALSE(trace.prefix_statistics().seen_before());
}

TEST(ImportSessions, KeysThatComeLateAreRead) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "{\"arrival_s\": " + std::to_string(i) + ", \"input_tokens\": 20, \"output_tokens\": 1}\n";
  }
  text +=
      "{\"arrival_s\": 400, \"input_tokens\": 20, \"output_tokens\": 1, \"session\": 5, \"prefix_blocks\": [1, 2]}\n";
  const Trace trace = import_text(text);
  EXPECT_EQ(trace.requests[0].prompt, -1);
  EXPECT_THAT(hashes(trace, 300), ElementsAre(1, 2));
  EXPECT_EQ(prompt(trace, 300).session, 0);
}

/// 30 rows, `at_once` at every `step_ms`.
std::string bursts(int at_once, int step_ms) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += row(std::to_string(i / at_once * step_ms), 600, "[1, 2]");
  return text;
}

// Bursts of 3 every 3.001 s: 10 times, so 20 of 30 rows are ties; the grid is 3.001 s.
TEST(ImportClock, ManyTiesAreReported) {
  const Trace coarse = import_text(bursts(3, 250));
  EXPECT_EQ(coarse.arrival_statistics().ties, 20);
  EXPECT_EQ(coarse.arrival_statistics().most_at_once, 3);
  EXPECT_EQ(coarse.arrival_statistics().step_s, 0.25);
  EXPECT_THAT(all_warnings(coarse),
              HasSubstr("20 rows share the time of the row before (up to 3 at once; different times are mostly 250 ms "
                        "apart): bursts at these times may be an artefact of the file's clock"));
  EXPECT_THAT(all_warnings(import_text(bursts(3, 3000))), HasSubstr("times lie on a grid of 3 s and 20 rows share"));
  EXPECT_THAT(import_text(bursts(3, 50)).warnings, IsEmpty());   // a fine clock of a busy service
  EXPECT_THAT(import_text(bursts(1, 250)).warnings, IsEmpty());  // no ties
}

std::string mooncake_rows(const std::vector<std::string>& times) {
  std::string text;
  for (const std::string& time : times) {
    text += "{\"timestamp\": " + time + R"(, "input_length": 512, "output_length": 10, "hash_ids": [0]})" + "\n";
  }
  return text;
}

// One broken time in forty whole numbers of milliseconds is a broken row, not a column of seconds.
TEST(ImportMooncake, ATimeThatIsNotWholeRejectsItsRow) {
  const TemporaryFolder folder;
  std::vector<std::string> times;
  for (int i = 0; i < 40; ++i) times.push_back(std::to_string(3000 * i));
  times[7] = "21000.5";
  const Trace trace = import_trace(folder.write("m.jsonl", mooncake_rows(times)));
  EXPECT_EQ(trace.rows.imported, 39);
  ASSERT_EQ(trace.rejected.size(), 1u);
  EXPECT_EQ(trace.rejected[0].line, 8);
  EXPECT_EQ(trace.rejected[0].reason, "timestamp is not a whole number of milliseconds");
  // With many it is a column whose unit is not known.
  for (std::size_t i = 0; i < 20; ++i) times[i] = std::to_string(3000 * i) + ".5";
  EXPECT_THROW(import_trace(folder.write("s.jsonl", mooncake_rows(times))), InputError);
}

TEST(ImportMooncake, RowsAtOneTimeAreNamed) {
  const TemporaryFolder folder;
  const Trace trace = import_trace(folder.write("m.jsonl", mooncake_rows(std::vector<std::string>(200, "0"))));
  EXPECT_TRUE(trace.arrival_statistics().coarse_clock);
  EXPECT_THAT(trace.warnings, ::testing::Contains("all 200 rows share one time: they arrive at once"));
}

}  // namespace
}  // namespace weir::data
