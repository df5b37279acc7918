#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "kernel_test_support.h"
#include "kernels/reference/reference.h"

namespace weir::kernels {
namespace {

using testing::EachLevel;
using testing::from_device;
using testing::Numbers;
using testing::to_device;

class Elementwise : public EachLevel {};
WEIR_EACH_LEVEL(Elementwise);

std::vector<float> row_of(const std::vector<float>& values, std::int64_t row, std::int64_t width) {
  return {values.begin() + row * width, values.begin() + (row + 1) * width};
}

/// A mean of `width` squares in FP32 is off by at most width eps, relatively; the AVX2 kernel adds in 32 chains.
TEST_P(Elementwise, RmsNorm) {
  const auto device = EachLevel::device();
  Numbers numbers(41);
  for (const std::int64_t width : {1, 2, 3, 5, 7, 8, 13, 16, 31, 33, 64, 200, 4096}) {
    for (const std::int64_t tokens : {1, 2, 7}) {
      const auto x = numbers.values(tokens * width), weight = numbers.values(width);
      const BufferPtr in = to_device(*device, x), factors = to_device(*device, weight);
      const BufferPtr out = to_device(*device, std::vector<float>(x.size(), std::nanf("")));
      device->rms_norm(*in, *factors, *out, tokens, width, 1e-5F);
      const auto got = from_device(*device, *out);
      const double tolerance = 4e-7 + 1e-9 * static_cast<double>(width);
      for (std::int64_t t = 0; t < tokens; ++t) {
        const auto want = reference::rms_norm(row_of(x, t, width), weight, static_cast<double>(1e-5F));
        for (std::int64_t i = 0; i < width; ++i) {
          const double expected = want[static_cast<std::size_t>(i)];
          ASSERT_NEAR(got[static_cast<std::size_t>(t * width + i)], expected, tolerance * std::abs(expected) + 1e-12)
              << width;
        }
      }
    }
  }
}

/// 3 4: mean square 12.5, root 3.535534; 3 / 3.535534 x 2 = 1.697056, 4 / 3.535534 x 0.5 = 0.565685.
TEST_P(Elementwise, RmsNormByHand) {
  const auto device = EachLevel::device(1);
  const BufferPtr in = to_device(*device, {3.0F, 4.0F}), factors = to_device(*device, {2.0F, 0.5F});
  const BufferPtr out = device->allocate(8);
  device->rms_norm(*in, *factors, *out, 1, 2, 0.0F);
  EXPECT_NEAR(from_device(*device, *out)[0], 1.697056, 1e-6);
  EXPECT_NEAR(from_device(*device, *out)[1], 0.565685, 1e-6);
}

/// exp in FP32 of an argument with relative error 2^-24: off by |x| 2^-24, relatively, so 2e-5 covers |x| up to 300.
/// Below -80 the result may be flushed to where FP32 has nothing left: absolute 1e-30.
TEST_P(Elementwise, SiluMul) {
  const auto device = EachLevel::device();
  Numbers numbers(42);
  for (const std::int64_t width : {1, 3, 7, 8, 9, 16, 31, 100, 3000}) {
    for (const std::int64_t tokens : {1, 5}) {
      auto x = numbers.values(tokens * 2 * width);
      for (float& v : x) v *= numbers.below(8) == 0 ? 300.0F : 6.0F;
      const BufferPtr in = to_device(*device, x);
      const BufferPtr out =
          to_device(*device, std::vector<float>(static_cast<std::size_t>(tokens * width), std::nanf("")));
      device->silu_mul(*in, *out, tokens, width);
      const auto got = from_device(*device, *out);
      for (std::int64_t t = 0; t < tokens; ++t) {
        const auto want = reference::silu_mul(row_of(x, t, 2 * width));
        for (std::int64_t i = 0; i < width; ++i) {
          const double expected = want[static_cast<std::size_t>(i)];
          ASSERT_NEAR(got[static_cast<std::size_t>(t * width + i)], expected, 2e-5 * std::abs(expected) + 1e-30);
        }
      }
    }
  }
}

/// silu(0) = 0, silu(1) = 1 / (1 + 1/e) = 0.7310586, silu(-1) = -0.2689414, silu of a large number is the number.
TEST_P(Elementwise, SiluByHand) {
  const auto device = EachLevel::device(1);
  const BufferPtr in = to_device(*device, {0.0F, 1.0F, -1.0F, 5000.0F, -5000.0F, 3.0F, 2.0F, 1.0F, 1.0F, 1.0F});
  const BufferPtr out = device->allocate(5 * sizeof(float));
  device->silu_mul(*in, *out, 1, 5);
  const auto got = from_device(*device, *out);
  EXPECT_EQ(got[0], 0.0F);
  EXPECT_NEAR(got[1], 2 * 0.7310586, 1e-6);
  EXPECT_NEAR(got[2], -0.2689414, 1e-6);
  EXPECT_EQ(got[3], 5000.0F);
  EXPECT_NEAR(got[4], 0.0, 1e-30);
}

TEST_P(Elementwise, Add) {
  const auto device = EachLevel::device();
  Numbers numbers(43);
  for (const std::int64_t count : {1, 7, 8, 33, 4096, 4097, 50001}) {
    const auto x = numbers.values(count), y = numbers.values(count);
    const BufferPtr sum = to_device(*device, x), other = to_device(*device, y);
    device->add(*sum, *other, count);
    const auto got = from_device(*device, *sum);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], x[i] + y[i]);  // one FP32 addition
  }
}

