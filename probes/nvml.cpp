#include "probes/nvml.h"

#include <dlfcn.h>

#include <array>
#include <memory>

namespace weir::probes {
namespace {

// Our own declarations of the few functions used: NVIDIA keeps this C interface stable, and its header is not part of
// every toolkit.
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total, free, used;
};
constexpr int kNvmlSuccess = 0;

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class Function>
Function* symbol(const Library& library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library.get(), name));
}

struct NvmlFunctions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*device)(unsigned, NvmlDevice*) = nullptr;
  int (*name)(NvmlDevice, char*, unsigned) = nullptr;
  int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;
  const char* (*error_text)(int) = nullptr;

  explicit NvmlFunctions(const Library& library)
      : init(symbol<int()>(library, "nvmlInit_v2")),
        shutdown(symbol<int()>(library, "nvmlShutdown")),
        driver_version(symbol<int(char*, unsigned)>(library, "nvmlSystemGetDriverVersion")),
        count(symbol<int(unsigned*)>(library, "nvmlDeviceGetCount_v2")),
        device(symbol<int(unsigned, NvmlDevice*)>(library, "nvmlDeviceGetHandleByIndex_v2")),
        name(symbol<int(NvmlDevice, char*, unsigned)>(library, "nvmlDeviceGetName")),
        memory(symbol<int(NvmlDevice, NvmlMemory*)>(library, "nvmlDeviceGetMemoryInfo")),
        error_text(symbol<const char*(int)>(library, "nvmlErrorString")) {}
  bool complete() const {
    return init && shutdown && driver_version && count && device && name && memory && error_text;
  }
};

void list_gpus(const NvmlFunctions& nvml, NvmlReport& report) {
  std::array<char, 128> text{};
  if (nvml.driver_version(text.data(), static_cast<unsigned>(text.size())) == kNvmlSuccess) {
    report.driver_version = text.data();
  }
  unsigned count = 0;
  if (nvml.count(&count) != kNvmlSuccess) count = 0;
  for (unsigned index = 0; index < count; ++index) {
    NvmlDevice device = nullptr;
    if (nvml.device(index, &device) != kNvmlSuccess) continue;
    GpuSeen gpu;
    if (nvml.name(device, text.data(), static_cast<unsigned>(text.size())) == kNvmlSuccess) gpu.name = text.data();
    NvmlMemory memory{};
    if (nvml.memory(device, &memory) == kNvmlSuccess) gpu.memory_bytes = static_cast<double>(memory.total);
    report.gpus.push_back(std::move(gpu));
  }
}

}  // namespace

NvmlReport ask_nvml() {
  NvmlReport report;
  const Library library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
  if (!library) {
    report.problem = "libnvidia-ml.so.1 cannot be opened";
    return report;
  }
  report.library = true;
  const NvmlFunctions nvml(library);
  if (!nvml.complete()) {
    report.problem = "libnvidia-ml.so.1 lacks functions that drivers since 2014 have";
    return report;
  }
  if (const int status = nvml.init(); status != kNvmlSuccess) {
    report.problem = std::string("NVML: ") + nvml.error_text(status);
    return report;
  }
  list_gpus(nvml, report);
  nvml.shutdown();
  return report;
}

bool cuda_library_opens() { return Library(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) != nullptr; }

}  // namespace weir::probes
