#include <algorithm>
#include <set>
#include <string>

#include "probes/doctor_parts.h"
#include "probes/machine_files.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

/// An instruction set, and what its absence costs the kernels that would use it.
struct Instructions {
  const char* name;
  std::vector<const char*> flags;  ///< as /proc/cpuinfo spells them
  bool essential;                  ///< our kernels have a path for it, or FP32/BF16 GEMM of oneDNN
  const char* cost;
};

/// Factors: ratios of the peaks measured on one core with and without them (FP32 109 / 215, BF16 410 / 215, INT8
/// 438 / 878 GOP/s with AVX2 / AVX-512 and without / with VNNI or BF16 dots), and the width ratio where none was
/// measured.
const std::vector<Instructions>& known_instructions() {
  static const std::vector<Instructions> kKnown = {
      {"AVX2 + FMA + F16C",
       {"avx2", "fma", "f16c"},
       true,
       "no AVX2: our kernels run the scalar level, about 10x slower"},
      {"AVX-512", {"avx512f"}, false, "no AVX-512: FP32 GEMM at about half the rate a clock"},
      {"VNNI",
       {"avx512_vnni"},
       false,
       "no AVX-512 VNNI: INT8 GEMM of engines that use it at about half the rate a clock"},
      {"AVX-VNNI", {"avx_vnni"}, false, "no AVX-VNNI: INT8 GEMM on 256-bit registers at about half the rate a clock"},
      {"BF16 dots", {"avx512_bf16"}, false, "no AVX-512 BF16: BF16 GEMM about 2x slower, at FP32 rate or below"},
      {"AMX INT8", {"amx_int8"}, false, "no AMX INT8: large INT8 GEMM up to 8x below CPUs that have it"},
      {"AMX BF16", {"amx_bf16"}, false, "no AMX BF16: large BF16 GEMM up to 8x below CPUs that have it"}};
  return kKnown;
}

std::set<std::string> flags_of(const std::string& cpuinfo) {
  std::set<std::string> flags;
  std::string text = value_of(cpuinfo, "flags").value_or(value_of(cpuinfo, "Features").value_or(""));
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    flags.insert(text.substr(at, end - at));
    at = end;
  }
  return flags;
}

struct Topology {
  int processors = 0, sockets = 1, cores = 0;
};

Topology topology_of(const std::string& cpuinfo) {
  Topology topology;
  std::set<std::string> sockets;
  std::set<std::pair<std::string, std::string>> cores;
  std::string socket;
  for (const std::string_view line : lines_of(cpuinfo)) {
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view key = trimmed(line.substr(0, colon));
    const std::string value(trimmed(line.substr(std::min(colon + 1, line.size()))));
    if (key == "processor") ++topology.processors;
    if (key == "physical id") sockets.insert(socket = value);
    if (key == "core id") cores.emplace(socket, value);
  }
  topology.sockets = std::max(1, static_cast<int>(sockets.size()));
  topology.cores = cores.empty() ? topology.processors : static_cast<int>(cores.size());
  return topology;
}

Finding processor_finding(const std::string& cpuinfo) {
  const Topology topology = topology_of(cpuinfo);
  Finding finding{"cpu", Severity::ok, value_of(cpuinfo, "model name").value_or("unknown model"), "", ""};
  finding.value += ", " + std::to_string(topology.sockets) + (topology.sockets == 1 ? " socket, " : " sockets, ") +
                   std::to_string(topology.cores) + (topology.cores == 1 ? " core, " : " cores, ") +
                   std::to_string(topology.processors) + (topology.processors == 1 ? " thread" : " threads");
  if (topology.processors > topology.cores) {
    finding.severity = Severity::note;
    finding.cost = "threads that share a core share its vector units: GEMM gains little above one thread a core";
  }
  return finding;
}

Finding affinity_finding(const fs::path& root, const std::string& cpuinfo) {
  const int present = topology_of(cpuinfo).processors;
  const int allowed = static_cast<int>(allowed_cpus(root).size());
  Finding finding{"cpu-affinity", Severity::ok,
                  std::to_string(allowed) + " of " + std::to_string(present) + " threads may be used", "", ""};
  if (allowed < present) {
    finding.severity = Severity::note;
    finding.cost = "at most " + number_text(100.0 * allowed / std::max(present, 1), 0) + " % of the CPU";
    finding.advice = "lift the CPU set (taskset, cpuset cgroup, --cpuset-cpus) if all of it is meant to serve";
  }
  return finding;
}

