#include "kernels/cpu/half.h"

#include <bit>

namespace weir::kernels::cpu {

std::uint16_t half_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U | ((magnitude >> 13) & 0x3FFU));
  // 65520 is the middle between the largest half, 65504, and the next step: it and all above become infinity.
  if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);
  if (magnitude < 0x33000000U) return static_cast<std::uint16_t>(sign);  // below 2^-25
  std::uint32_t mantissa = magnitude & 0x7FFFFFU;
  std::uint32_t shift = 13;
  std::uint32_t result = 0;
  if (magnitude < 0x38800000U) {  // below 2^-14: a subnormal half, the leading one becomes explicit
    mantissa |= 0x800000U;
    shift = 126 - (magnitude >> 23);
  } else {
    result = ((magnitude >> 23) - 112) << 10;
  }
  result += mantissa >> shift;
  const std::uint32_t rest = mantissa & ((1U << shift) - 1);
  const std::uint32_t middle = 1U << (shift - 1);
  if (rest > middle || (rest == middle && (result & 1U) != 0)) ++result;  // a carry moves on into the exponent
  return static_cast<std::uint16_t>(sign | result);
}

float float_from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  std::uint32_t exponent = (bits >> 10) & 0x1FU;
  std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 31) {
    const std::uint32_t quiet = mantissa != 0 ? 0x400000U : 0U;
    return std::bit_cast<float>(sign | 0x7F800000U | quiet | (mantissa << 13));
  }
  if (exponent == 0) {
    if (mantissa == 0) return std::bit_cast<float>(sign);
    exponent = 1;
    while ((mantissa & 0x400U) == 0) {
      mantissa <<= 1;
      --exponent;
    }
    mantissa &= 0x3FFU;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t bfloat_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

float float_from_bfloat(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace weir::kernels::cpu
