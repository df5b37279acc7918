#pragma once

#include <cstdint>

#include "kernels/cpu/kernel_table.h"

/// The AVX2, FMA and F16C kernels. Declarations only, see kernel_table.h.
namespace weir::kernels::cpu::avx2 {

float quantize_row(const float* x, std::int64_t k, std::int64_t padded, std::int8_t* q);
void pack_tile(const std::int8_t* q, std::int64_t stride, int rows, std::int64_t depth_groups, std::int32_t* out);
void int8_tile(const Int8Tile& tile);
void int8_streams(const Int8Streams& call);
void decode_range(const DecodeRange& call);
void prefill_block(const PrefillBlock& block);
void rms_norm_row(const float* x, const float* weight, float* out, std::int64_t width, float epsilon);
void silu_mul_row(const float* x, float* out, std::int64_t width);
void add_range(float* x, const float* y, std::int64_t count);
void rotate_head(const float* in, const float* cosine, const float* sine, float* out, std::int64_t half);
void to_half(const float* in, std::uint16_t* out, std::int64_t count);
void to_bfloat(const float* in, std::uint16_t* out, std::int64_t count);

}  // namespace weir::kernels::cpu::avx2
