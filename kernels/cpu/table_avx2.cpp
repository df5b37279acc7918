#include "kernels/cpu/avx2_kernels.h"

namespace weir::kernels::cpu {

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

const KernelTable* avx2_table() {
  static constexpr KernelTable table{.quantize_row = avx2::quantize_row,
                                     .pack_tile = avx2::pack_tile,
                                     .int8_tile = avx2::int8_tile,
                                     .int8_streams = avx2::int8_streams,
                                     .decode_range = avx2::decode_range,
                                     .prefill_block = avx2::prefill_block,
                                     .rms_norm_row = avx2::rms_norm_row,
                                     .silu_mul_row = avx2::silu_mul_row,
                                     .add_range = avx2::add_range,
                                     .rotate_head = avx2::rotate_head,
                                     .to_half = avx2::to_half,
                                     .to_bfloat = avx2::to_bfloat};
  return &table;
}

#else

const KernelTable* avx2_table() { return nullptr; }

#endif

}  // namespace weir::kernels::cpu
