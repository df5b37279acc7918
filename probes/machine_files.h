#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::probes {

/// Reading /proc, /sys and cgroups below `root` ("/" except in tests). What is not there or not readable is empty.

std::optional<std::string> read_text(const std::filesystem::path& file);
/// The text without blanks and newlines at both ends.
std::optional<std::string> read_line(const std::filesystem::path& file);
std::vector<std::string_view> lines_of(std::string_view text);
std::string_view trimmed(std::string_view text);
/// The number that `text` starts with (blanks before it are skipped).
std::optional<double> parse_number(std::string_view text);
/// Value of the first line "KEY : VALUE" or "KEY: VALUE".
std::optional<std::string> value_of(std::string_view text, std::string_view key);

/// CPUs this process may run on; all of /proc/cpuinfo when the affinity is not readable.
std::vector<int> allowed_cpus(const std::filesystem::path& root);

struct CgroupLimits {
  std::optional<double> cpus;          ///< quota / period
  std::optional<double> memory_bytes;  ///< the smallest from this cgroup up to the root
};
/// Limits of the cgroup this process is in, version 1 or 2.
CgroupLimits cgroup_limits(const std::filesystem::path& root);

/// Bytes of the largest cache of that level of CPU 0 (1, 2 or 3, data or unified); 0 if there is none.
double cache_bytes(const std::filesystem::path& root, int level);

/// /proc/meminfo, in bytes.
std::optional<double> meminfo_bytes(const std::filesystem::path& root, std::string_view key);

/// "23.4 GB" (decimal) with three significant digits.
std::string bytes_text(double bytes);
/// `value` with `digits` digits after the point, "." whatever the locale.
std::string number_text(double value, int digits);

}  // namespace weir::probes
