#include "kernels/cpu/avx2_kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "kernels/cpu/math_avx2.h"

namespace weir::kernels::cpu::avx2 {
namespace {

constexpr float kMinusInfinity = -__builtin_inff();
constexpr int kHeadGroup = 4;    ///< query heads that share a loaded line in decode
constexpr int kMicroRows = 6;    ///< rows of the FP32 micro kernel
constexpr int kLineHalves = 32;  ///< FP16 values of a cache line

std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

/// Turns scores[0..count) into 2^(score - max), zeros up to `padded` (a multiple of 8), and updates the running maximum
/// and sum. Returns what older sums have to be multiplied with.
float softmax_step(float* scores, std::int64_t count, std::int64_t padded, float& max, float& sum) {
  for (std::int64_t i = count; i < padded; ++i) scores[i] = kMinusInfinity;
  __m256 top = _mm256_set1_ps(max);
  for (std::int64_t i = 0; i < padded; i += 8) top = _mm256_max_ps(top, _mm256_loadu_ps(scores + i));
  const float new_max = max_lanes(top);
  const __m256 shift = _mm256_set1_ps(new_max);
  __m256 total = _mm256_setzero_ps();
  for (std::int64_t i = 0; i < padded; i += 8) {
    const __m256 weight = exp2_lanes(_mm256_sub_ps(_mm256_loadu_ps(scores + i), shift));
    _mm256_storeu_ps(scores + i, weight);
    total = _mm256_add_ps(total, weight);
  }
  const float factor = new_max == max ? 1.0F : _mm256_cvtss_f32(exp2_lanes(_mm256_set1_ps(max - new_max)));
  sum = sum * factor + sum_lanes(total);
  max = new_max;
  return factor;
}

// ---- Decode ------------------------------------------------------------------------------------------

/// Scores of 16 tokens for G heads. Few heads take several dimensions at once, or the adds would wait for each other.
template <int G>
void score_tile(const float* q, std::int64_t head_dim, const std::uint16_t* keys, float* scores,
                const std::uint16_t* next) {
  const float *q0 = q, *q1 = q + (G > 1 ? head_dim : 0), *q2 = q + (G > 2 ? 2 * head_dim : 0),
              *q3 = q + (G > 3 ? 3 * head_dim : 0);
  __m256 a0 = _mm256_setzero_ps(), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  std::int64_t d = 0;
  const auto step = [&](std::int64_t at, __m256& a, __m256& b, const float* query, __m256 low, __m256 high) {
    const __m256 value = _mm256_set1_ps(query[at]);
    a = _mm256_fmadd_ps(value, low, a);
    b = _mm256_fmadd_ps(value, high, b);
  };
  constexpr int kUnroll = G == 1 ? 4 : 2;
  for (; d + kUnroll <= head_dim; d += kUnroll) {
    _mm_prefetch(reinterpret_cast<const char*>(next + d * kTokenTile), _MM_HINT_T0);
    if constexpr (G == 1) {
      _mm_prefetch(reinterpret_cast<const char*>(next + d * kTokenTile + kLineHalves), _MM_HINT_T0);
    }
    const std::uint16_t* k = keys + d * kTokenTile;
    const __m256 low0 = load_half(k), high0 = load_half(k + 8), low1 = load_half(k + 16), high1 = load_half(k + 24);
    if constexpr (G == 1) {
      step(d, a0, a1, q0, low0, high0);
      step(d + 1, b0, b1, q0, low1, high1);
      step(d + 2, c0, c1, q0, load_half(k + 32), load_half(k + 40));
      step(d + 3, d0, d1, q0, load_half(k + 48), load_half(k + 56));
    } else if constexpr (G == 2) {
      step(d, a0, a1, q0, low0, high0);
      step(d, b0, b1, q1, low0, high0);
      step(d + 1, c0, c1, q0, low1, high1);
      step(d + 1, d0, d1, q1, low1, high1);
    } else {
      step(d, a0, a1, q0, low0, high0);
      step(d, b0, b1, q1, low0, high0);
      step(d, c0, c1, q2, low0, high0);
      if constexpr (G == 4) step(d, d0, d1, q3, low0, high0);
      step(d + 1, a0, a1, q0, low1, high1);
      step(d + 1, b0, b1, q1, low1, high1);
      step(d + 1, c0, c1, q2, low1, high1);
      if constexpr (G == 4) step(d + 1, d0, d1, q3, low1, high1);
    }
  }
  if constexpr (G == 1) {
    a0 = _mm256_add_ps(_mm256_add_ps(a0, b0), _mm256_add_ps(c0, d0));
    a1 = _mm256_add_ps(_mm256_add_ps(a1, b1), _mm256_add_ps(c1, d1));
  } else if constexpr (G == 2) {
    a0 = _mm256_add_ps(a0, c0);
    a1 = _mm256_add_ps(a1, c1);
    b0 = _mm256_add_ps(b0, d0);
    b1 = _mm256_add_ps(b1, d1);
  }
  for (; d < head_dim; ++d) {
    const __m256 low = load_half(keys + d * kTokenTile), high = load_half(keys + d * kTokenTile + 8);
    step(d, a0, a1, q0, low, high);
    if constexpr (G > 1) step(d, b0, b1, q1, low, high);
    if constexpr (G > 2) step(d, c0, c1, q2, low, high);
    if constexpr (G > 3) step(d, d0, d1, q3, low, high);
  }
  const auto store = [&](int head, __m256 low, __m256 high) {
    _mm256_storeu_ps(scores + head * kDecodeChunk, low);
    _mm256_storeu_ps(scores + head * kDecodeChunk + 8, high);
  };
  store(0, a0, a1);
  if constexpr (G > 1) store(1, b0, b1);
  if constexpr (G > 2) store(2, c0, c1);
  if constexpr (G > 3) store(3, d0, d1);
}

/// out[head][16 dims] += weights[head][token] x values[token][16 dims] for G heads.
template <int G>
void value_tile(const float* weights, const std::uint16_t* values, std::int64_t tokens, float* out,
                std::int64_t out_stride, const std::uint16_t* next) {
  float *o0 = out, *o1 = out + (G > 1 ? out_stride : 0), *o2 = out + (G > 2 ? 2 * out_stride : 0),
        *o3 = out + (G > 3 ? 3 * out_stride : 0);
  __m256 a0 = _mm256_loadu_ps(o0), a1 = _mm256_loadu_ps(o0 + 8), b0 = _mm256_loadu_ps(o1), b1 = _mm256_loadu_ps(o1 + 8);
  __m256 c0 = _mm256_loadu_ps(o2), c1 = _mm256_loadu_ps(o2 + 8), d0 = _mm256_loadu_ps(o3), d1 = _mm256_loadu_ps(o3 + 8);
  for (std::int64_t line = 0; line < kTokenTile * kDimTile; line += kLineHalves) {
    _mm_prefetch(reinterpret_cast<const char*>(next + line), _MM_HINT_T0);
  }
  for (std::int64_t t = 0; t < tokens; ++t) {
    const __m256 low = load_half(values + t * kDimTile), high = load_half(values + t * kDimTile + 8);
    const auto step = [&](int head, __m256& a, __m256& b) {
      const __m256 weight = _mm256_set1_ps(weights[head * kDecodeChunk + t]);
      a = _mm256_fmadd_ps(weight, low, a);
      b = _mm256_fmadd_ps(weight, high, b);
    };
    step(0, a0, a1);
    if constexpr (G > 1) step(1, b0, b1);
    if constexpr (G > 2) step(2, c0, c1);
    if constexpr (G > 3) step(3, d0, d1);
  }
  _mm256_storeu_ps(o0, a0);
  _mm256_storeu_ps(o0 + 8, a1);
  if constexpr (G > 1) _mm256_storeu_ps(o1, b0);
  if constexpr (G > 1) _mm256_storeu_ps(o1 + 8, b1);
  if constexpr (G > 2) _mm256_storeu_ps(o2, c0);
  if constexpr (G > 2) _mm256_storeu_ps(o2 + 8, c1);
  if constexpr (G > 3) _mm256_storeu_ps(o3, d0);
  if constexpr (G > 3) _mm256_storeu_ps(o3 + 8, d1);
}

using ScoreKernel = void (*)(const float*, std::int64_t, const std::uint16_t*, float*, const std::uint16_t*);
using ValueKernel = void (*)(const float*, const std::uint16_t*, std::int64_t, float*, std::int64_t,
                             const std::uint16_t*);
constexpr ScoreKernel kScoreKernels[kHeadGroup] = {score_tile<1>, score_tile<2>, score_tile<3>, score_tile<4>};
constexpr ValueKernel kValueKernels[kHeadGroup] = {value_tile<1>, value_tile<2>, value_tile<3>, value_tile<4>};

void scale_row(float* row, std::int64_t count, float factor) {
  const __m256 f = _mm256_set1_ps(factor);
  for (std::int64_t i = 0; i < count; i += 8) _mm256_storeu_ps(row + i, _mm256_mul_ps(_mm256_loadu_ps(row + i), f));
}

/// `count` tokens in `tiles`: scores, softmax, values. `after` is the tile that comes next, to be fetched early.
void decode_chunk(const DecodeRange& call, const std::uint16_t* const* tiles, std::int64_t count,
                  const std::uint16_t* after) {
  const std::int64_t used = (count + kTokenTile - 1) / kTokenTile, value_offset = call.head_dim * kTokenTile;
  for (std::int64_t t = 0; t < used; ++t) {
    const std::uint16_t* next = t + 1 < used ? tiles[t + 1] : tiles[0] + value_offset;
    for (int h = 0; h < call.heads; h += kHeadGroup) {
      const int group = static_cast<int>(smaller(kHeadGroup, call.heads - h));
      kScoreKernels[group - 1](call.q + h * call.head_dim, call.head_dim, tiles[t],
                               call.scores + h * kDecodeChunk + t * kTokenTile, next);
    }
  }
  for (int h = 0; h < call.heads; ++h) {
    const float factor =
        softmax_step(call.scores + h * kDecodeChunk, count, used * kTokenTile, call.max[h], call.sum[h]);
    if (factor < 1.0F) scale_row(call.out + h * call.padded_dim, call.padded_dim, factor);
  }
  for (std::int64_t t = 0; t < used; ++t) {
    const std::uint16_t* next = t + 1 < used ? tiles[t + 1] + value_offset : after;
    const std::int64_t tokens = smaller(kTokenTile, count - t * kTokenTile);
    for (std::int64_t d = 0; d < call.padded_dim; d += kDimTile) {
      for (int h = 0; h < call.heads; h += kHeadGroup) {
        const int group = static_cast<int>(smaller(kHeadGroup, call.heads - h));
        kValueKernels[group - 1](call.scores + h * kDecodeChunk + t * kTokenTile,
                                 tiles[t] + value_offset + d * kTokenTile, tokens, call.out + h * call.padded_dim + d,
                                 call.padded_dim, next + d * kTokenTile);
      }
    }
  }
}

// ---- Prefill -----------------------------------------------------------------------------------------

/// c[R][16] = (factors ? factors[r] c : 0) + a[R][k] b[k][16].
template <int R>
void micro(const float* a, std::int64_t a_stride, const float* b, std::int64_t k, float* c, std::int64_t c_stride,
           const float* factors) {
#define WEIR_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define WEIR_DECLARE(i)                                        \
  const float* a##i = a + (R > i ? i : 0) * a_stride;          \
  float* out##i = c + (R > i ? i : 0) * c_stride;              \
  __m256 l##i = _mm256_setzero_ps(), h##i = l##i;              \
  if (R > i && factors != nullptr) {                           \
    const __m256 factor = _mm256_set1_ps(factors[i]);          \
    l##i = _mm256_mul_ps(_mm256_loadu_ps(out##i), factor);     \
    h##i = _mm256_mul_ps(_mm256_loadu_ps(out##i + 8), factor); \
  }
  WEIR_ROWS(WEIR_DECLARE)
#undef WEIR_DECLARE
  for (std::int64_t i = 0; i < k; ++i) {
    const __m256 low = _mm256_loadu_ps(b + i * 16), high = _mm256_loadu_ps(b + i * 16 + 8);
#define WEIR_STEP(r)                              \
  if constexpr (R > r) {                          \
    const __m256 value = _mm256_set1_ps(a##r[i]); \
    l##r = _mm256_fmadd_ps(value, low, l##r);     \
    h##r = _mm256_fmadd_ps(value, high, h##r);    \
  }
    WEIR_ROWS(WEIR_STEP)
#undef WEIR_STEP
  }
#define WEIR_STORE(i)                   \
  if constexpr (R > i) {                \
    _mm256_storeu_ps(out##i, l##i);     \
    _mm256_storeu_ps(out##i + 8, h##i); \
  }
  WEIR_ROWS(WEIR_STORE)
#undef WEIR_STORE
#undef WEIR_ROWS
}

using MicroKernel = void (*)(const float*, std::int64_t, const float*, std::int64_t, float*, std::int64_t,
                             const float*);
constexpr MicroKernel kMicro[kMicroRows] = {micro<1>, micro<2>, micro<3>, micro<4>, micro<5>, micro<6>};

void widen(const std::uint16_t* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += 8) _mm256_storeu_ps(to + i, load_half(from + i));
}

/// K and V of tokens [begin, begin + count) to FP32, once for all rows of the block.
void widen_chunk(const PrefillBlock& block, std::int64_t begin, std::int64_t count) {
  const std::int64_t d = block.head_dim;
  for (std::int64_t t = 0; t < count; t += kTokenTile) {
    const std::uint16_t* tile = block.tiles[(begin + t) / kTokenTile];
    widen(tile, block.keys + t * d, d * kTokenTile);
    const std::int64_t tokens = smaller(kTokenTile, count - t);
    for (std::int64_t c = 0; c < block.padded_dim; c += kDimTile) {
      widen(tile + d * kTokenTile + c * kTokenTile, block.values + c * kPrefillChunk + t * kDimTile, tokens * kDimTile);
    }
  }
}

void prefill_chunk(const PrefillBlock& block, std::int64_t begin, std::int64_t count) {
  const std::int64_t d = block.head_dim, padded_count = (count + kTokenTile - 1) / kTokenTile * kTokenTile;
  float factors[kPrefillRows];
  for (std::int64_t t = 0; t < count; t += kTokenTile) {
    for (int r = 0; r < block.rows; r += kMicroRows) {
      const int rows = static_cast<int>(smaller(kMicroRows, block.rows - r));
      kMicro[rows - 1](block.q + r * d, d, block.keys + t * d, d, block.scores + r * kPrefillChunk + t, kPrefillChunk,
                       nullptr);
    }
  }
  for (int r = 0; r < block.rows; ++r) {
    float* scores = block.scores + r * kPrefillChunk;
    const std::int64_t visible = smaller(count, block.visible[r] - begin);
    if (visible > 0) {
      factors[r] = softmax_step(scores, visible, padded_count, block.max[r], block.sum[r]);
    } else {
      factors[r] = 1.0F;
      for (std::int64_t i = 0; i < padded_count; ++i) scores[i] = 0.0F;
    }
  }
  for (std::int64_t c = 0; c < block.padded_dim; c += kDimTile) {
    for (int r = 0; r < block.rows; r += kMicroRows) {
      const int rows = static_cast<int>(smaller(kMicroRows, block.rows - r));
      kMicro[rows - 1](block.scores + r * kPrefillChunk, kPrefillChunk, block.values + c * kPrefillChunk, count,
                       block.out + r * block.padded_dim + c, block.padded_dim, factors + r);
    }
  }
}

void start(float* out, float* max, float* sum, std::int64_t rows, std::int64_t padded_dim) {
  for (std::int64_t i = 0; i < rows * padded_dim; ++i) out[i] = 0.0F;
  for (std::int64_t r = 0; r < rows; ++r) {
    max[r] = kMinusInfinity;
    sum[r] = 0.0F;
  }
}

}  // namespace

void decode_range(const DecodeRange& call) {
  start(call.out, call.max, call.sum, call.heads, call.padded_dim);
  for (std::int64_t begin = 0; begin < call.tokens; begin += kDecodeChunk) {
    const std::uint16_t* const* tiles = call.tiles + begin / kTokenTile;
    const bool last = begin + kDecodeChunk >= call.tokens;
    decode_chunk(call, tiles, smaller(kDecodeChunk, call.tokens - begin),
                 last ? tiles[0] : tiles[kDecodeChunk / kTokenTile]);
  }
}

void prefill_block(const PrefillBlock& block) {
  start(block.out, block.max, block.sum, block.rows, block.padded_dim);
  for (std::int64_t begin = 0; begin < block.largest_visible; begin += kPrefillChunk) {
    const std::int64_t count = smaller(kPrefillChunk, block.largest_visible - begin);
    widen_chunk(block, begin, count);
    prefill_chunk(block, begin, count);
  }
}

}  // namespace weir::kernels::cpu::avx2

#endif
