#include "kernels/cpu/avx2_kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "kernels/cpu/math_avx2.h"

namespace weir::kernels::cpu::avx2 {
namespace {

__m256 silu_times(__m256 gate, __m256 up) {
  // exp is capped at 2^120: silu is x 2^-120 there, 0 beside any other value.
  const __m256 power = _mm256_min_ps(_mm256_set1_ps(120.0F), _mm256_mul_ps(gate, _mm256_set1_ps(-kLog2E)));
  const __m256 denominator = _mm256_add_ps(_mm256_set1_ps(1.0F), exp2_lanes(power));
  return _mm256_mul_ps(_mm256_div_ps(gate, denominator), up);
}

std::uint16_t bfloat_of(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

/// Upper halves of 8 floats, rounded to nearest even, in the lower 16 bits of each lane.
__m256i bfloat_lanes(__m256 value) {
  const __m256i bits = _mm256_castps_si256(value);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i rounded = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
  const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
  const __m256 nan = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
  const __m256i chosen = _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(nan));
  return _mm256_srli_epi32(chosen, 16);
}

}  // namespace

void rms_norm_row(const float* x, const float* weight, float* out, std::int64_t width, float epsilon) {
  __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
  std::int64_t i = 0;
  for (; i + 32 <= width; i += 32) {
    const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + 8);
    const __m256 c = _mm256_loadu_ps(x + i + 16), d = _mm256_loadu_ps(x + i + 24);
    s0 = _mm256_fmadd_ps(a, a, s0);
    s1 = _mm256_fmadd_ps(b, b, s1);
    s2 = _mm256_fmadd_ps(c, c, s2);
    s3 = _mm256_fmadd_ps(d, d, s3);
  }
  float squares = sum_lanes(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
  for (; i < width; ++i) squares += x[i] * x[i];
  const float scale = 1.0F / _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(squares / static_cast<float>(width) + epsilon)));
  const __m256 factor = _mm256_set1_ps(scale);
  for (i = 0; i + 8 <= width; i += 8) {
    _mm256_storeu_ps(out + i,
                     _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(x + i), factor), _mm256_loadu_ps(weight + i)));
  }
  for (; i < width; ++i) out[i] = x[i] * scale * weight[i];
}

void silu_mul_row(const float* x, float* out, std::int64_t width) {
  std::int64_t i = 0;
  for (; i + 8 <= width; i += 8) {
    _mm256_storeu_ps(out + i, silu_times(_mm256_loadu_ps(x + i), _mm256_loadu_ps(x + width + i)));
  }
  if (i == width) return;
  const __m256i mask = first_lanes(width - i);
  const __m256 gate = _mm256_maskload_ps(x + i, mask), up = _mm256_maskload_ps(x + width + i, mask);
  _mm256_maskstore_ps(out + i, mask, silu_times(gate, up));
}

void add_range(float* x, const float* y, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(x + i, _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
  }
  for (; i < count; ++i) x[i] += y[i];
}

void rotate_head(const float* in, const float* cosine, const float* sine, float* out, std::int64_t half) {
  std::int64_t i = 0;
  for (; i + 8 <= half; i += 8) {
    const __m256 a = _mm256_loadu_ps(in + i), b = _mm256_loadu_ps(in + half + i);
    const __m256 c = _mm256_loadu_ps(cosine + i), s = _mm256_loadu_ps(sine + i);
    _mm256_storeu_ps(out + i, _mm256_sub_ps(_mm256_mul_ps(a, c), _mm256_mul_ps(b, s)));
    _mm256_storeu_ps(out + half + i, _mm256_add_ps(_mm256_mul_ps(b, c), _mm256_mul_ps(a, s)));
  }
  for (; i < half; ++i) {
    const float a = in[i], b = in[half + i];
    out[i] = a * cosine[i] - b * sine[i];
    out[half + i] = b * cosine[i] + a * sine[i];
  }
}

void to_half(const float* in, std::uint16_t* out, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
  for (; i < count; ++i) {
    const __m128i bits = _mm_cvtps_ph(_mm_set_ss(in[i]), _MM_FROUND_TO_NEAREST_INT);
    out[i] = static_cast<std::uint16_t>(_mm_extract_epi16(bits, 0));
  }
}

void to_bfloat(const float* in, std::uint16_t* out, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i low = bfloat_lanes(_mm256_loadu_ps(in + i)), high = bfloat_lanes(_mm256_loadu_ps(in + i + 8));
    // packus works within 128-bit halves: put the middle quarters in order.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), packed);
  }
  for (; i < count; ++i) out[i] = bfloat_of(in[i]);
}

}  // namespace weir::kernels::cpu::avx2

#endif
