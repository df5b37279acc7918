#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace weir::kernels::testing {

/// A fixed generator (SplitMix64, Steele et al. 2014), so that a failure is the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [-1, 1).
  float value() { return static_cast<float>(static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0); }
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(limit));
  }
  std::vector<float> values(std::int64_t count) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (float& v : result) v = value();
    return result;
  }

 private:
  std::uint64_t state_;
};

inline BufferPtr to_device(Device& device, const std::vector<float>& values) {
  BufferPtr buffer = device.allocate(values.size() * sizeof(float));
  device.upload(*buffer, std::as_bytes(std::span(values)));
  return buffer;
}

inline std::vector<float> from_device(Device& device, const Buffer& buffer) {
  std::vector<float> values(buffer.bytes() / sizeof(float));
  device.download(std::as_writable_bytes(std::span(values)), buffer);
  return values;
}

inline std::vector<float> run_gemm(Device& device, DataType type, std::int64_t m, std::int64_t n, std::int64_t k,
                                   const std::vector<float>& a, const std::vector<float>& w) {
  const PackedWeightsPtr packed = device.pack_weights(type, n, k, w);
  const BufferPtr in = to_device(device, a);
  // NaN everywhere: an element that is not written cannot pass.
  const BufferPtr out = to_device(device, std::vector<float>(static_cast<std::size_t>(m * n), std::nanf("")));
  device.gemm(*in, *packed, *out, m);
  return from_device(device, *out);
}

inline bool has_level(IsaLevel level) {
  for (const IsaLevel available : available_isa_levels()) {
    if (available == level) return true;
  }
  return false;
}

/// Tests that run once for each instruction level.
class EachLevel : public ::testing::TestWithParam<IsaLevel> {
 protected:
  void SetUp() override {
    if (!has_level(GetParam())) GTEST_SKIP() << "this CPU has no " << name_of(GetParam());
  }
  static std::unique_ptr<Device> device(int threads = 2) { return make_cpu_device(threads, GetParam()); }
};

inline std::string level_name(const ::testing::TestParamInfo<IsaLevel>& info) { return name_of(info.param); }

}  // namespace weir::kernels::testing

#define WEIR_EACH_LEVEL(suite)                                                                                \
  INSTANTIATE_TEST_SUITE_P(Level, suite,                                                                      \
                           ::testing::Values(weir::kernels::IsaLevel::scalar, weir::kernels::IsaLevel::avx2), \
                           weir::kernels::testing::level_name)
