#include "kernels/cpu/avx2_kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include <immintrin.h>

// Accumulators are named, never an array: GCC 12 keeps arrays in memory and then loads and stores in the hot loop.

namespace weir::kernels::cpu::avx2 {
namespace {

constexpr std::int64_t kPrefetchBytes = 1024;
constexpr std::int64_t kGroupBytes = kPanelColumns * kDepthGroup;  // of a panel

__m256i load(const std::int8_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }

__m256i broadcast4(const std::int8_t* from) {
  std::int32_t bits;
  __builtin_memcpy(&bits, from, sizeof(bits));
  return _mm256_set1_epi32(bits);
}

/// c[0..columns) = sums x (a_scale x w_scale).
void store_row(__m256i sums, float a_scale, const float* w_scale, float* c, int columns) {
  const __m256 scale = _mm256_mul_ps(_mm256_set1_ps(a_scale), _mm256_loadu_ps(w_scale));
  const __m256 result = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scale);
  if (columns == kPanelColumns) {
    _mm256_storeu_ps(c, result);
    return;
  }
  alignas(32) float all[kPanelColumns];
  _mm256_store_ps(all, result);
  for (int j = 0; j < columns; ++j) c[j] = all[j];
}

// ---- Many rows: 16-bit products in pairs ------------------------------------------------------------
// vpmaddwd on sign-extended bytes is exact (2 x 127 x 127 in 32 bits); vpmaddubsw on offset bytes would saturate.

/// The empty asm keeps GCC from loading all broadcasts of an iteration first, which pushes accumulators out to memory.
void add_product(__m256i& sums, __m256i w, __m256i a) {
  __asm__ volatile("" : "+x"(a), "+x"(sums));
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(w, a));
}

#define WEIR_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

template <int R>
void tile_rows(const Int8Tile& tile) {
  const std::int32_t* a = tile.a;
  const std::int8_t* w = tile.panel;
#define WEIR_DECLARE(i) __m256i c##i = _mm256_setzero_si256();
  WEIR_ROWS(WEIR_DECLARE)
#undef WEIR_DECLARE
  for (std::int64_t g = 0; g < tile.depth_groups; ++g) {
    _mm_prefetch(w + kPrefetchBytes, _MM_HINT_T0);
    const __m256i bytes = load(w);
    const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8);  // k 0 and 2 of each column
    const __m256i odd = _mm256_srai_epi16(bytes, 8);                         // k 1 and 3
#define WEIR_STEP(i)                                         \
  if constexpr (R > i) {                                     \
    add_product(c##i, even, _mm256_set1_epi32(a[2 * i]));    \
    add_product(c##i, odd, _mm256_set1_epi32(a[2 * i + 1])); \
  }
    WEIR_ROWS(WEIR_STEP)
#undef WEIR_STEP
    a += 2 * R;
    w += kGroupBytes;
  }
  // Straight to memory: branches behind the loop would cost the accumulators their registers in it.
  __m256i sums[R];
#define WEIR_STORE(i) \
  if constexpr (R > i) _mm256_store_si256(sums + i, c##i);
  WEIR_ROWS(WEIR_STORE)
#undef WEIR_STORE
  for (int i = 0; i < R; ++i) {
    store_row(_mm256_load_si256(sums + i), tile.a_scale[i], tile.w_scale, tile.c + i * tile.c_stride, tile.columns);
  }
}

// ---- Few rows: as fast as memory delivers --------------------------------------------------------------
// |a| is the unsigned operand and w takes the sign of a. Both are within +-127, so a pair of products is at most
// 2 x 127 x 127 = 32258 < 32768 and vpmaddubsw cannot saturate.

__m256i dot4(__m256i sums, __m256i w, __m256i a, __m256i magnitude) {
  const __m256i pairs = _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(w, a));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#define WEIR_STREAM_ROWS(X) X(0) X(1) X(2)

template <int R>
void stream_rows(const Int8Streams& call) {
  const std::int8_t *w0 = call.panel[0], *w1 = call.panel[1], *w2 = call.panel[2], *w3 = call.panel[3];
#define WEIR_DECLARE(i)                                                                \
  [[maybe_unused]] const std::int8_t* a##i = call.a + (R > i ? i : 0) * call.a_stride; \
  __m256i c##i##0 = _mm256_setzero_si256(), c##i##1 = c##i##0, c##i##2 = c##i##0, c##i##3 = c##i##0;
  WEIR_STREAM_ROWS(WEIR_DECLARE)
#undef WEIR_DECLARE
  const std::int64_t end = call.depth_groups * kGroupBytes;
  for (std::int64_t at = 0; at < end; at += kGroupBytes) {
    _mm_prefetch(w0 + at + kPrefetchBytes, _MM_HINT_T0);
    _mm_prefetch(w1 + at + kPrefetchBytes, _MM_HINT_T0);
    _mm_prefetch(w2 + at + kPrefetchBytes, _MM_HINT_T0);
    _mm_prefetch(w3 + at + kPrefetchBytes, _MM_HINT_T0);
#define WEIR_STEP(i)                                          \
  if constexpr (R > i) {                                      \
    __m256i value = broadcast4(a##i);                         \
    __asm__ volatile("" : "+x"(value), "+x"(c##i##0));        \
    const __m256i magnitude = _mm256_abs_epi8(value);         \
    c##i##0 = dot4(c##i##0, load(w0 + at), value, magnitude); \
    c##i##1 = dot4(c##i##1, load(w1 + at), value, magnitude); \
    c##i##2 = dot4(c##i##2, load(w2 + at), value, magnitude); \
    c##i##3 = dot4(c##i##3, load(w3 + at), value, magnitude); \
    a##i += kDepthGroup;                                      \
  }
    WEIR_STREAM_ROWS(WEIR_STEP)
#undef WEIR_STEP
  }
  __m256i sums[R][kStreams];
#define WEIR_STORE(i)                         \
  if constexpr (R > i) {                      \
    _mm256_store_si256(&sums[i][0], c##i##0); \
    _mm256_store_si256(&sums[i][1], c##i##1); \
    _mm256_store_si256(&sums[i][2], c##i##2); \
    _mm256_store_si256(&sums[i][3], c##i##3); \
  }
  WEIR_STREAM_ROWS(WEIR_STORE)
#undef WEIR_STORE
  for (int i = 0; i < R; ++i) {
    for (int s = 0; s < kStreams; ++s) {
      store_row(_mm256_load_si256(&sums[i][s]), call.a_scale[i], call.w_scale[s], call.c[s] + i * call.c_stride,
                call.columns[s]);
    }
  }
}

std::uint32_t largest_lane(__m256i v) {
  __m128i m = _mm_max_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0x4E));
  m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0xB1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(m));
}

}  // namespace

float quantize_row(const float* x, std::int64_t k, std::int64_t padded, std::int8_t* q) {
  constexpr std::uint32_t kInfinityBits = 0x7F800000U;
  constexpr float kLeastAbsmax = 1e-30F;  // see the scalar kernel
  const __m256i mask = _mm256_set1_epi32(0x7FFFFFFF);
  __m256i largest = _mm256_setzero_si256();
  std::int64_t i = 0;
  for (; i + 8 <= k; i += 8) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
    largest = _mm256_max_epu32(largest, _mm256_and_si256(bits, mask));
  }
  std::uint32_t top = largest_lane(largest);
  for (; i < k; ++i) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, x + i, sizeof(bits));
    bits &= 0x7FFFFFFFU;
    if (bits > top) top = bits;
  }
  float absmax;
  __builtin_memcpy(&absmax, &top, sizeof(absmax));
  const bool usable = top < kInfinityBits && absmax >= kLeastAbsmax;
  if (!usable) {
    for (i = 0; i < padded; ++i) q[i] = 0;
    return top < kInfinityBits ? 0.0F : __builtin_nanf("");
  }
  const float inverse = 127.0F / absmax;
  const __m256 factor = _mm256_set1_ps(inverse);
  for (i = 0; i + 8 <= k; i += 8) {
    const __m256i words = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i), factor));
    const __m128i halves = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(q + i), _mm_packs_epi16(halves, halves));
  }
  for (; i < k; ++i) q[i] = static_cast<std::int8_t>(_mm_cvtss_si32(_mm_set_ss(x[i] * inverse)));
  for (; i < padded; ++i) q[i] = 0;
  return absmax / 127.0F;
}

