#pragma once

#include "data/calibration.h"
#include "data/progress.h"
#include "kernels/device.h"

namespace weir::probes {

struct CalibrateOptions {
  bool full = false;
  double budget_s = 55;  ///< soft limit; points are dropped, evenly, when the machine is slower than that
};

/// Measures the device: limits beside the points, kernels on Llama-3.1-8B's shapes (quick) by the steady-state
/// protocol, and two whole layers (prefill of 512 tokens, decode at batch 8) that are kept out of the fit.
///
/// Samples: precision of gemm and layer = of the weights; of attention and rope = fp16 (the KV cache); of norm,
/// activation = fp32. A layer's `tokens` are the new ones of all its sequences,
/// `context_tokens` those that each sequence attends to, the new ones included.
/// Overheads: step_host_s + sequence_host_s a sequence (batch description, embedding, greedy choice of the next token),
/// kernel_launch_s (an empty kernel).
/// Throws data::Cancelled; kernels::DeviceError when the memory does not suffice.
data::Calibration calibrate(kernels::Device& device, const CalibrateOptions& options, const data::Progress& progress);

struct GridPlan;
/// The same over a grid of the caller's.
data::Calibration calibrate(kernels::Device& device, const GridPlan& plan, const data::Progress& progress);

/// FNV-1a (64 bits, hexadecimal) of the sample's canonical text: how fitted_on names it.
std::string sample_hash(const data::Sample& sample);

}  // namespace weir::probes
