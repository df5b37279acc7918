#include <algorithm>
#include <string>
#include <utility>

#include "probes/doctor_parts.h"
#include "probes/machine_files.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

Finding virtualisation_finding(const fs::path& root) {
  const std::string flags = " " + value_of(read_text(root / "proc/cpuinfo").value_or(""), "flags").value_or("") + " ";
  if (flags.find(" hypervisor ") == std::string::npos) return {"virtualised", Severity::ok, "no", "", ""};
  const auto product = read_line(root / "sys/class/dmi/id/product_name");
  Finding finding{"virtualised", Severity::note, "yes", "", ""};
  if (product && !product->empty()) finding.value += " (" + *product + ")";
  finding.cost = "neighbours on the host share memory bandwidth and caches: measurements vary from minute to minute";
  finding.advice =
      "believe ratios to the limits measured beside them, not absolute numbers; measure again at another hour";
  return finding;
}

Finding container_finding(const fs::path& root) {
  std::string kind;
  if (is_there(root / ".dockerenv")) kind = "docker";
  if (kind.empty() && is_there(root / "run/.containerenv")) kind = "podman";
  const std::string groups =
      read_text(root / "proc/self/cgroup").value_or("") + read_text(root / "proc/1/cgroup").value_or("");
  constexpr std::pair<const char*, const char*> kNames[] = {{"kubepods", "kubernetes"},
                                                            {"docker", "docker"},
                                                            {"containerd", "containerd"},
                                                            {"libpod", "podman"},
                                                            {"lxc", "lxc"}};
  for (const auto& [word, name] : kNames) {
    if ((kind.empty() || std::string_view(word) == "kubepods") && groups.find(word) != std::string::npos) kind = name;
  }
  if (kind.empty()) return {"container", Severity::ok, "none seen", "", ""};
  return {"container", Severity::note, kind, "", "see cgroup-cpu and cgroup-memory for its limits"};
}

Finding load_finding(const fs::path& root) {
  const auto text = read_line(root / "proc/loadavg");
  const auto load = text ? parse_number(*text) : std::nullopt;
  if (!load) return {"load", Severity::note, "/proc/loadavg is not readable", "", ""};
  const double cpus = std::max(1.0, static_cast<double>(allowed_cpus(root).size()));
  Finding finding{"load", Severity::ok, "load average " + number_text(*load, 2), "", ""};
  double waiting_percent = 0;
  if (const auto pressure = read_text(root / "proc/pressure/cpu")) {
    const std::size_t at = pressure->find("avg10=");
    if (at != std::string::npos) {
      waiting_percent = parse_number(std::string_view(*pressure).substr(at + 6)).value_or(0);
      finding.value += ", tasks waited for a CPU " + number_text(waiting_percent, 1) + " % of the last 10 s";
    }
  }
  constexpr double kBusyPercent = 10;
  if (*load > 0.5 * cpus || waiting_percent > kBusyPercent) {
    finding.severity = Severity::warning;
    finding.cost = "other work takes CPU time: kernels measured now come out slower, up to 2x on a full machine";
    finding.advice = "measure when the machine is idle; a calibration says \"contended\" when it was not";
  }
  return finding;
}

}  // namespace

std::vector<Finding> examine_surroundings(const fs::path& root) {
  return {virtualisation_finding(root), container_finding(root), load_finding(root)};
}

}  // namespace weir::probes