Finding quota_finding(const fs::path& root) {
  const auto quota = cgroup_limits(root).cpus;
  const double allowed = static_cast<double>(allowed_cpus(root).size());
  if (!quota) return {"cgroup-cpu", Severity::ok, "no CPU quota", "", ""};
  Finding finding{"cgroup-cpu", Severity::ok, "CPU quota of " + number_text(*quota, 2) + " CPUs", "", ""};
  if (*quota < allowed) {
    finding.severity = Severity::warning;
    finding.cost = "threads are stopped for the rest of each period once " + number_text(*quota, 2) + " of " +
                   number_text(allowed, 0) + " CPUs are used up: " + number_text(allowed / *quota, 1) +
                   "x slower, and long tails of latency";
    finding.advice = "raise the quota (--cpus, resources.limits.cpu) or run with at most " +
                     number_text(std::max(1.0, *quota), 0) + " threads";
  }
  return finding;
}

std::vector<Finding> instruction_findings(const std::string& cpuinfo) {
  const std::set<std::string> flags = flags_of(cpuinfo);
  std::string present, costs;
  bool essential_missing = false;
  for (const Instructions& known : known_instructions()) {
    const bool here =
        std::all_of(known.flags.begin(), known.flags.end(), [&](const char* flag) { return flags.count(flag) > 0; });
    if (here) {
      present += (present.empty() ? "" : ", ") + std::string(known.name);
    } else {
      essential_missing = essential_missing || known.essential;
      costs += (costs.empty() ? "" : "; ") + std::string(known.cost);
    }
  }
  Finding finding{"isa", Severity::ok, present.empty() ? "none of the vector extensions we know" : present, costs, ""};
  if (!costs.empty()) finding.severity = essential_missing ? Severity::warning : Severity::note;
  if (essential_missing)
    finding.advice = "serve from a CPU with AVX2, or let the hypervisor pass the host's CPU flags on";
  return {finding};
}

Finding cache_finding(const fs::path& root) {
  const double l2 = cache_bytes(root, 2), l3 = cache_bytes(root, 3);
  Finding finding{"caches", Severity::ok, "", "", ""};
  finding.value =
      "L2 " + (l2 > 0 ? bytes_text(l2) : "unknown") + " a core, L3 " + (l3 > 0 ? bytes_text(l3) : "unknown");
  if (l2 == 0 && l3 == 0) finding.severity = Severity::note;
  constexpr double kLargerThanMost = 128e6;
  if (l3 > kLargerThanMost) {
    finding.severity = Severity::note;
    finding.cost = "an L3 this large is usually shared with other machines on the host: how much of it is ours varies";
  }
  return finding;
}

std::vector<Finding> governor_finding(const fs::path& root) {
  const auto governor = read_line(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!governor) return {{"governor", Severity::ok, "not visible (usual in virtual machines)", "", ""}};
  Finding finding{"governor", Severity::ok, *governor, "", ""};
  if (*governor == "powersave" || *governor == "conservative" || *governor == "ondemand") {
    finding.severity = Severity::note;
    finding.cost = "the clock follows the load late: short bursts run slower, latency varies";
    finding.advice = "set the governor \"performance\" on serving machines";
  }
  return {finding};
}

}  // namespace

std::vector<Finding> examine_cpu(const fs::path& root) {
  const std::string cpuinfo = read_text(root / "proc/cpuinfo").value_or("");
  if (cpuinfo.empty()) {
    return {{"cpu", Severity::warning, "/proc/cpuinfo is not readable", "nothing is known of the CPU", "mount /proc"}};
  }
  std::vector<Finding> findings = {processor_finding(cpuinfo), affinity_finding(root, cpuinfo), quota_finding(root)};
  for (Finding& finding : instruction_findings(cpuinfo)) findings.push_back(std::move(finding));
  findings.push_back(cache_finding(root));
  for (Finding& finding : governor_finding(root)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace weir::probes
