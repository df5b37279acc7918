#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::probes {

struct GpuSeen {
  std::string name;
  double memory_bytes = 0;
};

/// What NVIDIA's management library says, opened at run time (libnvidia-ml.so.1 belongs to the driver).
struct NvmlReport {
  bool library = false;  ///< the library could be opened
  std::string problem;   ///< why it gives no list; empty when it does
  std::string driver_version;
  std::vector<GpuSeen> gpus;
};
NvmlReport ask_nvml();

/// Whether the driver's CUDA library (libcuda.so.1) can be opened.
bool cuda_library_opens();

}  // namespace weir::probes
