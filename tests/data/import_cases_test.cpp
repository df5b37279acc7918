// The case files s01 to s20 with the results their expected.md gives. Cases of formats that are not read yet must end
// in an error that names what was found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "data/errors.h"
#include "data/import/trace_import.h"

namespace weir::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportCases : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* root = std::getenv("WEIR_FIELD_DATA");
    if (root == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set: the case files are not there";
    folder_ = std::filesystem::path(root) / "cases" / "traces";
    if (!std::filesystem::is_directory(folder_)) GTEST_SKIP() << folder_ << " is not there";
  }

  Trace import(const std::string& name, const ImportOptions& options = {}) const {
    return import_trace(folder_ / name, options);
  }

  std::string refusal(const std::string& name, const ImportOptions& options = {}) const {
    try {
      import(name, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

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

std::string sums(const Trace& trace) {
  std::int64_t input = 0, output = 0;
  for (const Request& request : trace.requests) {
    input += request.input_tokens;
    output += request.output_tokens;
  }
  return std::to_string(input) + " " + std::to_string(output);
}

std::string all_warnings(const Trace& trace) {
  std::string out;
  for (const std::string& warning : trace.warnings) out += warning + "\n";
  return out;
}

TEST_F(ImportCases, S01ZeroOutput) {
  const Trace trace = import("s01_zero_output.csv");
  EXPECT_EQ(trace.format, "azure-llm-2023");
  EXPECT_EQ(counts(trace), "7 = 6 + 1 + 0");
  EXPECT_EQ(trace.demand_count(), 4);
  EXPECT_EQ(trace.input_statistics().sum, 1809);
  EXPECT_EQ(trace.output_statistics().sum, 307);
  EXPECT_EQ(sums(trace), "2599 307");  // what an encoder sees
  EXPECT_EQ(trace.span_s(), 4);
  EXPECT_EQ(trace.rejected.at(0).line, 5);
  EXPECT_EQ(trace.rejected.at(0).reason, "no tokens");
  EXPECT_THAT(all_warnings(trace), HasSubstr("2 rows (lines 3, 7) with zero output"));
}

// Input tokens in order of time: 520, 1030, 1025, 600, 100, 512. Of 12 hashes 7 differ: 1 comes four times, 2 thrice.
TEST_F(ImportCases, S02OutOfOrderWithHashes) {
  const Trace trace = import("s02_out_of_order.jsonl");
  EXPECT_EQ(trace.format, "mooncake");
  EXPECT_EQ(counts(trace), "6 = 6 + 0 + 0");
  std::vector<int> input;
  for (const Request& request : trace.requests) input.push_back(request.input_tokens);
  EXPECT_THAT(input, ElementsAre(520, 1030, 1025, 600, 100, 512));
  EXPECT_THAT(arrivals(trace),
              ElementsAre(0, 3'000'000'000, 3'000'000'000, 4'000'000'000, 9'000'000'000, 12'000'000'000));
  EXPECT_THAT(all_warnings(trace), HasSubstr("2 rows (lines 2, 4) of 6 were earlier than the row before"));
  EXPECT_EQ(trace.tokens_per_hash, 512);
  EXPECT_THAT(trace.hashes_of(trace.requests[0]), ElementsAre(1, 3));  // hashes stay with their request
  EXPECT_THAT(trace.hashes_of(trace.requests[2]), ElementsAre(1, 2, 6));
  EXPECT_THAT(trace.hashes_of(trace.requests[5]), ElementsAre(7));
  EXPECT_EQ(trace.prefix_statistics().hashes, 12);
  EXPECT_EQ(trace.prefix_statistics().distinct, 7);
}

TEST_F(ImportCases, S03ByteOrderMarkCrlfAndMidnight) {
  const Trace trace = import("s03_bom_crlf_no_final_newline.csv");
  EXPECT_EQ(counts(trace), "3 = 3 + 0 + 0");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 876'543'200, 876'543'400));
  EXPECT_EQ(sums(trace), "6000 60");
  EXPECT_EQ(trace.origin.value_or(""), "2026-04-01 23:59:59.1234567");
}

TEST_F(ImportCases, S04OptionalFraction) {
  EXPECT_THAT(arrivals(import("s04_optional_fraction_and_offset.csv")),
              ElementsAre(0, 1'163'000, 1'000'000'000, 1'500'000'000));
}

TEST_F(ImportCases, S05QuotedFields) {
  const Trace trace = import("s05_quoted_fields.csv");
  EXPECT_EQ(counts(trace), "3 = 3 + 0 + 0");
  EXPECT_EQ(sums(trace), "13601 640");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 2'000'000'000, 3'000'000'000));
  EXPECT_EQ(trace.requests[1].input_tokens, 12500);
}

TEST_F(ImportCases, S06UnknownNamesMustBeMapped) {
  const std::string message = refusal("s06_semicolon_decimal_comma.csv");
  EXPECT_THAT(message, HasSubstr("columns found: zeit_s, eingabe_token, ausgabe_token, latenz_ms"));
  EXPECT_THAT(message, HasSubstr("arrival_s"));
}

TEST_F(ImportCases, S07Empty) { EXPECT_THAT(refusal("s07_empty.csv"), HasSubstr("the file is empty")); }

TEST_F(ImportCases, S08ShortLongAndBlankRows) {
  const Trace trace = import("s08_trailing_commas_and_short_rows.csv");
  EXPECT_EQ(counts(trace), "7 = 4 + 1 + 2");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 1'000'000'000, 3'000'000'000, 4'000'000'000));
  EXPECT_EQ(sums(trace), "1200 120");
  EXPECT_EQ(trace.rejected.at(0).line, 4);
  EXPECT_EQ(trace.rejected.at(0).reason, "missing output_length");
  EXPECT_THAT(all_warnings(trace), HasSubstr("1 row (line 5) with cells beyond"));
  EXPECT_THAT(all_warnings(trace), HasSubstr("read as milliseconds"));
}

TEST_F(ImportCases, S09DuplicateIds) {
  const Trace trace = import("s09_duplicate_ids.csv");
  EXPECT_EQ(counts(trace), "6 = 5 + 1 + 0");
  EXPECT_EQ(sums(trace), "1310 105");
  EXPECT_EQ(trace.span_s(), 3);
  EXPECT_EQ(trace.rejected.at(0).line, 4);
  EXPECT_THAT(all_warnings(trace), HasSubstr("1 request id is used by rows that differ"));
}

TEST_F(ImportCases, S10OverContext) {
  ImportOptions options;
  options.max_context_tokens = 131'072;
  const Trace trace = import("s10_over_context_and_overflow.jsonl", options);
  EXPECT_EQ(counts(trace), "5 = 3 + 2 + 0");
  EXPECT_EQ(trace.requests[0].status, RequestStatus::unknown);
  EXPECT_EQ(trace.requests[1].status, RequestStatus::over_context);
  EXPECT_EQ(trace.requests[2].status, RequestStatus::over_context);
  EXPECT_EQ(trace.demand_count(), 1);
  EXPECT_EQ(trace.rejected.at(0).line, 4);
  EXPECT_EQ(trace.rejected.at(1).line, 5);
  EXPECT_THAT(trace.rejected.at(1).reason, HasSubstr("implausible"));
  EXPECT_EQ(import("s10_over_context_and_overflow.jsonl").demand_count(), 3);
}

TEST_F(ImportCases, S11EpochUnits) {
  const Trace trace = import("s11_epoch_units.csv");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 1'100'000'000, 2'200'000'000, 3'300'000'000));
  EXPECT_THAT(all_warnings(trace), HasSubstr("the finest, ts_ns, was read"));
  EXPECT_THAT(all_warnings(trace), HasSubstr("the first arrival is 2026-03-02T09:00:00Z"));
}

TEST_F(ImportCases, S12ToS15AreNamed) {
  EXPECT_THAT(refusal("s12_vllm_append_result.json"), HasSubstr("is a vLLM benchmark result (benchmark), not a trace"));
  EXPECT_THAT(refusal("s13_prometheus_query_range.json"), HasSubstr("is a Prometheus query result (metrics)"));
  EXPECT_THAT(refusal("s14_nvidia_smi.csv"), HasSubstr("is an nvidia-smi log (metrics)"));
  EXPECT_THAT(refusal("s15_nginx_access.log"), HasSubstr("is a web server's access log (metrics)"));
}

TEST_F(ImportCases, S16BlankNullAndCutOff) {
  const Trace trace = import("s16_truncated_and_blank.jsonl");
  EXPECT_EQ(counts(trace), "7 = 3 + 2 + 2");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 1'000'000'000, 3'000'000'000));
  EXPECT_EQ(sums(trace), "70 7");
  EXPECT_EQ(trace.rejected.at(0).line, 5);
  EXPECT_EQ(trace.rejected.at(0).reason, "output_length is null");
  EXPECT_EQ(trace.rejected.at(1).line, 7);
  EXPECT_EQ(trace.rejected.at(1).reason, "unexpected end of line at column 31");
}

