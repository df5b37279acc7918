#include "probes/machine_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>

#include "probes/load_watch.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

/// A number above this is cgroup v1's way to say "no limit" (PAGE_COUNTER_MAX).
constexpr double kNoMemoryLimit = 9e18;

void keep_smaller(std::optional<double>& limit, std::optional<double> value) {
  if (value && (!limit || *value < *limit)) limit = value;
}

std::optional<double> cpu_quota_v2(const fs::path& folder) {
  const auto line = read_line(folder / "cpu.max");
  if (!line || line->starts_with("max")) return std::nullopt;
  const auto quota = parse_number(*line);
  const auto period = parse_number(std::string_view(*line).substr(std::min(line->find(' '), line->size())));
  if (!quota || !period || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> cpu_quota_v1(const fs::path& folder) {
  const auto quota = read_line(folder / "cpu.cfs_quota_us");
  const auto period = read_line(folder / "cpu.cfs_period_us");
  const double quota_us = parse_number(quota.value_or("")).value_or(-1);  // -1: no limit
  const double period_us = parse_number(period.value_or("")).value_or(-1);
  if (quota_us <= 0 || period_us <= 0) return std::nullopt;
  return quota_us / period_us;
}

std::optional<double> memory_limit(const fs::path& folder, const char* name) {
  const auto line = read_line(folder / name);
  if (!line || line->starts_with("max")) return std::nullopt;
  const auto bytes = parse_number(*line);
  return bytes && *bytes < kNoMemoryLimit ? bytes : std::nullopt;
}

/// The cgroup's folder and its parents up to the mount. In a container the path may not be visible: then the mount
/// alone.
std::vector<fs::path> folders_up(const fs::path& mount, std::string_view path) {
  std::vector<fs::path> folders;
  fs::path inside = fs::path(path).relative_path();
  while (!inside.empty()) {
    folders.push_back(mount / inside);
    inside = inside.parent_path();
  }
  folders.push_back(mount);
  return folders;
}

bool lists_controller(std::string_view controllers, std::string_view name) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == name) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

std::optional<std::string> read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return std::nullopt;
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::optional<std::string> read_line(const fs::path& file) {
  const auto text = read_text(file);
  if (!text) return std::nullopt;
  return std::string(trimmed(*text));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::string> value_of(std::string_view text, std::string_view key) {
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) continue;
    return std::string(trimmed(line.substr(colon + 1)));
  }
  return std::nullopt;
}

std::vector<int> allowed_cpus(const fs::path& root) {
  if (const auto status = read_text(root / "proc/self/status")) {
    if (const auto list = value_of(*status, "Cpus_allowed_list")) {
      std::vector<int> cpus = parse_cpu_list(*list);
      if (!cpus.empty()) return cpus;
    }
  }
  std::vector<int> cpus;
  if (const auto info = read_text(root / "proc/cpuinfo")) {
    for (const std::string_view line : lines_of(*info)) {
      if (line.starts_with("processor")) cpus.push_back(static_cast<int>(cpus.size()));
    }
  }
  return cpus;
}

CgroupLimits cgroup_limits(const fs::path& root) {
  CgroupLimits limits;
  const std::string text = read_text(root / "proc/self/cgroup").value_or("0::/");
  const fs::path base = root / "sys/fs/cgroup";
  for (const std::string_view line : lines_of(text)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) {  // version 2
      for (const fs::path& folder : folders_up(base, path)) {
        keep_smaller(limits.cpus, cpu_quota_v2(folder));
        keep_smaller(limits.memory_bytes, memory_limit(folder, "memory.max"));
      }
    }
    if (lists_controller(controllers, "cpu")) {
      for (const char* mount : {"cpu", "cpu,cpuacct"}) {
        for (const fs::path& folder : folders_up(base / mount, path)) keep_smaller(limits.cpus, cpu_quota_v1(folder));
      }
    }
    if (lists_controller(controllers, "memory")) {
      for (const fs::path& folder : folders_up(base / "memory", path)) {
        keep_smaller(limits.memory_bytes, memory_limit(folder, "memory.limit_in_bytes"));
      }
    }
  }
  return limits;
}

double cache_bytes(const fs::path& root, int level) {
  double largest = 0;
  for (int index = 0; index < 8; ++index) {
    const fs::path folder = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    const auto its_level = read_line(folder / "level");
    const auto size = read_line(folder / "size");
    if (!its_level || !size || parse_number(*its_level) != level || read_line(folder / "type") == "Instruction")
      continue;
    double bytes = parse_number(*size).value_or(0);
    if (size->ends_with('K')) bytes *= 1024;
    if (size->ends_with('M')) bytes *= 1024 * 1024;
    largest = std::max(largest, bytes);
  }
  return largest;
}

std::optional<double> meminfo_bytes(const fs::path& root, std::string_view key) {
  const auto text = read_text(root / "proc/meminfo");
  const auto value = text ? value_of(*text, key) : std::nullopt;
  const auto kibibytes = value ? parse_number(*value) : std::nullopt;
  if (!kibibytes) return std::nullopt;
  return *kibibytes * 1024;
}

std::string number_text(double value, int digits) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
  return std::string(text.data(), end.ptr);
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  const int digits = unit == 0 || bytes >= 99.5 ? 0 : bytes >= 9.95 ? 1 : 2;
  return number_text(bytes, digits) + " " + kUnits[unit];
}

}  // namespace weir::probes
