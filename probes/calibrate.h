#pragma once

#include "data/calibration.h"
#include "data/progress.h"
#include "kernels/device.h"

namespace weir::probes {

struct CalibrateOptions {
  bool full = false;
  double budget_s = 55;  ///< soft limit; points are dropped, evenly, when the machine is slower than that
};

/// Measures the device: limits beside the points, kernels on Llama-3.1-8B's shapes (quick) by the steady-state protocol,
/// and two whole layers (prefill of 512 tokens, decode at batch 8) that are kept out of the fit.
data::Calibration calibrate(kernels::Device& device, const CalibrateOptions& options, const data::Progress& progress);

}  // namespace weir::probes
