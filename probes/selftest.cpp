#include "probes/selftest.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/reference/reference.h"
#include "probes/random_fill.h"
#include "probes/selftest_attention.h"

namespace weir::probes {
namespace {

namespace ref = kernels::reference;
using kernels::DataType;

constexpr double kFp32Epsilon = 5.97e-8;  // 2^-24: half a unit of the last place of 1
constexpr double kBf16Epsilon = 1.96e-3;  // 2^-9

/// Runs one check; what is thrown becomes its problem.
class Checker {
 public:
  Checker(kernels::Device& device, std::string label, const std::function<void(const SelfCheck&)>& show)
      : device_(device), label_(std::move(label)), show_(show) {}

  void check(const std::string& what, double tolerance, const std::function<double(kernels::Device&)>& error) {
    SelfCheck result{what + ", " + label_, false, 0, tolerance, ""};
    try {
      result.error = error(device_);
      result.passed = result.error <= tolerance;  // false for NaN
    } catch (const std::exception& problem) {
      result.problem = problem.what();
    }
    all_passed_ = all_passed_ && result.passed;
    show_(result);
  }
  bool all_passed() const { return all_passed_; }

 private:
  kernels::Device& device_;
  std::string label_;
  const std::function<void(const SelfCheck&)>& show_;
  bool all_passed_ = true;
};

struct GemmCase {
  std::int64_t m, n, k;
  std::string text() const { return " m=" + std::to_string(m) + " n=" + std::to_string(n) + " k=" + std::to_string(k); }
};

/// Largest |c - exact| / sum |a||w|: rounding errors are proportional to that sum.
double gemm_error(kernels::Device& device, DataType type, const GemmCase& shape) {
  const std::vector<float> a = random_floats(shape.m * shape.k, 31), w = random_floats(shape.n * shape.k, 32);
  const kernels::PackedWeightsPtr packed = device.pack_weights(type, shape.n, shape.k, w);
  const kernels::BufferPtr out = uploaded(device, std::vector<float>(static_cast<std::size_t>(shape.m * shape.n)));
  device.gemm(*uploaded(device, a), *packed, *out, shape.m);
  const std::vector<float> c = downloaded(device, *out);

  std::vector<double> exact = ref::gemm(shape.m, shape.n, shape.k, a, w);
  if (type == DataType::int8) {  // against what W8A8 defines, not against the unquantised product
    const ref::QuantizedRows qa = ref::quantize_rows(shape.m, shape.k, a), qw = ref::quantize_rows(shape.n, shape.k, w);
    const std::vector<std::int32_t> sums = ref::gemm_int8(shape.m, shape.n, shape.k, qa.values, qw.values);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const std::size_t row = i / static_cast<std::size_t>(shape.n), column = i % static_cast<std::size_t>(shape.n);
      exact[i] =
          static_cast<double>(sums[i]) * static_cast<double>(qa.scales[row]) * static_cast<double>(qw.scales[column]);
    }
  }
  const std::vector<double> magnitude = ref::gemm_magnitude(shape.m, shape.n, shape.k, a, w);
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs(static_cast<double>(c[i]) - exact[i]) / std::max(magnitude[i], 1e-30);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

void check_gemms(Checker& checker) {
  for (const GemmCase& shape : {GemmCase{1, 17, 33}, {3, 65, 129}, {17, 40, 64}, {33, 96, 257}}) {
    const auto k = static_cast<double>(shape.k);
    // FP32: each of k sums rounds once. BF16: both factors round besides. INT8: the sums are exact, two scalings round.
    checker.check("gemm fp32" + shape.text(), k * kFp32Epsilon,
                  [&](kernels::Device& device) { return gemm_error(device, DataType::fp32, shape); });
    checker.check("gemm bf16" + shape.text(), 2.01 * kBf16Epsilon + k * kFp32Epsilon,
                  [&](kernels::Device& device) { return gemm_error(device, DataType::bf16, shape); });
    checker.check("gemm int8" + shape.text(), 4 * kFp32Epsilon,
                  [&](kernels::Device& device) { return gemm_error(device, DataType::int8, shape); });
  }
}

double norm_error(kernels::Device& device, std::int64_t tokens, std::int64_t width) {
  const std::vector<float> x = random_floats(tokens * width, 41), weight = random_floats(width, 42);
  const kernels::BufferPtr out = uploaded(device, x);
  constexpr float kEpsilon = 1e-5F;
  device.rms_norm(*uploaded(device, x), *uploaded(device, weight), *out, tokens, width, kEpsilon);
  const std::vector<float> got = downloaded(device, *out);
  double worst = 0;
  for (std::int64_t t = 0; t < tokens; ++t) {
    const auto from = static_cast<std::size_t>(t * width), count = static_cast<std::size_t>(width);
    const std::vector<double> exact =
        ref::rms_norm(std::span(x).subspan(from, count), weight, static_cast<double>(kEpsilon));
    worst = std::max(worst, worst_difference(std::span(got).subspan(from, count), exact));
  }
  return worst;
}

double silu_error(kernels::Device& device, std::int64_t tokens, std::int64_t width) {
  const std::vector<float> x = random_floats(tokens * 2 * width, 43);
  const kernels::BufferPtr out = uploaded(device, random_floats(tokens * width, 44));
  device.silu_mul(*uploaded(device, x), *out, tokens, width);
  const std::vector<float> got = downloaded(device, *out);
  double worst = 0;
  for (std::int64_t t = 0; t < tokens; ++t) {
    const auto from = static_cast<std::size_t>(t * width), count = static_cast<std::size_t>(width);
    const std::vector<double> exact = ref::silu_mul(std::span(x).subspan(2 * from, 2 * count));
    worst = std::max(worst, worst_difference(std::span(got).subspan(from, count), exact));
  }
  return worst;
}

double add_error(kernels::Device& device, std::int64_t elements) {
  const std::vector<float> x = random_floats(elements, 45), y = random_floats(elements, 46);
  const kernels::BufferPtr sum = uploaded(device, x);
  device.add(*sum, *uploaded(device, y), elements);
  std::vector<double> exact;
  for (std::size_t i = 0; i < x.size(); ++i) exact.push_back(static_cast<double>(x[i] + y[i]));
  return worst_difference(downloaded(device, *sum), exact);
}

void check_rows(Checker& checker) {
  struct Rows {
    std::int64_t tokens, width;
  };
  for (const Rows& rows : {Rows{1, 7}, Rows{3, 129}, Rows{5, 1024}}) {
    const std::int64_t tokens = rows.tokens, width = rows.width;
    const std::string text = " tokens=" + std::to_string(tokens) + " width=" + std::to_string(width);
    // Absolute, on values of a few units: some roundings of FP32, and exp's few units of the last place.
    checker.check("norm" + text, 64 * kFp32Epsilon,
                  [&](kernels::Device& device) { return norm_error(device, tokens, width); });
    checker.check("silu_mul" + text, 256 * kFp32Epsilon,
                  [&](kernels::Device& device) { return silu_error(device, tokens, width); });
    checker.check("add" + text, 0.0, [&](kernels::Device& device) { return add_error(device, tokens * width); });
  }
}

void check_attention(Checker& checker) {
  const std::vector<AttentionCase> cases = {{"attention_decode", {1, 1, 1}, {1, 17, 40}, 4, 4, 64},
                                            {"attention_decode", {1, 1}, {33, 16}, 8, 2, 128},
                                            {"attention_prefill", {5, 3}, {25, 3}, 8, 2, 64},
                                            {"attention_prefill", {19}, {19}, 4, 1, 128}};
  for (const AttentionCase& shape : cases) {
    // Angles of positions up to 40 in FP32, on values of a few units.
    checker.check("rope" + shape.text(), 2e-5, [&](kernels::Device& device) { return rope_error(device, shape); });
    // Keys and values are rounded to FP16 after an FP32 rotation, the reference after an FP64 one: now and then a unit
    // of the last place (2^-10 of the value) apart.
    checker.check(shape.kernel + shape.text(), 4e-3,
                  [&](kernels::Device& device) { return attention_error(device, shape); });
  }
}

}  // namespace

std::vector<float> random_floats(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_random(values, 1.0F, seed);
  return values;
}

kernels::BufferPtr uploaded(kernels::Device& device, const std::vector<float>& values) {
  kernels::BufferPtr buffer = device.allocate(values.size() * sizeof(float));
  device.upload(*buffer, std::as_bytes(std::span(values)));
  return buffer;
}

std::vector<float> downloaded(kernels::Device& device, const kernels::Buffer& buffer) {
  std::vector<float> values(buffer.bytes() / sizeof(float));
  device.download(std::as_writable_bytes(std::span(values)), buffer);
  return values;
}

double worst_difference(std::span<const float> got, std::span<const double> exact) {
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - exact[i]);
    if (!(difference <= worst)) worst = difference;  // a NaN stays
  }
  return worst;
}

bool run_selftest(kernels::Device& device, const std::string& label,
                  const std::function<void(const SelfCheck&)>& show) {
  Checker checker(device, label, show);
  check_gemms(checker);
  check_rows(checker);
  check_attention(checker);
  return checker.all_passed();
}

}  // namespace weir::probes
