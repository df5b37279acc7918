#include "probes/doctor.h"

#include <nlohmann/json.hpp>

#include "probes/doctor_parts.h"

namespace weir::probes {

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
  }
  return "note";
}

std::vector<Finding> examine_machine() { return examine_machine("/"); }

std::vector<Finding> examine_machine(const std::filesystem::path& root) {
  std::vector<Finding> findings;
  for (const auto part : {examine_cpu, examine_memory, examine_surroundings, examine_gpus}) {
    for (Finding& finding : part(root)) findings.push_back(std::move(finding));
  }
  return findings;
}

nlohmann::ordered_json to_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json json;
  json["schema"] = "weir.doctor/1";
  json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    nlohmann::ordered_json entry;
    entry["key"] = finding.key;
    entry["severity"] = name_of(finding.severity);
    entry["value"] = finding.value;
    entry["cost"] = finding.cost;
    entry["advice"] = finding.advice;
    json["findings"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace weir::probes
