// The published traces, every figure of golden.md to the digits printed there.
#include <gtest/gtest.h>

#include <cstdlib>

#include "data/errors.h"
#include "data/import/trace_import.h"

namespace weir::data {
namespace {

std::filesystem::path traces_folder() {
  const char* root = std::getenv("WEIR_FIELD_DATA");
  return root == nullptr ? std::filesystem::path() : std::filesystem::path(root) / "data" / "traces";
}

struct GoldenColumn {
  double mean, p50, p95, p99, max, sum;
};

struct GoldenTrace {
  const char* file;
  const char* format;
  std::int64_t requests;
  double span_s, rate_per_s;
  std::int64_t busiest_minute;
  double dispersion_1s;
  GoldenColumn input, output;
};

void PrintTo(const GoldenTrace& golden, std::ostream* out) { *out << golden.file; }

// Half of the last digit that golden.md prints.
constexpr double kHalfThousandth = 0.0005, kHalfTenThousandth = 0.00005, kHalfHundredth = 0.005;

constexpr GoldenColumn kCodeInput{2047.848, 1469, 7303.3, 7436, 7437, 18059974};
constexpr GoldenColumn kCodeOutput{27.883, 13, 90, 251.46, 1899, 245896};
constexpr GoldenColumn kConvInput{1154.697, 1020, 4083, 4142, 14050, 22361870};
constexpr GoldenColumn kConvOutput{211.126, 129, 451, 601, 1000, 4088665};
constexpr GoldenTrace kGolden[] = {
    {"azure-llm-2023/AzureLLMInferenceTrace_code.csv", "azure-llm-2023", 8819, 3435.948, 2.5667, 632, 13.18, kCodeInput,
     kCodeOutput},
    {"azure-llm-2023/AzureLLMInferenceTrace_conv.csv", "azure-llm-2023", 19366, 3501.722, 5.5304, 507, 1.39, kConvInput,
     kConvOutput},
    {"vidur/splitwise_code.csv", "vidur", 8819, 3435.948, 2.5667, 632, 13.18, kCodeInput, kCodeOutput},
    {"vidur/splitwise_conv.csv", "vidur", 19366, 3501.722, 5.5304, 507, 1.39, kConvInput, kConvOutput},
    {"mooncake-fast25/conversation_trace.jsonl",
     "mooncake",
     12031,
     3536.999,
     3.4015,
     247,
     7.89,
     {12035.061, 6909, 39550.5, 85400.4, 126195, 144793823},
     {342.619, 350, 698, 1118.5, 2000, 4122048}},
    {"llmservingsim-bench/workload_me2_01_mixed.jsonl",
     "plain-jsonl",
     608,
     60.898,
     9.9838,
     601,
     0.87,
     {9217.766, 2909.5, 26411.8, 28447.5, 31383, 5604402},
     {3021.387, 873.5, 13045.4, 15038.7, 15890, 1837003}},
    {"llmservingsim-bench/sharegpt-llama-3.1-8b-300-sps10.lengths.jsonl",
     "plain-jsonl",
     300,
     29.137,
     10.2962,
     300,
     0.91,
     {857.463, 731.5, 1748.9, 2765.2, 3998, 257239},
     {652.510, 632, 773, 784.12, 1021, 195753}},
};

class ImportGolden : public ::testing::TestWithParam<GoldenTrace> {};

void expect_column(const ColumnStatistics& found, const GoldenColumn& golden) {
  EXPECT_NEAR(found.mean, golden.mean, kHalfThousandth);
  EXPECT_NEAR(found.p50, golden.p50, kHalfHundredth);
  // One digit is printed where one is enough; 7303.3 and 13045.4 are rounded to it.
  EXPECT_NEAR(found.p95, golden.p95, 0.05);
  EXPECT_NEAR(found.p99, golden.p99, golden.p99 == 251.46 ? kHalfHundredth : 0.05);
  EXPECT_EQ(found.max, golden.max);
  EXPECT_EQ(found.sum, golden.sum);
}

TEST_P(ImportGolden, EveryFigure) {
  const GoldenTrace& golden = GetParam();
  const std::filesystem::path file = traces_folder() / golden.file;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << golden.file << " is not there: set WEIR_FIELD_DATA";
  const Trace trace = import_trace(file);
  EXPECT_EQ(trace.format, golden.format);
  EXPECT_EQ(trace.rows.read, golden.requests);
  EXPECT_EQ(trace.rows.imported, golden.requests);
  EXPECT_EQ(trace.rows.rejected + trace.rows.blank, 0);
  EXPECT_EQ(trace.demand_count(), golden.requests);
  EXPECT_NEAR(trace.span_s(), golden.span_s, kHalfThousandth);
  const ArrivalStatistics arrivals = trace.arrival_statistics();
  EXPECT_NEAR(*arrivals.rate_per_s, golden.rate_per_s, kHalfTenThousandth);
  EXPECT_EQ(*arrivals.busiest_minute, golden.busiest_minute);
  EXPECT_NEAR(*arrivals.dispersion_1s, golden.dispersion_1s, kHalfHundredth);
  expect_column(trace.input_statistics(), golden.input);
  expect_column(trace.output_statistics(), golden.output);
}

INSTANTIATE_TEST_SUITE_P(Traces, ImportGolden, ::testing::ValuesIn(kGolden), [](const auto& param) {
  std::string name = std::filesystem::path(param.param.file).stem().string();
  for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
  return name;
});

// golden.md: 288,500 blocks of which 182,790 differ, 36.64% seen before; 1,180 times, up to 28 requests at once.
TEST(ImportGoldenPrefixes, MooncakeConversation) {
  const std::filesystem::path file = traces_folder() / "mooncake-fast25" / "conversation_trace.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there: set WEIR_FIELD_DATA";
  const Trace trace = import_trace(file);
  EXPECT_EQ(trace.tokens_per_hash, 512);
  const PrefixStatistics prefix = trace.prefix_statistics();
  EXPECT_EQ(prefix.hashes, 288'500);
  EXPECT_EQ(prefix.distinct, 182'790);
  EXPECT_NEAR(*prefix.seen_before(), 0.3664, 0.00005);
  for (const Request& request : trace.requests) {
    const auto hashes = trace.hashes_of(request);
    ASSERT_EQ(hashes.size(), static_cast<std::size_t>((request.input_tokens + 511) / 512));
    ASSERT_EQ(hashes.front(), 0u);
  }
  const ArrivalStatistics arrivals = trace.arrival_statistics();
  EXPECT_EQ(arrivals.ties, 12'031 - 1'180);
  EXPECT_EQ(arrivals.most_at_once, 28);
  EXPECT_NEAR(*arrivals.step_s, 3, 0.01);
  EXPECT_TRUE(arrivals.coarse_clock);
  ASSERT_EQ(trace.warnings.size(), 1u);
  EXPECT_NE(trace.warnings[0].find("10851 rows share the time of the row before (up to 28 at once"), std::string::npos);
}

TEST(ImportGoldenPairs, VidurEqualsAzureRequestByRequest) {
  const std::filesystem::path folder = traces_folder();
  if (!std::filesystem::exists(folder / "vidur"))
    GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder that holds data/traces";
  for (const char* kind : {"code", "conv"}) {
    const std::string name(kind);
    const Trace azure = import_trace(folder / "azure-llm-2023" / ("AzureLLMInferenceTrace_" + name + ".csv"));
    const Trace vidur = import_trace(folder / "vidur" / ("splitwise_" + name + ".csv"));
    ASSERT_EQ(azure.requests.size(), vidur.requests.size());
    for (std::size_t i = 0; i < azure.requests.size(); ++i) {
      const Request &a = azure.requests[i], &v = vidur.requests[i];
      ASSERT_EQ(a.arrival_ns, v.arrival_ns) << name << " request " << i;
      ASSERT_EQ(a.input_tokens, v.input_tokens) << name << " request " << i;
      ASSERT_EQ(a.output_tokens, v.output_tokens) << name << " request " << i;
    }
    EXPECT_EQ(azure.arrival_statistics().resolution_s, 1e-6);  // the seventh digit is always 0
  }
}

TEST(ImportGoldenPairs, VidursLengthsAloneAreRefusedWithAWord) {
  const auto file = traces_folder() / "vidur" / "arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder that holds data/traces";
  try {
    import_trace(file);
    FAIL() << "a file without arrivals was imported";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has lengths but no arrival times"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weir::data
