#include "sim/metrics/batch_means.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "sim/core/random.h"
#include "sim/metrics/student.h"

namespace weir::sim {
namespace {

void add(BatchMeans& to, std::uint64_t index, std::int64_t ticks) {
  to.add({std::vector<std::uint64_t>{index}, index, index, std::vector<std::int64_t>{ticks}, ticks});
}

// Tables of the t distribution, two-sided 99%.
TEST(Student, MatchesTheTables) {
  EXPECT_NEAR(student_99(1), 63.657, 5e-4);
  EXPECT_NEAR(student_99(4), 4.604, 5e-4);
  EXPECT_NEAR(student_99(19), 2.861, 5e-4);
  EXPECT_NEAR(student_99(40), 2.704, 5e-4);
  EXPECT_NEAR(student_99(60), 2.660, 5e-4);
  EXPECT_NEAR(student_99(120), 2.617, 5e-4);
  EXPECT_NEAR(student_99(1'000'000), 2.5758, 1e-4);
  for (int n = 2; n < 100; ++n) EXPECT_LT(student_99(n), student_99(n - 1)) << n;
}

// 1,280 requests: batches grow to 32, 40 of them; joined once more, 20 of 64. Batch i constant at i: the means are
// 0..19, their variance is (20^2 - 1)/12 x 20/19 = 35, and the half-width t x sqrt(35/20) with t(0.995, 19) = 2.860935.
TEST(BatchMeans, HalfWidthOfTwentyBatches) {
  BatchMeans batches;
  for (std::uint64_t i = 0; i < 1280; ++i) add(batches, i, static_cast<std::int64_t>(i / 64) * 1000);
  EXPECT_EQ(batches.count(), 1280);
  EXPECT_EQ(batches.sum_ticks(), 64 * 190 * 1000);
  ASSERT_TRUE(batches.half_width_99().has_value());
  EXPECT_NEAR(*batches.half_width_99(), 1000 * 2.860935 * std::sqrt(35.0 / 20), 1e-2);
}

// The 21st batch of 64 has begun, with a value far off: it is not full and is left out.
TEST(BatchMeans, ABatchThatIsNotFullIsLeftOut) {
  BatchMeans batches;
  for (std::uint64_t i = 0; i < 1280; ++i) add(batches, i, static_cast<std::int64_t>(i / 64) * 1000);
  const auto before = batches.half_width_99();
  add(batches, 1280, 1'000'000'000);
  EXPECT_EQ(batches.half_width_99(), before);
}

TEST(BatchMeans, TooFewValuesOrBatchesGiveNoInterval) {
  BatchMeans few, sparse;
  for (std::uint64_t i = 0; i < 999; ++i) add(few, i, 1);
  EXPECT_FALSE(few.half_width_99().has_value());
  // 2,000 values, but all within 10 of the 20 batches that the demand makes.
  for (std::uint64_t i = 0; i < 2000; ++i) add(sparse, i, 1);
  add(sparse, 4095, 1);
  EXPECT_FALSE(sparse.half_width_99().has_value());
}

// Every other batch holds twice as many values; values are constant, so the mean is sure.
TEST(BatchMeans, UnevenBatchesOfEqualValuesAreSure) {
  BatchMeans batches;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    if (i / 128 % 2 == 0 || i % 2 == 0) add(batches, i, 700);
  }
  EXPECT_DOUBLE_EQ(batches.half_width_99().value(), 0);
}

TEST(BatchMeans, OrderDoesNotMatterAndMergingAddsValues) {
  BatchMeans forward, backward, even, odd;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto ticks = static_cast<std::int64_t>(i * i % 977);
    add(forward, i, ticks);
    add(i % 2 == 0 ? even : odd, i, ticks);
    add(backward, 4999 - i, static_cast<std::int64_t>((4999 - i) * (4999 - i) % 977));
  }
  EXPECT_EQ(forward, backward);
  BatchMeans small;  // with much shorter batches
  for (std::uint64_t i = 0; i < 10; ++i) add(small, i, 3);
  even.merge(odd);
  EXPECT_EQ(forward, even);
  forward.merge(small);
  small.merge(even);
  EXPECT_EQ(forward, small);
  EXPECT_EQ(small.count(), 5010);
}

// Of 200 intervals at 99% about two miss; more than 8 has probability 2e-4. Fixed seeds, so the test cannot flicker.
TEST(BatchMeans, HalfWidthCoversTheMean) {
  int misses = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream random(9, "coverage", run);
    BatchMeans batches;
    for (std::uint64_t i = 0; i < 2000; ++i) add(batches, i, static_cast<std::int64_t>(random.exponential(1) * 1e6));
    const double mean = static_cast<double>(batches.sum_ticks()) / 2000;
    if (std::fabs(mean - 1e6) > batches.half_width_99().value()) ++misses;
  }
  EXPECT_LE(misses, 8);
}

}  // namespace
}  // namespace weir::sim
