#include "data/efficiency.h"

#include <gtest/gtest.h>

#include <string>

#include "data/catalog.h"
#include "data/errors.h"

namespace weir::data {
namespace {

const EfficiencyTable& table() { return EfficiencyTable::builtin(); }

TEST(EfficiencyTable, EveryRowIsAShareWithASource) {
  ASSERT_GT(table().rows().size(), 50u);
  for (const Efficiency& row : table().rows()) {
    EXPECT_GT(row.n, 0);
    EXPECT_GT(row.p10, 0) << row.source;
    EXPECT_LE(row.p10, row.median) << row.source;
    EXPECT_LE(row.median, row.p90) << row.source;
    EXPECT_LE(row.p90, 1) << row.source;
    EXPECT_FALSE(row.source.empty());
  }
}

TEST(EfficiencyTable, OwnRowsComeFirst) {
  const Efficiency ampere = table().find("Ampere", "gemm", Precision::fp16);
  EXPECT_EQ(ampere.architecture, "Ampere");
  EXPECT_EQ(ampere.evidence, Evidence::measured_elsewhere);
  EXPECT_EQ(table().find("Ampere", "gemm", Precision::bf16).median, ampere.median);  // the same units
  const Efficiency h20 = table().find("Hopper", "h20-96gb", "gemm_memory", Precision::fp8);
  EXPECT_EQ(h20.hardware, "h20-96gb");
  EXPECT_LT(h20.median, table().find("Hopper", "gemm_memory", Precision::fp8).median);
}

TEST(EfficiencyTable, MissingRowsAreBorrowedAndSaySo) {
  const Efficiency precision = table().find("Ada", "gemm_memory", Precision::fp32);
  EXPECT_EQ(precision.evidence, Evidence::assumption);
  EXPECT_NE(precision.source.find("no rows in fp32"), std::string::npos) << precision.source;
  const Efficiency architecture = table().find("CDNA 3", "gemm", Precision::fp16);
  EXPECT_EQ(architecture.architecture, "*");
  EXPECT_EQ(architecture.evidence, Evidence::assumption);
  EXPECT_NE(architecture.source.find("no rows of the architecture CDNA 3"), std::string::npos) << architecture.source;
}

TEST(EfficiencyTable, T4DoesNotReachTheSharesOfDatacentreParts) {
  const Efficiency t4 = table().find("Turing", "t4", "gemm", Precision::fp16);
  EXPECT_EQ(t4.evidence, Evidence::assumption);
  EXPECT_LT(t4.median, 0.6 * table().find("Ampere", "gemm", Precision::fp16).median);
}

TEST(EfficiencyTable, EnginesAreKnownByName) {
  EXPECT_LT(table().engine("compiled-graphs").host_s, table().engine("eager").host_s);
  try {
    table().engine("compiled-graph");
    FAIL() << "an unknown engine was found";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("compiled-graphs"), std::string::npos) << error.what();
  }
}

TEST(EfficiencyTable, EveryAcceleratorOfTheCatalogueFindsItsShares) {
  for (const Accelerator& accelerator : Catalog::builtin().accelerators()) {
    for (const char* op : {"gemm", "gemm_memory", "attention_prefill", "attention_decode", "encoder"}) {
      EXPECT_GT(table().find(accelerator.architecture, accelerator.id, op, Precision::int8).median, 0)
          << accelerator.id;
    }
  }
}

TEST(EfficiencyTable, EveryCollectiveHasLinesErrorsAndASource) {
  ASSERT_GT(table().collectives().size(), 25u);
  for (const CollectiveFit& fit : table().collectives()) {
    EXPECT_GT(fit.n, 5) << fit.source;
    EXPECT_GT(fit.held_out, 5) << fit.source;
    EXPECT_LT(fit.error_p50, 0.25) << fit.link << ' ' << fit.architecture << ' ' << fit.kernels << ' ' << fit.op;
    EXPECT_GE(fit.error_p80, fit.error_p50) << fit.source;
    EXPECT_FALSE(fit.source.empty());
  }
}

TEST(EfficiencyTable, CollectivesAreOfTheArchitectureAndOfNcclWhereThereAreNoOthers) {
  const CollectiveFit own = table().collective("nvlink", "Hopper", "custom-graph", "all_reduce");
  EXPECT_EQ(own.architecture, "Hopper");
  EXPECT_EQ(own.evidence, Evidence::measured_elsewhere);
  EXPECT_EQ(own.most_bytes, 8388607);
  const CollectiveFit borrowed = table().collective("nvlink", "Blackwell", "custom-graph", "all_reduce");
  EXPECT_EQ(borrowed.architecture, "*");
  EXPECT_EQ(borrowed.evidence, Evidence::assumption);
  EXPECT_EQ(borrowed.source.rfind("no rows of the architecture Blackwell: ", 0), 0u) << borrowed.source;
  EXPECT_EQ(table().collective("nvlink", "Hopper", "custom-graph", "all_gather").kernels, "nccl");
}

}  // namespace
}  // namespace weir::data
