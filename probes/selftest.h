#pragma once

#include <functional>
#include <string>

#include "kernels/device.h"

namespace weir::probes {

/// One check: a kernel against its FP64 reference on one small shape.
struct SelfCheck {
  std::string what;  ///< "gemm int8, scalar, m=3 n=17 k=65"
  bool passed = false;
  double error = 0, tolerance = 0;
  std::string problem;  ///< what was thrown, if anything
};

/// Runs every kernel of `device` against its reference on odd shapes; hands each check over as it is done. `label`
/// names the device. True when all passed.
bool run_selftest(kernels::Device& device, const std::string& label, const std::function<void(const SelfCheck&)>& show);

}  // namespace weir::probes
