#include <cmath>

#include "kernels/cpu/half.h"
#include "kernels/cpu/scalar_kernels.h"

namespace weir::kernels::cpu {
namespace {

void rms_norm_row(const float* x, const float* weight, float* out, std::int64_t width, float epsilon) {
  double squares = 0;
  for (std::int64_t i = 0; i < width; ++i) squares += static_cast<double>(x[i]) * x[i];
  const double mean = squares / static_cast<double>(width);
  const float scale = static_cast<float>(1.0 / std::sqrt(mean + static_cast<double>(epsilon)));
  for (std::int64_t i = 0; i < width; ++i) out[i] = x[i] * scale * weight[i];
}

void silu_mul_row(const float* x, float* out, std::int64_t width) {
  for (std::int64_t i = 0; i < width; ++i) out[i] = x[i] / (1.0F + std::exp(-x[i])) * x[width + i];
}

void add_range(float* x, const float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) x[i] += y[i];
}

void rotate_head(const float* in, const float* cosine, const float* sine, float* out, std::int64_t half) {
  for (std::int64_t i = 0; i < half; ++i) {
    const float a = in[i], b = in[i + half];
    out[i] = a * cosine[i] - b * sine[i];
    out[i + half] = b * cosine[i] + a * sine[i];
  }
}

void to_half(const float* in, std::uint16_t* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = half_from_float(in[i]);
}

void to_bfloat(const float* in, std::uint16_t* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = bfloat_from_float(in[i]);
}

}  // namespace

const KernelTable& scalar_table() {
  static constexpr KernelTable table{.quantize_row = scalar::quantize_row,
                                     .pack_tile = scalar::pack_tile,
                                     .int8_tile = scalar::int8_tile,
                                     .int8_streams = scalar::int8_streams,
                                     .decode_range = scalar::decode_range,
                                     .prefill_block = scalar::prefill_block,
                                     .rms_norm_row = rms_norm_row,
                                     .silu_mul_row = silu_mul_row,
                                     .add_range = add_range,
                                     .rotate_head = rotate_head,
                                     .to_half = to_half,
                                     .to_bfloat = to_bfloat};
  return table;
}

}  // namespace weir::kernels::cpu
