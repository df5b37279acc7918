#pragma once

#include <cstdint>

#include "data/precision.h"
#include "kernels/device.h"

namespace weir::probes {

/// What computing at `precision` costs in accuracy: ||c - c_fp32|| / ||c_fp32|| (Frobenius) of a [16, 256] product over
/// k on bell-shaped operands, against the FP32 kernel of the same device.
double gemm_error_vs_fp32(kernels::Device& device, data::Precision precision, std::int64_t k);

}  // namespace weir::probes