// ceil(64 / 16) = 4, ceil(80 / 16) = 5, ceil(70 / 16) = 5 hashes. Rows 2 and 3 repeat 4 and 3 blocks.
TEST_F(ImportCases, S18HashesOf16Tokens) {
  const Trace trace = import("s18_hash_block_mismatch.jsonl");
  EXPECT_EQ(counts(trace), "3 = 3 + 0 + 0");
  EXPECT_EQ(trace.tokens_per_hash, 16);
  EXPECT_THAT(all_warnings(trace), HasSubstr("each prefix hash stands for 16 tokens, as their numbers say"));
  EXPECT_EQ(trace.prefix_statistics().hashes - trace.prefix_statistics().distinct, 4 + 3);
  EXPECT_EQ(sums(trace), "214 24");
}

TEST_F(ImportCases, S17BelongsToALaterFormat) {
  EXPECT_THAT(refusal("s17_burstgpt3_inserted_columns.csv"), HasSubstr("BurstGPT"));
}

TEST_F(ImportCases, S19DigitsLostInASpreadsheet) {
  const std::string message = refusal("s19_excel_mangled_epoch.csv");
  EXPECT_THAT(message, HasSubstr("has lost its last digits, as when a spreadsheet saves it"));
  EXPECT_THAT(message, HasSubstr("bring the lengths only"));
}

TEST_F(ImportCases, S20GzipAndImages) {
  const Trace trace = import("s20_multimodal.csv.gz");
  EXPECT_EQ(trace.format, "azure-llm-2023");
  EXPECT_THAT(arrivals(trace), ElementsAre(0, 5'550'000'000, 6'244'000'000, 6'244'000'000));
  EXPECT_EQ(sums(trace), "6361 759");
  std::vector<int> images;
  for (const Request& request : trace.requests) images.push_back(request.items);
  EXPECT_THAT(images, ElementsAre(0, 1, 16, 0));
  EXPECT_EQ(trace.origin.value_or(""), "2026-02-01T12:00:00.269Z");
}

}  // namespace
}  // namespace weir::data
