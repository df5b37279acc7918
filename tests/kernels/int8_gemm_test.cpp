#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "kernel_test_support.h"
#include "kernels/reference/reference.h"

namespace weir::kernels {
namespace {

using testing::EachLevel;
using testing::Numbers;
using testing::run_gemm;

class Int8Gemm : public EachLevel {};
WEIR_EACH_LEVEL(Int8Gemm);

/// What the contract says, step by step: exact int32 sums, FP32 of the sum times FP32 product of the scales. FP32
/// arithmetic is exact to the bit here, so the comparison is too.
std::vector<float> expected(std::int64_t m, std::int64_t n, std::int64_t k, const std::vector<float>& a,
                            const std::vector<float>& w) {
  const reference::QuantizedRows qa = reference::quantize_rows(m, k, a), qw = reference::quantize_rows(n, k, w);
  const std::vector<std::int32_t> sums = reference::gemm_int8(m, n, k, qa.values, qw.values);
  std::vector<float> c;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const float scale = qa.scales[static_cast<std::size_t>(i)] * qw.scales[static_cast<std::size_t>(j)];
      c.push_back(static_cast<float>(sums[static_cast<std::size_t>(i * n + j)]) * scale);
    }
  }
  return c;
}

TEST_P(Int8Gemm, IsExactOverOddShapes) {
  const auto device = EachLevel::device();
  Numbers numbers(1);
  for (const std::int64_t m : {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 31, 33}) {
    for (const std::int64_t n : {1, 2, 3, 7, 8, 13, 17, 31, 33, 64, 65}) {
      for (const std::int64_t k : {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 64, 67}) {
        const auto a = numbers.values(m * k), w = numbers.values(n * k);
        ASSERT_EQ(run_gemm(*device, DataType::int8, m, n, k, a, w), expected(m, n, k, a, w))
            << m << " x " << n << " x " << k;
      }
    }
  }
}

TEST_P(Int8Gemm, LongerShapes) {
  const auto device = EachLevel::device();
  Numbers numbers(2);
  struct Shape {
    std::int64_t m, n, k;
  };
  // 130 rows are several blocks of packed activations at k = 9001; 300 columns several panels a stream.
  for (const auto& [m, n, k] :
       {Shape{1, 300, 1025}, Shape{2, 130, 515}, Shape{3, 77, 777}, Shape{130, 9, 9001}, Shape{96, 40, 260}}) {
    const auto a = numbers.values(m * k), w = numbers.values(n * k);
    ASSERT_EQ(run_gemm(*device, DataType::int8, m, n, k, a, w), expected(m, n, k, a, w))
        << m << " x " << n << " x " << k;
  }
}

/// All products +-127 x 127: where 16-bit saturation or a wrong sign shows.
TEST_P(Int8Gemm, ExtremesDoNotSaturate) {
  const auto device = EachLevel::device();
  for (const std::int64_t m : {1, 2, 3, 4, 12, 13}) {
    for (const std::int64_t k : {2, 4, 64, 131, 1000}) {
      for (int pattern = 0; pattern < 8; ++pattern) {
        const std::int64_t n = 33;
        std::vector<float> a(static_cast<std::size_t>(m * k)), w(static_cast<std::size_t>(n * k));
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = (pattern & 1) && i % 2 ? -1.0F : 1.0F;
        for (std::size_t i = 0; i < w.size(); ++i) w[i] = (pattern & 2) && i % 2 ? -1.0F : 1.0F;
        if (pattern & 4) {
          for (float& value : w) value = -value;
        }
        ASSERT_EQ(run_gemm(*device, DataType::int8, m, n, k, a, w), expected(m, n, k, a, w)) << m << " " << k;
      }
    }
  }
}

/// Hand-computed. Row 1 0.5 -0.25: absmax 1, q = 127, rint(63.5) = 64 (to even), rint(-31.75) = -32, scale 1/127.
/// w row 2 4 8: absmax 8, inverse 15.875: rint(31.75) = 32, rint(63.5) = 64, 127, scale 8/127.
/// Sum 127 x 32 + 64 x 64 - 32 x 127 = 4096; times 8 / 127^2 = 2.031620...
TEST_P(Int8Gemm, ByHand) {
  const auto device = EachLevel::device(1);
  const auto c = run_gemm(*device, DataType::int8, 1, 1, 3, {1.0F, 0.5F, -0.25F}, {2.0F, 4.0F, 8.0F});
  EXPECT_NEAR(c[0], 4096.0 * 8.0 / (127.0 * 127.0), 1e-6);
}

