#pragma once

#include <cstdint>

namespace weir::kernels::cpu {

/// IEEE binary16 and bfloat16, round to nearest even, NaN stays NaN (quiet).
std::uint16_t half_from_float(float value);
float float_from_half(std::uint16_t bits);
std::uint16_t bfloat_from_float(float value);
float float_from_bfloat(std::uint16_t bits);

}  // namespace weir::kernels::cpu
