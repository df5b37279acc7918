#include "app/desktop/models/machine_jobs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/json_io.h"
#include "probes/client/probe_client.h"
#include "reports/decide.h"

namespace weir::desktop {
namespace {

using Json = nlohmann::ordered_json;

QString text_under(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

std::vector<Finding> findings_of(const std::string& report) {
  std::vector<Finding> findings;
  const Json json = data::parse_json(report, "weir-probe doctor");
  if (!json.contains("findings") || !json["findings"].is_array()) return findings;
  for (const Json& entry : json["findings"]) {
    if (!entry.is_object()) continue;
    findings.push_back({text_under(entry, "key"), text_under(entry, "value"), text_under(entry, "cost"),
                        text_under(entry, "advice"), text_under(entry, "severity") == QStringLiteral("warning")});
  }
  return findings;
}

}  // namespace

void ProbeJob::start(const QString& device, bool full) {
  calibration_.reset();
  checks_.clear();
  Job::start([this, device, full](const data::Progress& progress) -> Take {
    require_worker_thread();
    probes::ProbeOptions options;
    options.device = device.toStdString();
    options.full = full;
    auto calibration = std::make_shared<const data::Calibration>(probes::run_probe(options, progress));
    auto checks = reports::check_layers(*calibration);
    return [this, calibration, checks = std::move(checks)] {
      calibration_ = calibration;
      checks_ = checks;
    };
  });
}

void DoctorJob::start() {
  findings_.clear();
  Job::start([this](const data::Progress&) -> Take {
    require_worker_thread();
    return [this, findings = findings_of(probes::run_doctor())] { findings_ = findings; };
  });
}

int DoctorJob::warnings() const {
  return static_cast<int>(std::ranges::count_if(findings_, [](const Finding& finding) { return finding.warning; }));
}

}  // namespace weir::desktop
