#pragma once

// For the *_avx2.cpp units alone. Everything has internal linkage (the unnamed namespace), so that no copy compiled
// with AVX2 can be linked into code that must run without it.

#include <immintrin.h>

#include <cstdint>

namespace weir::kernels::cpu::avx2 {
namespace {

constexpr float kLog2E = 1.44269504F;

/// 2^x; 0 for x < -126.5, so also for -infinity; x above 127.5 is not for this function. 2^x = 2^n 2^f with n the
/// nearest integer; 2^f is the Taylor series of degree 6, |f| <= 1/2: rest below (ln 2 / 2)^7 / 7! = 1.2e-7.
[[maybe_unused]] __m256 exp2_lanes(__m256 x) {
  x = _mm256_max_ps(_mm256_set1_ps(-127.0F), x);  // in this order NaN passes
  const __m256 n = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 f = _mm256_sub_ps(x, n);
  __m256 p = _mm256_set1_ps(1.540353039e-4F);  // ln(2)^6 / 6!
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.333355815e-3F));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(9.618129108e-3F));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(5.550410866e-2F));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(2.402265070e-1F));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(6.931471806e-1F));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0F));
  const __m256i exponent = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_mul_ps(p, _mm256_castsi256_ps(exponent));
}

[[maybe_unused]] float sum_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

[[maybe_unused]] float max_lanes(__m256 v) {
  __m128 s = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_max_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
}

/// 8 halves as floats.
[[maybe_unused]] __m256 load_half(const std::uint16_t* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

/// The first `count` (0..8) lanes; the others are 0 and not touched in memory.
[[maybe_unused]] __m256i first_lanes(std::int64_t count) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), index);
}

}  // namespace
}  // namespace weir::kernels::cpu::avx2
