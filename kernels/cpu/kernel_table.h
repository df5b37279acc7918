#pragma once

#include <cstdint>

namespace weir::kernels::cpu {

// Included by the units that are compiled for a higher instruction level: plain data and function pointers only. Inline
// code here could be emitted with AVX2 instructions and then be picked by the linker for every other unit.

inline constexpr int kPanelColumns = 8;   ///< columns (output rows of w) of an int8 panel
inline constexpr int kDepthGroup = 4;     ///< k steps that lie together in a panel: [k / 4][column][4]
inline constexpr int kTileRows = 12;      ///< most rows of a in one call of int8_tile
inline constexpr int kStreamRows = 3;     ///< most rows of a in one call of int8_streams
inline constexpr int kStreams = 4;        ///< panels int8_streams walks at once
inline constexpr int kTokenTile = 16;     ///< tokens of a KV tile
inline constexpr int kDimTile = 16;       ///< dimensions that lie together in the V part of a KV tile
inline constexpr int kDecodeChunk = 128;  ///< tokens between two softmax updates in decode
inline constexpr int kPrefillChunk = 64;  ///< tokens of a K/V chunk in prefill
inline constexpr int kPrefillRows = 48;   ///< most rows (query token x head) of a prefill block

/// `rows` rows of quantised activations, pair-interleaved in 16 bits, against one panel.
struct Int8Tile {
  const std::int32_t* a = nullptr;  ///< [depth_groups][rows][2]: 16-bit pairs (a0, a2), (a1, a3)
  const std::int8_t* panel = nullptr;
  std::int64_t depth_groups = 0;
  int rows = 0, columns = 0;  ///< columns to store; the panel itself is always full
  const float* a_scale = nullptr;
  const float* w_scale = nullptr;  ///< kPanelColumns values
  float* c = nullptr;
  std::int64_t c_stride = 0;
};

/// `rows` (few) rows of quantised activations against kStreams panels which lie far apart.
struct Int8Streams {
  const std::int8_t* a = nullptr;  ///< [rows][a_stride], zero-padded to whole depth groups
  std::int64_t a_stride = 0;
  const std::int8_t* panel[kStreams] = {};
  const float* w_scale[kStreams] = {};
  float* c[kStreams] = {};
  int columns[kStreams] = {};
  std::int64_t depth_groups = 0;
  int rows = 0;
  const float* a_scale = nullptr;
  std::int64_t c_stride = 0;
};

/// A KV tile is kTokenTile tokens of one KV head, FP16: K as [head_dim][16 tokens], then V as [padded_dim / 16][16
/// tokens][16 dims].
/// Decode: `heads` query heads of one KV head over `tokens` tokens. The queries carry log2(e) / sqrt(head_dim).
struct DecodeRange {
  const float* q = nullptr;  ///< [heads][head_dim]
  int heads = 0;
  std::int64_t head_dim = 0, padded_dim = 0, tokens = 0;
  const std::uint16_t* const* tiles = nullptr;
  float* scores = nullptr;  ///< scratch, [heads][kDecodeChunk]
  float* out = nullptr;     ///< [heads][padded_dim], not divided by `sum`
  float* max = nullptr;     ///< [heads], of the scores in base 2
  float* sum = nullptr;     ///< [heads]
};

/// Prefill: `rows` rows (query token, head), each seeing the first visible[row] tokens, largest_visible at most.
struct PrefillBlock {
  const float* q = nullptr;  ///< [rows][head_dim]
  int rows = 0;
  std::int64_t head_dim = 0, padded_dim = 0, largest_visible = 0;
  const std::int64_t* visible = nullptr;
  const std::uint16_t* const* tiles = nullptr;
  float* keys = nullptr;    ///< scratch, [kPrefillChunk / 16][head_dim][16]
  float* values = nullptr;  ///< scratch, [padded_dim / 16][kPrefillChunk][16]
  float* scores = nullptr;  ///< scratch, [rows][kPrefillChunk]
  float* out = nullptr;     ///< [rows][padded_dim], not divided by `sum`
  float* max = nullptr;     ///< [rows]
  float* sum = nullptr;     ///< [rows]
};

/// The kernels of one instruction level.
struct KernelTable {
  /// q = rint(x * 127 / absmax), zeros up to `padded`; returns absmax / 127 (0 for a row of zeros, NaN when an element
  /// is not finite).
  float (*quantize_row)(const float* x, std::int64_t k, std::int64_t padded, std::int8_t* q) = nullptr;
  /// rows of int8 [rows][stride] to the layout Int8Tile wants.
  void (*pack_tile)(const std::int8_t* q, std::int64_t stride, int rows, std::int64_t depth_groups,
                    std::int32_t* out) = nullptr;
  void (*int8_tile)(const Int8Tile&) = nullptr;
  void (*int8_streams)(const Int8Streams&) = nullptr;

  void (*decode_range)(const DecodeRange&) = nullptr;
  void (*prefill_block)(const PrefillBlock&) = nullptr;

  void (*rms_norm_row)(const float* x, const float* weight, float* out, std::int64_t width, float epsilon) = nullptr;
  void (*silu_mul_row)(const float* x, float* out, std::int64_t width) = nullptr;
  void (*add_range)(float* x, const float* y, std::int64_t count) = nullptr;
  /// in[i], in[i + half] rotated by the angle of (cosine[i], sine[i]); out may be in.
  void (*rotate_head)(const float* in, const float* cosine, const float* sine, float* out, std::int64_t half) = nullptr;
  void (*to_half)(const float* in, std::uint16_t* out, std::int64_t count) = nullptr;
  void (*to_bfloat)(const float* in, std::uint16_t* out, std::int64_t count) = nullptr;
};

const KernelTable& scalar_table();
/// Null when this build has no AVX2 units (not x86).
const KernelTable* avx2_table();

}  // namespace weir::kernels::cpu
