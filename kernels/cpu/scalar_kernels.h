#pragma once

#include <cstdint>

#include "kernels/cpu/kernel_table.h"

/// The portable kernels, one for each entry of KernelTable: written to be read, and the check of the others.
namespace weir::kernels::cpu::scalar {

float quantize_row(const float* x, std::int64_t k, std::int64_t padded, std::int8_t* q);
void pack_tile(const std::int8_t* q, std::int64_t stride, int rows, std::int64_t depth_groups, std::int32_t* out);
void int8_tile(const Int8Tile& tile);
void int8_streams(const Int8Streams& call);
void decode_range(const DecodeRange& call);
void prefill_block(const PrefillBlock& block);

}  // namespace weir::kernels::cpu::scalar
