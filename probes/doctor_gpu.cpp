#include <algorithm>
#include <string>

#include "probes/doctor_parts.h"
#include "probes/machine_files.h"
#include "probes/nvml.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

int device_files(const fs::path& root) {
  int count = 0;
  std::error_code ignored;
  for (fs::directory_iterator it(root / "dev", ignored), end; !ignored && it != end; it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    const bool numbered = name.size() > 6 && name.starts_with("nvidia") &&
                          std::all_of(name.begin() + 6, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (numbered) ++count;
  }
  return count;
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue ..." -> "580.95.05"
std::string version_in(const std::string& text) {
  const std::string line = value_of(text, "NVRM version").value_or("");
  for (std::size_t at = line.find(' '); at != std::string::npos; at = line.find(' ', at + 1)) {
    const std::string_view rest = std::string_view(line).substr(at + 1);
    if (rest.empty() || rest[0] < '0' || rest[0] > '9') continue;
    const std::string_view word = rest.substr(0, std::min(rest.find(' '), rest.size()));
    if (word.find('.') != std::string_view::npos) return std::string(word);
  }
  return "unknown version";
}

Finding no_driver(int files) {
  Finding finding{"gpu-driver", Severity::note, "no NVIDIA driver: GPUs of this machine, if any, cannot be measured",
                  "", "with NVIDIA GPUs in the machine: install their driver; in a container, start it with the GPUs"};
  if (files > 0) finding.value += " (" + std::to_string(files) + " device files without a driver)";
  return finding;
}

std::vector<Finding> gpu_findings(const NvmlReport& nvml) {
  std::vector<Finding> findings;
  for (const GpuSeen& gpu : nvml.gpus) {
    findings.push_back({"gpu", Severity::note, gpu.name + ", " + bytes_text(gpu.memory_bytes),
                        "this version measures CPUs only: for this GPU, plans use published figures", ""});
  }
  if (nvml.gpus.empty()) {
    findings.push_back({"gpu", Severity::warning,
                        nvml.problem.empty() ? "the driver sees no GPU" : "GPUs cannot be listed: " + nvml.problem, "",
                        "run nvidia-smi; in a container, start it with the GPUs"});
  }
  return findings;
}

}  // namespace

std::vector<Finding> examine_gpus(const fs::path& root) {
  const auto text = read_text(root / "proc/driver/nvidia/version");
  const bool real = root == fs::path("/");
  NvmlReport nvml;
  if (real) nvml = ask_nvml();
  if (!text && !nvml.library) return {no_driver(device_files(root))};

  const std::string version = nvml.driver_version.empty() ? version_in(text.value_or("")) : nvml.driver_version;
  std::vector<Finding> findings = {{"gpu-driver", Severity::ok, "NVIDIA driver " + version, "", ""}};
  findings[0].value += ", " + std::to_string(device_files(root)) + " device files";
  if (!real) return findings;
  if (!cuda_library_opens()) {
    findings[0].severity = Severity::warning;
    findings[0].cost = "libcuda.so.1 cannot be opened: no program can use the GPUs";
    findings[0].advice = "install the driver's libraries; in a container, the runtime must pass them in";
  }
  for (Finding& finding : gpu_findings(nvml)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace weir::probes
