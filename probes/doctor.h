#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace weir::probes {

enum class Severity { ok, note, warning };

/// One thing that was looked at: what it is, and what it costs when it is not as it should be.
struct Finding {
  std::string key;  ///< "cpu", "isa", "memory", "cgroup-cpu", "cgroup-memory", "gpu-driver", "load", ...
  Severity severity = Severity::ok;
  std::string value;   ///< what was found, with units
  std::string cost;    ///< what it costs performance; empty when nothing
  std::string advice;  ///< what to do; empty when nothing
};

/// Looks at /proc, /sys, the cgroup and CPUID; changes nothing.
std::vector<Finding> examine_machine();
/// The same below another root (a tree with proc/ and sys/, for tests). NVIDIA's libraries are asked only when it is
/// "/".
std::vector<Finding> examine_machine(const std::filesystem::path& root);

/// "ok", "note", "warning".
const char* name_of(Severity severity);

/// weir.doctor/1
nlohmann::ordered_json to_json(const std::vector<Finding>& findings);

}  // namespace weir::probes
