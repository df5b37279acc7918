#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "kernel_test_support.h"
#include "kernels/reference/reference.h"

namespace weir::kernels {
namespace {

using testing::EachLevel;
using testing::Numbers;
using testing::run_gemm;

constexpr double kFp32Epsilon = 0x1p-24;  // half a step at 1

class FloatGemm : public EachLevel {};
WEIR_EACH_LEVEL(FloatGemm);

std::vector<float> rounded_to_bf16(const std::vector<float>& values) {
  std::vector<float> result;
  for (const float v : values) result.push_back(static_cast<float>(reference::round_to_bf16(static_cast<double>(v))));
  return result;
}

/// Largest |error| / sum |a||w|.
double worst_ratio(const std::vector<float>& c, const std::vector<double>& exact,
                   const std::vector<double>& magnitude) {
  double worst = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double error = std::abs(static_cast<double>(c[i]) - exact[i]);
    if (!(error <= 1e30)) return 1e30;  // NaN: an element was not written
    worst = std::max(worst, error / magnitude[i]);
  }
  return worst;
}

/// A sum of k products in FP32, in any order, is off by at most (k + 1) eps sum |a||w| (Higham 2002, 3.5).
void check_fp32(Device& device, std::int64_t m, std::int64_t n, std::int64_t k, const std::vector<float>& a,
                const std::vector<float>& w) {
  const auto c = run_gemm(device, DataType::fp32, m, n, k, a, w);
  const double worst = worst_ratio(c, reference::gemm(m, n, k, a, w), reference::gemm_magnitude(m, n, k, a, w));
  EXPECT_LE(worst, static_cast<double>(k + 1) * kFp32Epsilon) << m << " x " << n << " x " << k;
}

/// BF16: against FP64 on operands rounded to BF16, products are exact in FP32 and the FP32 bound holds, doubled since
/// the CPU's own BF16 instructions add pairs without the usual rounding. A missing or wrong rounding of the operands
/// (2^-8 each) is a hundred times larger than that for these k.
void check_bf16(Device& device, std::int64_t m, std::int64_t n, std::int64_t k, const std::vector<float>& a,
                const std::vector<float>& w) {
  const auto c = run_gemm(device, DataType::bf16, m, n, k, a, w);
  const auto ra = rounded_to_bf16(a), rw = rounded_to_bf16(w);
  const double rounded = worst_ratio(c, reference::gemm(m, n, k, ra, rw), reference::gemm_magnitude(m, n, k, ra, rw));
  EXPECT_LE(rounded, 2.0 * static_cast<double>(k + 1) * kFp32Epsilon) << m << " x " << n << " x " << k;
  // Against the operands as given: BF16 has 8 significant bits, so two roundings of at most 2^-8 each.
  const double whole = worst_ratio(c, reference::gemm(m, n, k, a, w), reference::gemm_magnitude(m, n, k, a, w));
  EXPECT_LE(whole, 0x1p-7 + 0x1p-16 + 3.0 * static_cast<double>(k + 1) * kFp32Epsilon) << m << " x " << n << " x " << k;
}

TEST_P(FloatGemm, OddShapes) {
  const auto device = EachLevel::device();
  Numbers numbers(11);
  for (const std::int64_t m : {1, 2, 3, 5, 8, 13, 17, 33}) {
    for (const std::int64_t n : {1, 3, 8, 17, 31, 64, 65, 130}) {
      for (const std::int64_t k : {1, 2, 5, 7, 16, 31, 64, 67}) {
        const auto a = numbers.values(m * k), w = numbers.values(n * k);
        check_fp32(*device, m, n, k, a, w);
        check_bf16(*device, m, n, k, a, w);
      }
    }
  }
}

/// Row counts that are padded on the way (above 64) or cut into several calls (above 512).
TEST_P(FloatGemm, ManyRows) {
  const auto device = EachLevel::device();
  Numbers numbers(12);
  for (const std::int64_t m : {64, 65, 100, 129, 257, 512, 513, 600}) {
    const std::int64_t n = 70, k = 33;
    const auto a = numbers.values(m * k), w = numbers.values(n * k);
    check_fp32(*device, m, n, k, a, w);
    check_bf16(*device, m, n, k, a, w);
  }
}

TEST_P(FloatGemm, DeepSums) {
  const auto device = EachLevel::device();
  Numbers numbers(13);
  for (const std::int64_t m : {1, 9}) {
    const std::int64_t n = 100, k = 2000;
    const auto a = numbers.values(m * k), w = numbers.values(n * k);
    check_fp32(*device, m, n, k, a, w);
    check_bf16(*device, m, n, k, a, w);
  }
}

/// [1 2; 3 4] x [5 6; 7 8]^T = [17 23; 39 53]: small integers, exact in both types.
TEST_P(FloatGemm, ByHand) {
  const auto device = EachLevel::device();
  const std::vector<float> expected{17.0F, 23.0F, 39.0F, 53.0F};
  for (const DataType type : {DataType::fp32, DataType::bf16}) {
    EXPECT_EQ(run_gemm(*device, type, 2, 2, 2, {1.0F, 2.0F, 3.0F, 4.0F}, {5.0F, 6.0F, 7.0F, 8.0F}), expected);
  }
}

/// 1 + 2^-8 lies between two BF16 numbers, 1 and 1 + 2^-7: ties go to the even one, 1. 1 + 3 x 2^-8 goes to 1 + 2^-6.
TEST_P(FloatGemm, Bf16RoundsActivationsToNearestEven) {
  const auto device = EachLevel::device();
  const auto c = run_gemm(*device, DataType::bf16, 2, 1, 1, {1.0F + 0x1p-8F, 1.0F + 0x3p-8F}, {1.0F});
  EXPECT_EQ(c[0], 1.0F);
  EXPECT_EQ(c[1], 1.0F + 0x1p-6F);
}

TEST_P(FloatGemm, DescribesItsWeights) {
  const auto device = EachLevel::device();
  const std::vector<float> w(128 * 64, 1.0F);
  const PackedWeightsPtr fp32 = device->pack_weights(DataType::fp32, 128, 64, w);
  const PackedWeightsPtr bf16 = device->pack_weights(DataType::bf16, 128, 64, w);
  EXPECT_EQ(fp32->type(), DataType::fp32);
  EXPECT_EQ(bf16->type(), DataType::bf16);
  EXPECT_EQ(fp32->bytes(), 128U * 64U * 4U);  // 128 and 64 need no padding
  EXPECT_EQ(bf16->bytes(), 128U * 64U * 2U);
}

RC_GTEST_PROP(FloatGemmProperty, AnyShape, ()) {
  static const auto scalar = make_cpu_device(1, IsaLevel::scalar);
  static const auto best = make_cpu_device(3);
  const auto m = *rc::gen::inRange<std::int64_t>(1, 80), n = *rc::gen::inRange<std::int64_t>(1, 200),
             k = *rc::gen::inRange<std::int64_t>(1, 60);
  Numbers numbers(*rc::gen::arbitrary<std::uint64_t>());
  const auto a = numbers.values(m * k), w = numbers.values(n * k);
  for (Device* device : {scalar.get(), best.get()}) {
    check_fp32(*device, m, n, k, a, w);
    check_bf16(*device, m, n, k, a, w);
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace weir::kernels