void pack_tile(const std::int8_t* q, std::int64_t stride, int rows, std::int64_t depth_groups, std::int32_t* out) {
  // (a0 a1 a2 a3) to (a0 a2 a1 a3): one 64-bit word a row and group after sign extension.
  const __m128i order = _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
  const std::int64_t step = 2 * rows;
  for (int r = 0; r < rows; ++r) {
    const std::int8_t* from = q + r * stride;
    std::int32_t* to = out + 2 * r;
    std::int64_t g = 0;
    for (; g + 4 <= depth_groups; g += 4, from += 16, to += 4 * step) {
      const __m128i bytes = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), order);
      const __m128i low = _mm_cvtepi8_epi16(bytes), high = _mm_cvtepi8_epi16(_mm_unpackhi_epi64(bytes, bytes));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), low);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + step), _mm_unpackhi_epi64(low, low));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 2 * step), high);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 3 * step), _mm_unpackhi_epi64(high, high));
    }
    for (; g < depth_groups; ++g, from += kDepthGroup, to += step) {
      std::int32_t bits;
      __builtin_memcpy(&bits, from, sizeof(bits));
      const __m128i bytes = _mm_shuffle_epi8(_mm_cvtsi32_si128(bits), order);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_cvtepi8_epi16(bytes));
    }
  }
}

void int8_tile(const Int8Tile& tile) {
  using Kernel = void (*)(const Int8Tile&);
  static constexpr Kernel kernels[kTileRows] = {tile_rows<1>, tile_rows<2>,  tile_rows<3>,  tile_rows<4>,
                                                tile_rows<5>, tile_rows<6>,  tile_rows<7>,  tile_rows<8>,
                                                tile_rows<9>, tile_rows<10>, tile_rows<11>, tile_rows<12>};
  kernels[tile.rows - 1](tile);
}

void int8_streams(const Int8Streams& call) {
  using Kernel = void (*)(const Int8Streams&);
  static constexpr Kernel kernels[kStreamRows] = {stream_rows<1>, stream_rows<2>, stream_rows<3>};
  kernels[call.rows - 1](call);
}

#undef WEIR_ROWS
#undef WEIR_STREAM_ROWS

}  // namespace weir::kernels::cpu::avx2

#endif
