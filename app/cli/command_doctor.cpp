#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "probes/client/probe_client.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorArguments {
  CommonOptions common;
};

std::string text_of(const Json& finding, const char* key) {
  const auto found = finding.find(key);
  return found != finding.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string findings_text(const Json& report, int width) {
  const auto findings = report.find("findings");
  if (findings == report.end() || !findings->is_array()) return "";
  std::size_t widest = 0;
  for (const Json& finding : *findings) widest = std::max(widest, text_of(finding, "key").size());
  std::string text;
  int warnings = 0;
  for (const Json& finding : *findings) {
    const std::string severity = text_of(finding, "severity");
    if (severity == "warning") ++warnings;
    const std::string sign = severity == "warning" ? "! " : "  ";
    const std::string key = text_of(finding, "key");
    const std::string indent = std::string(widest + 4, ' ');
    text +=
        reports::wrap_text(text_of(finding, "value"), width, sign + key + std::string(widest + 2 - key.size(), ' '));
    const std::string cost = text_of(finding, "cost");
    const std::string advice = text_of(finding, "advice");
    if (!cost.empty()) text += reports::wrap_text(cost, width, indent + "costs: ");
    if (!advice.empty()) text += reports::wrap_text(advice, width, indent + "do:    ");
  }
  return text + "\n" +
         (warnings == 0 ? "Nothing here is set against performance."
                        : std::to_string(warnings) + " of " + std::to_string(findings->size()) +
                              " findings cost performance (marked !).") +
         "\n";
}

int run_doctor_command(const DoctorArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const Json report = Json::parse(probes::run_doctor());
  output.json(report);
  output.text(findings_text(report, terminal_width()));
  output.write();
  return kDone;
}

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("doctor", "What hardware and software is here, and what it costs performance");
  command->footer("Example:\n  weir doctor --json doctor.json");
  const auto arguments = std::make_shared<DoctorArguments>();
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_doctor_command(*arguments); }; });
}

}  // namespace weir::cli