TEST_P(Int8Gemm, ZeroTinyAndBrokenRows) {
  const auto device = EachLevel::device(1);
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  for (const std::int64_t m : {5, 6}) {
    const std::int64_t k = 19, n = 3;
    std::vector<float> a(static_cast<std::size_t>(m * k), 0.0F);
    const std::vector<float> w(static_cast<std::size_t>(n * k), 1.0F);
    for (std::int64_t i = 0; i < k; ++i) a[static_cast<std::size_t>(k + i)] = 1e-38F;
    a[static_cast<std::size_t>(2 * k + 18)] = nan;
    a[static_cast<std::size_t>(3 * k)] = infinity;
    for (std::int64_t i = 0; i < k; ++i) a[static_cast<std::size_t>(4 * k + i)] = 2.0F;
    const auto c = run_gemm(*device, DataType::int8, m, n, k, a, w);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(c[j], 0.0F);
      EXPECT_EQ(c[3 + j], 0.0F);  // below 1e-30 a row counts as zero
      EXPECT_TRUE(std::isnan(c[6 + j]));
      EXPECT_TRUE(std::isnan(c[9 + j]));
      EXPECT_NEAR(c[12 + j], 38.0F, 1e-4);  // 19 x 2 x 1; three FP32 roundings
    }
  }
}

/// Against FP64 without quantisation: each rounding is off by at most half a step, absmax / 254, so
/// |error| <= sum(|a| w_max / 254 + |w| a_max / 254 + a_max w_max / 254^2), here with magnitudes <= 1.
TEST_P(Int8Gemm, QuantisationErrorIsBounded) {
  const auto device = EachLevel::device();
  Numbers numbers(3);
  const std::int64_t m = 5, n = 21, k = 333;
  const auto a = numbers.values(m * k), w = numbers.values(n * k);
  const auto c = run_gemm(*device, DataType::int8, m, n, k, a, w);
  const auto exact = reference::gemm(m, n, k, a, w);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double bound = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        const double x = std::abs(static_cast<double>(a[static_cast<std::size_t>(i * k + l)]));
        const double y = std::abs(static_cast<double>(w[static_cast<std::size_t>(j * k + l)]));
        bound += (x + y) / 254 + 1.0 / (254 * 254);
      }
      const auto at = static_cast<std::size_t>(i * n + j);
      EXPECT_LE(std::abs(static_cast<double>(c[at]) - exact[at]), bound * (1 + 1e-5));
    }
  }
}

TEST_P(Int8Gemm, SameBitsForAnyNumberOfThreads) {
  Numbers numbers(4);
  for (const std::int64_t m : {1, 3, 30}) {
    const std::int64_t n = 203, k = 129;
    const auto a = numbers.values(m * k), w = numbers.values(n * k);
    const auto alone = run_gemm(*EachLevel::device(1), DataType::int8, m, n, k, a, w);
    for (const int threads : {2, 3, 5}) {
      EXPECT_EQ(run_gemm(*EachLevel::device(threads), DataType::int8, m, n, k, a, w), alone) << threads << " threads";
    }
  }
}

TEST(Int8GemmBytes, ArePayloadAndScales) {
  const auto device = make_cpu_device(1, IsaLevel::scalar);
  const PackedWeightsPtr w = device->pack_weights(DataType::int8, 64, 128, std::vector<float>(64 * 128, 1.0F));
  EXPECT_EQ(w->bytes(), 64U * 128U + 64U * 4U);  // 64 and 128 need no padding
  EXPECT_EQ(w->n(), 64);
  EXPECT_EQ(w->k(), 128);
  EXPECT_EQ(w->type(), DataType::int8);
}

TEST(Int8GemmLimits, DepthThatCouldOverflowIsRefused) {
  const auto device = make_cpu_device(1, IsaLevel::scalar);
  EXPECT_THROW(device->pack_weights(DataType::int8, 1, 133145, std::vector<float>(133145, 1.0F)), DeviceError);
  // The largest depth that is allowed, all products 127 x 127: 2147479576 fits.
  const std::int64_t k = 133144;
  const std::vector<float> ones(static_cast<std::size_t>(k), 1.0F);
  const auto c = run_gemm(*device, DataType::int8, 1, 1, k, ones, ones);
  EXPECT_NEAR(c[0], static_cast<double>(k), 0.1);  // three FP32 roundings of a number near 2^17
}

RC_GTEST_PROP(Int8GemmProperty, LevelsAgreeToTheBit, ()) {
  if (!testing::has_level(IsaLevel::avx2)) return;
  static const auto scalar = make_cpu_device(1, IsaLevel::scalar);
  static const auto avx2 = make_cpu_device(2, IsaLevel::avx2);
  const auto m = *rc::gen::inRange<std::int64_t>(1, 40), n = *rc::gen::inRange<std::int64_t>(1, 60),
             k = *rc::gen::inRange<std::int64_t>(1, 200);
  Numbers numbers(*rc::gen::arbitrary<std::uint64_t>());
  const auto a = numbers.values(m * k), w = numbers.values(n * k);
  RC_ASSERT(run_gemm(*scalar, DataType::int8, m, n, k, a, w) == run_gemm(*avx2, DataType::int8, m, n, k, a, w));
}

}  // namespace
}  // namespace weir::kernels
