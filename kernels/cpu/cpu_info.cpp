#include "kernels/cpu/cpu_info.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace weir::kernels::cpu {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The leading number of `text`; 0 for "max", nothing, or a negative number, which all mean "no limit".
double leading_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  static_cast<void>(end);
  return error == std::errc() && value > 0 ? value : 0;
}

void tighten(double& limit, double value) {
  if (value > 0 && (limit <= 0 || value < limit)) limit = value;
}

void read_group(const fs::path& folder, CgroupLimits& limits) {
  const std::string cpu_max = read_text(folder / "cpu.max");  // v2: "quota period"
  const std::size_t space = cpu_max.find(' ');
  if (space != std::string::npos) {
    const double period = leading_number(std::string_view(cpu_max).substr(space + 1));
    if (period > 0) tighten(limits.cpus, leading_number(cpu_max) / period);
  }
  const double period_v1 = leading_number(read_text(folder / "cpu.cfs_period_us"));
  if (period_v1 > 0) tighten(limits.cpus, leading_number(read_text(folder / "cpu.cfs_quota_us")) / period_v1);
  tighten(limits.memory_bytes, leading_number(read_text(folder / "memory.max")));
  tighten(limits.memory_bytes, leading_number(read_text(folder / "memory.limit_in_bytes")));
}

/// The group's folder and those above it up to the mount: a limit of a parent holds as well.
void read_group_and_parents(const fs::path& mount, std::string_view group, CgroupLimits& limits) {
  fs::path inside = fs::path(group).relative_path();
  while (true) {
    read_group(mount / inside, limits);
    if (inside.empty()) return;
    inside = inside.parent_path();
  }
}

CgroupLimits own_limits() { return read_cgroup_limits(read_text("/proc/self/cgroup"), "/sys/fs/cgroup"); }

/// The value of the first "key : value" line of /proc/cpuinfo.
std::string cpuinfo_value(std::string_view key) {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(':');
    if (line.rfind(key, 0) != 0 || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

#if defined(__x86_64__)
std::uint64_t read_xcr0() {
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

bool detect_avx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kFma = 1U << 12, kOsxsave = 1U << 27, kAvx = 1U << 28, kF16c = 1U << 29;
  constexpr unsigned kNeeded = kFma | kOsxsave | kAvx | kF16c;
  if ((c & kNeeded) != kNeeded) return false;
  constexpr std::uint64_t kXmmAndYmm = 0x6;
  if ((read_xcr0() & kXmmAndYmm) != kXmmAndYmm) return false;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return (b & (1U << 5)) != 0;
}
#else
bool detect_avx2() { return false; }
#endif

}  // namespace

bool has_avx2() {
  static const bool result = detect_avx2();
  return result;
}

CgroupLimits read_cgroup_limits(std::string_view membership, const fs::path& root) {
  CgroupLimits limits;
  std::istringstream lines{std::string(membership)};
  std::string line;
  while (std::getline(lines, line)) {  // "id:controllers:path"; controllers empty = v2
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string_view group = std::string_view(line).substr(second + 1);
    if (controllers.empty()) {
      read_group_and_parents(root, group, limits);
      continue;
    }
    std::istringstream names(controllers);
    std::string name;
    while (std::getline(names, name, ',')) {
      if (name == "cpu" || name == "memory") read_group_and_parents(root / name, group, limits);
    }
  }
  return limits;
}

int usable_threads() {
  int count = static_cast<int>(std::thread::hardware_concurrency());
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) count = CPU_COUNT(&set);
#endif
  const double quota = own_limits().cpus;
  if (quota > 0 && quota < count) count = static_cast<int>(std::ceil(quota));
  return std::max(count, 1);
}

double usable_memory_bytes() {
  static const double result = [] {
    double bytes = 0;
#if defined(__linux__)
    bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
#endif
    tighten(bytes, own_limits().memory_bytes);
    return bytes;
  }();
  return result;
}

std::string cpu_name() {
  const std::string name = cpuinfo_value("model name");
  return name.empty() ? "unknown CPU" : name;
}

std::vector<std::string> cpu_flags() {
  static constexpr std::array kInteresting = {
      "sse4_2",   "avx",      "avx2",        "fma",         "f16c",        "avx_vnni", "avx512f",
      "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16",
      "amx_int8", "asimd",    "asimddp",     "bf16",        "i8mm",        "sve",      "sve2"};
  std::string all = cpuinfo_value("flags");
  if (all.empty()) all = cpuinfo_value("Features");
  std::istringstream words(all);
  const std::vector<std::string> have{std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
  std::vector<std::string> result;
  for (const char* flag : kInteresting) {
    if (std::find(have.begin(), have.end(), flag) != have.end()) result.emplace_back(flag);
  }
  return result;
}

}  // namespace weir::kernels::cpu
