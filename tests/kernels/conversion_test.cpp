#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "kernel_test_support.h"
#include "kernels/cpu/half.h"
#include "kernels/cpu/kernel_table.h"
#include "kernels/reference/reference.h"

namespace weir::kernels {
namespace {

using testing::Numbers;

/// Every kind of float: all exponents, ties, subnormals, both infinities, NaN.
std::vector<float> awkward_floats() {
  std::vector<float> values;
  Numbers numbers(51);
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (const std::uint32_t low : {0x0000U, 0x0FFFU, 0x1000U, 0x1001U, 0x2000U, 0x3000U, 0x7FFFU, 0x8000U, 0x8001U}) {
      values.push_back(std::bit_cast<float>((high << 16) | low));
    }
    values.push_back(std::bit_cast<float>((high << 16) | static_cast<std::uint32_t>(numbers.below(0x10000))));
  }
  return values;
}

bool is_nan_half(std::uint16_t bits) { return (bits & 0x7FFFU) > 0x7C00U; }
bool is_nan_bfloat(std::uint16_t bits) { return (bits & 0x7FFFU) > 0x7F80U; }

TEST(Conversion, HalfByHand) {
  EXPECT_EQ(cpu::half_from_float(1.0F), 0x3C00);
  EXPECT_EQ(cpu::half_from_float(-2.0F), 0xC000);
  EXPECT_EQ(cpu::half_from_float(65504.0F), 0x7BFF);    // the largest
  EXPECT_EQ(cpu::half_from_float(65519.996F), 0x7BFF);  // below the middle to the next
  EXPECT_EQ(cpu::half_from_float(65520.0F), 0x7C00);    // infinity
  EXPECT_EQ(cpu::half_from_float(0x1p-24F), 0x0001);    // the smallest
  EXPECT_EQ(cpu::half_from_float(0x1p-25F), 0x0000);    // a tie, to even
  EXPECT_EQ(cpu::half_from_float(0x3p-25F), 0x0002);    // a tie, to even
  EXPECT_EQ(cpu::half_from_float(1.0F + 0x1p-11F), 0x3C00);
  EXPECT_EQ(cpu::half_from_float(1.0F + 0x3p-11F), 0x3C02);
  EXPECT_EQ(cpu::half_from_float(-0.0F), 0x8000);
}

TEST(Conversion, HalfMatchesFp64Reference) {
  for (const float value : awkward_floats()) {
    const std::uint16_t bits = cpu::half_from_float(value);
    if (std::isnan(value)) {
      ASSERT_TRUE(is_nan_half(bits));
    } else {
      const double want = reference::round_to_fp16(static_cast<double>(value));
      ASSERT_EQ(static_cast<double>(cpu::float_from_half(bits)), want) << value;
      ASSERT_EQ(std::signbit(cpu::float_from_half(bits)), std::signbit(value));
    }
  }
}

TEST(Conversion, HalfSurvivesTheWayThroughFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (is_nan_half(half)) {
      ASSERT_TRUE(std::isnan(cpu::float_from_half(half)));
    } else {
      ASSERT_EQ(cpu::half_from_float(cpu::float_from_half(half)), half);
    }
  }
}

TEST(Conversion, BfloatMatchesFp64Reference) {
  for (const float value : awkward_floats()) {
    const std::uint16_t bits = cpu::bfloat_from_float(value);
    if (std::isnan(value)) {
      ASSERT_TRUE(is_nan_bfloat(bits));
    } else {
      const double want = reference::round_to_bf16(static_cast<double>(value));
      ASSERT_EQ(static_cast<double>(cpu::float_from_bfloat(bits)), want) << value;
    }
  }
}

TEST(Conversion, Avx2AgreesWithPortableToTheBit) {
  if (!testing::has_level(IsaLevel::avx2)) GTEST_SKIP() << "this CPU has no AVX2";
  std::vector<float> values = awkward_floats();
  values.push_back(1.5F);  // an odd count: the tails too
  const auto count = std::ssize(values);
  std::vector<std::uint16_t> fast(values.size()), plain(values.size());
  cpu::avx2_table()->to_bfloat(values.data(), fast.data(), count);
  cpu::scalar_table().to_bfloat(values.data(), plain.data(), count);
  ASSERT_EQ(fast, plain);
  cpu::avx2_table()->to_half(values.data(), fast.data(), count);
  cpu::scalar_table().to_half(values.data(), plain.data(), count);
  ASSERT_EQ(fast, plain);
}

TEST(Conversion, QuantizeRowAgreesToTheBit) {
  if (!testing::has_level(IsaLevel::avx2)) GTEST_SKIP() << "this CPU has no AVX2";
  Numbers numbers(52);
  for (std::int64_t k = 1; k < 70; ++k) {
    for (const float size : {1.0F, 1e-25F, 1e-31F, 1e30F}) {
      auto x = numbers.values(k);
      for (float& v : x) v *= size;
      std::vector<std::int8_t> fast(static_cast<std::size_t>(k) + 9, 99), plain(fast);
      const float fast_scale = cpu::avx2_table()->quantize_row(x.data(), k, k + 9, fast.data());
      const float plain_scale = cpu::scalar_table().quantize_row(x.data(), k, k + 9, plain.data());
      ASSERT_EQ(fast_scale, plain_scale);
      ASSERT_EQ(fast, plain);
      for (std::size_t i = static_cast<std::size_t>(k); i < fast.size(); ++i) ASSERT_EQ(fast[i], 0);
    }
  }
}

}  // namespace
}  // namespace weir::kernels
