// The sample trace that ships, against the published statistics it was drawn from.
#include <gtest/gtest.h>

#include <cstdlib>

#include "data/embedded.h"
#include "data/import/trace_import.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(WEIR_SOURCE_DIR) / "data" / "traces";

TEST(SampleTrace, HasThePublishedStatistics) {
  const Trace trace = import_trace(kFolder / "sample-chat.csv");
  EXPECT_EQ(trace.format, "plain-csv");
  EXPECT_EQ(trace.rows.read, 10073);
  EXPECT_EQ(trace.rows.imported, 10073);
  EXPECT_TRUE(trace.warnings.empty());
  // Lengths are drawn from equal slices of probability, so their means and percentiles are nearly the published ones;
  // arrivals are one draw of a process, whose rate over 1,800 s varies by about 1.2 % and dispersion by about 4 %.
  constexpr double kLengths = 0.005, kRate = 0.03, kDispersion = 0.10;
  const ColumnStatistics in = trace.input_statistics(), out = trace.output_statistics();
  EXPECT_NEAR(in.mean / 1154.697, 1, kLengths);
  EXPECT_NEAR(in.p50 / 1020, 1, kLengths);
  EXPECT_NEAR(in.p95 / 4083, 1, kLengths);
  EXPECT_NEAR(in.p99 / 4142, 1, kLengths);
  EXPECT_LE(in.max, 14050);
  EXPECT_NEAR(out.mean / 211.126, 1, kLengths);
  EXPECT_NEAR(out.p50 / 129, 1, kLengths);
  EXPECT_NEAR(out.p95 / 451, 1, kLengths);
  EXPECT_NEAR(out.p99 / 601, 1, kLengths);
  EXPECT_LE(out.max, 1000);
  const ArrivalStatistics arrivals = trace.arrival_statistics();
  EXPECT_NEAR(*arrivals.rate_per_s / 5.5304, 1, kRate);
  EXPECT_NEAR(*arrivals.dispersion_1s / 1.39, 1, kDispersion);
}

TEST(SampleTrace, TravelsInTheBinary) {
  EXPECT_EQ(embedded_file("traces/sample-chat.csv"), read_text(kFolder / "sample-chat.csv"));
}

TEST(SampleTrace, IsWhatItsGeneratorWrites) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
  const TemporaryFolder folder;
  const auto made = folder.path() / "made.csv";
  const std::string command =
      "python3 '" + (kFolder / "make_sample_trace.py").string() + "' --out '" + made.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_text(made), read_text(kFolder / "sample-chat.csv"));
}

}  // namespace
}  // namespace weir::data
