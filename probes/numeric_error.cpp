#include "probes/numeric_error.h"

#include <cmath>
#include <span>
#include <vector>

#include "probes/random_fill.h"
#include "probes/workbench.h"

namespace weir::probes {
namespace {

constexpr std::int64_t kRows = 16, kColumns = 256;

std::vector<float> product(kernels::Device& device, data::Precision precision, std::int64_t k,
                           std::span<const float> weights, const kernels::Buffer& a) {
  const kernels::PackedWeightsPtr packed = device.pack_weights(data_type_of(precision), kColumns, k, weights);
  std::vector<float> c(static_cast<std::size_t>(kRows * kColumns));
  const kernels::BufferPtr out = device.allocate(c.size() * sizeof(float));
  device.gemm(a, *packed, *out, kRows);
  device.download(std::as_writable_bytes(std::span(c)), *out);
  return c;
}

}  // namespace

double gemm_error_vs_fp32(kernels::Device& device, data::Precision precision, std::int64_t k) {
  std::vector<float> weights(static_cast<std::size_t>(kColumns * k)), rows(static_cast<std::size_t>(kRows * k));
  fill_random(weights, 0.02F, 11);
  fill_random(rows, 1.0F, 12);
  const kernels::BufferPtr a = device.allocate(rows.size() * sizeof(float));
  device.upload(*a, std::as_bytes(std::span(rows)));
  const std::vector<float> exact = product(device, data::Precision::fp32, k, weights, *a);
  const std::vector<float> rounded = product(device, precision, k, weights, *a);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double d = static_cast<double>(rounded[i]) - static_cast<double>(exact[i]);
    difference += d * d;
    norm += static_cast<double>(exact[i]) * static_cast<double>(exact[i]);
  }
  return std::sqrt(difference / norm);
}

}  // namespace weir::probes
