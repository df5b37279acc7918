// Token counts.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/workload/length_source.h"

namespace weir::sim {
namespace {

std::map<int, double> counts(const data::LengthDistribution& lengths, int n) {
  LengthSource source(lengths, "/x", 3, "lengths");
  std::map<int, double> seen;
  for (int i = 0; i < n; ++i) ++seen[source.draw()];
  return seen;
}

// k^-1 over 2..5: weights 30, 20, 15, 12 of 77.
TEST(ZipfLengths, HaveTheirFrequencies) {
  data::LengthDistribution zipf{.distribution = "zipf", .exponent = 1, .least = 2, .most = 5};
  const auto seen = counts(zipf, 77'000);
  ASSERT_EQ(seen.size(), 4u);
  const std::map<int, double> expected{{2, 30'000}, {3, 20'000}, {4, 15'000}, {5, 12'000}};
  for (const auto& [k, n] : expected) EXPECT_NEAR(seen.at(k), n, 4 * std::sqrt(n)) << k;
  EXPECT_NEAR(LengthLaw(zipf, "/x").mean(), (2 * 30 + 3 * 20 + 4 * 15 + 5 * 12) / 77.0, 1e-12);
}

TEST(ZipfLengths, ExponentZeroIsUniform) {
  const auto seen = counts({.distribution = "zipf", .exponent = 0, .least = 1, .most = 4}, 40'000);
  for (const auto& [k, n] : seen) EXPECT_NEAR(n, 10'000, 4 * std::sqrt(7500.0)) << k;
}

TEST(EmpiricalLengths, HaveTheirWeights) {
  data::LengthDistribution table{.distribution = "empirical"};
  table.values = {10, 700, 20};
  table.weights = {1, 3, 0};
  const auto seen = counts(table, 40'000);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_NEAR(seen.at(10), 10'000, 4 * std::sqrt(7500.0));
  EXPECT_NEAR(seen.at(700), 30'000, 4 * std::sqrt(7500.0));
}

// Mean 4: k with probability 1/4 (3/4)^(k-1).
TEST(GeometricLengths, HaveTheirFrequencies) {
  const auto seen = counts({.distribution = "geometric", .mean = 4}, 100'000);
  EXPECT_NEAR(seen.at(1), 25'000, 4 * std::sqrt(18'750.0));
  EXPECT_NEAR(seen.at(2), 18'750, 4 * std::sqrt(15'234.0));
  double sum = 0;
  for (const auto& [k, n] : seen) sum += k * n;
  EXPECT_NEAR(sum / 100'000, 4, 4 * std::sqrt(12.0 / 100'000));
  EXPECT_EQ(counts({.distribution = "geometric", .mean = 1}, 100).size(), 1u);
}

}  // namespace
}  // namespace weir::sim
