#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::kernels::cpu {

/// AVX2, FMA and F16C are in the CPU, and the operating system saves the 256-bit registers.
bool has_avx2();

/// Limits of the process's control groups (v1 or v2) and all groups above; 0 = no limit.
struct CgroupLimits {
  double cpus = 0;
  double memory_bytes = 0;
};
/// `membership` is the text of /proc/self/cgroup, `root` where the groups are mounted (/sys/fs/cgroup).
CgroupLimits read_cgroup_limits(std::string_view membership, const std::filesystem::path& root);

/// min(affinity mask, CPU quota of the control group rounded up), at least 1.
int usable_threads();
/// min(RAM, memory limit of the control group).
double usable_memory_bytes();
/// Model name and the flags kernels of an inference engine look for.
std::string cpu_name();
std::vector<std::string> cpu_flags();

}  // namespace weir::kernels::cpu