class RopeAppend : public EachLevel {};
WEIR_EACH_LEVEL(RopeAppend);

/// q comes back rotated, k and v untouched. Products and their sum round three times at 2^-24 of numbers below 2,
/// angles are FP64: 3e-7.
TEST_P(RopeAppend, RotatesQueries) {
  const auto device = EachLevel::device();
  Numbers numbers(44);
  for (const std::int64_t d : {2, 6, 16, 20, 64, 128}) {
    const std::int64_t heads = 3, kv_heads = 1, stride = (heads + 2 * kv_heads) * d;
    const std::vector<std::int32_t> sequence{0, 1, 0, 1}, position{0, 5, 17, 100000}, q_tokens{2, 2},
        context{18, 100001};
    const std::int64_t per_sequence = 100001 / 16 + 1;
    // A block a sequence, so that no two tokens go to one place.
    std::vector<std::int32_t> table(static_cast<std::size_t>(2 * per_sequence), 0);
    std::fill(table.begin() + per_sequence, table.end(), 1);
    const KvCachePtr cache = device->allocate_kv({kv_heads, d, 16, 2});
    const auto qkv = numbers.values(4 * stride);
    const BufferPtr buffer = to_device(*device, qkv);
    device->rope_append_kv(*buffer, *cache, 4, heads, sequence, position, {q_tokens, context, table, per_sequence},
                           10000.0F);
    const auto got = from_device(*device, *buffer);
    for (std::int64_t t = 0; t < 4; ++t) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const auto at = static_cast<std::size_t>(t * stride + h * d);
        const auto want = reference::rope(std::span(qkv).subspan(at, static_cast<std::size_t>(d)),
                                          position[static_cast<std::size_t>(t)], 10000.0);
        for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[at + i], want[i], 3e-7);
      }
      for (std::int64_t i = heads * d; i < stride; ++i) {
        ASSERT_EQ(got[static_cast<std::size_t>(t * stride + i)], qkv[static_cast<std::size_t>(t * stride + i)]);
      }
    }
  }
}

RC_GTEST_PROP(ElementwiseProperty, LevelsAgree, ()) {
  if (!testing::has_level(IsaLevel::avx2)) return;
  static const auto scalar = make_cpu_device(1, IsaLevel::scalar);
  static const auto avx2 = make_cpu_device(2, IsaLevel::avx2);
  const auto tokens = *rc::gen::inRange<std::int64_t>(1, 9), width = *rc::gen::inRange<std::int64_t>(1, 300);
  Numbers numbers(*rc::gen::arbitrary<std::uint64_t>());
  const auto x = numbers.values(tokens * 2 * width), weight = numbers.values(2 * width);
  std::vector<std::vector<float>> norms, activations;
  for (Device* device : {scalar.get(), avx2.get()}) {
    const BufferPtr in = to_device(*device, x), factors = to_device(*device, weight), out = to_device(*device, x);
    device->rms_norm(*in, *factors, *out, tokens, 2 * width, 1e-6F);
    norms.push_back(from_device(*device, *out));
    device->silu_mul(*in, *out, tokens, width);
    activations.push_back(from_device(*device, *out));
    activations.back().resize(static_cast<std::size_t>(tokens * width));
  }
  // A few roundings each; both are within that of FP64.
  for (std::size_t i = 0; i < norms[0].size(); ++i) {
    RC_ASSERT(std::abs(norms[0][i] - norms[1][i]) <= 2e-6F * std::abs(norms[0][i]));
  }
  for (std::size_t i = 0; i < activations[0].size(); ++i) {
    RC_ASSERT(std::abs(activations[0][i] - activations[1][i]) <= 2e-6F * std::abs(activations[0][i]) + 1e-30F);
  }
}

}  // namespace
}  // namespace weir::kernels
