#include <algorithm>
#include <string>

#include "probes/doctor_parts.h"
#include "probes/load_watch.h"
#include "probes/machine_files.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

Finding memory_finding(const fs::path& root) {
  const auto total = meminfo_bytes(root, "MemTotal");
  const auto available = meminfo_bytes(root, "MemAvailable");
  if (!total)
    return {"memory", Severity::warning, "/proc/meminfo is not readable", "memory is not known", "mount /proc"};
  Finding finding{"memory", Severity::ok, bytes_text(*total), "", ""};
  if (available) finding.value += ", " + bytes_text(*available) + " available";
  constexpr double kMostInUse = 0.25;
  if (available && *available < kMostInUse * *total) {
    finding.severity = Severity::note;
    finding.cost =
        "other programs hold " + bytes_text(*total - *available) + ": weights and KV cache must fit the rest";
  }
  return finding;
}

Finding memory_limit_finding(const fs::path& root) {
  const auto limit = cgroup_limits(root).memory_bytes;
  const auto total = meminfo_bytes(root, "MemTotal");
  if (!limit || (total && *limit >= *total)) return {"cgroup-memory", Severity::ok, "no limit below the RAM", "", ""};
  Finding finding{"cgroup-memory", Severity::note, "limited to " + bytes_text(*limit), "", ""};
  if (total) finding.value += " of " + bytes_text(*total);
  finding.cost = "weights, KV cache and activations above it end the process";
  finding.advice = "raise the limit (--memory, resources.limits.memory) when a model does not fit";
  return finding;
}

Finding swap_finding(const fs::path& root) {
  const double total = meminfo_bytes(root, "SwapTotal").value_or(0);
  const double used = total - meminfo_bytes(root, "SwapFree").value_or(total);
  if (total <= 0) return {"swap", Severity::ok, "none", "", ""};
  Finding finding{"swap", Severity::ok, bytes_text(total) + ", " + bytes_text(used) + " in use", "", ""};
  constexpr double kNoticeable = 100e6;
  if (used > kNoticeable) {
    finding.severity = Severity::warning;
    finding.cost = "weights that were swapped out are read at disk speed: a step takes 10x to 1000x longer";
    finding.advice = "free memory or turn swap off on serving machines";
  }
  return finding;
}

Finding huge_pages_finding(const fs::path& root) {
  const auto setting = read_line(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!setting)
    return {"huge-pages", Severity::note, "transparent huge pages not available",
            "4 kB pages: weights streamed from memory up to 10 % slower", ""};
  const std::size_t from = setting->find('['), to = setting->find(']');
  const std::string chosen = from != std::string::npos && to != std::string::npos && to > from
                                 ? setting->substr(from + 1, to - from - 1)
                                 : *setting;
  Finding finding{"huge-pages", Severity::ok, "transparent huge pages: " + chosen, "", ""};
  if (chosen == "never") {
    finding.severity = Severity::note;
    finding.cost = "4 kB pages: weights streamed from memory up to 10 % slower";
    finding.advice = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled";
  }
  return finding;
}

Finding numa_finding(const fs::path& root) {
  const auto online = read_line(root / "sys/devices/system/node/online");
  const int nodes = online ? std::max(1, static_cast<int>(parse_cpu_list(*online).size())) : 1;
  Finding finding{"numa", Severity::ok, std::to_string(nodes) + (nodes == 1 ? " node" : " nodes"), "", ""};
  if (nodes > 1) {
    finding.severity = Severity::note;
    finding.cost = "memory of another node is read at about half the bandwidth";
    finding.advice = "one replica a node (numactl --cpunodebind=N --membind=N)";
  }
  return finding;
}

}  // namespace

std::vector<Finding> examine_memory(const fs::path& root) {
  return {memory_finding(root), memory_limit_finding(root), swap_finding(root), huge_pages_finding(root),
          numa_finding(root)};
}

}  // namespace weir::probes
