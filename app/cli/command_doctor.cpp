#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "probes/client/probe_client.h"
#include "reports/finding_text.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::Language;
using reports::say;
using reports::translate;

struct DoctorArguments {
  CommonOptions common;
};

std::string text_of(const Json& finding, const char* key) {
  const auto found = finding.find(key);
  return found != finding.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string padded(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - reports::display_width(text))), ' ');
}

std::string finding_text(Language language, const Json& finding, int key_width, int width) {
  const std::string sign = text_of(finding, "severity") == "warning" ? "! " : "  ";
  const std::string indent(sign.size() + static_cast<std::size_t>(key_width), ' ');
  std::string text =
      reports::wrap_text(reports::finding_value(language, text_of(finding, "key"), text_of(finding, "value")), width,
                         sign + padded(say(language, text_of(finding, "key")), key_width));
  const std::string cost = text_of(finding, "cost"), advice = text_of(finding, "advice");
  if (!cost.empty())
    text += reports::wrap_text(reports::finding_cost(language, cost), width, indent + say(language, "costs: "));
  if (!advice.empty())
    text += reports::wrap_text(translate(language, advice), width, indent + say(language, "do:    "));
  return text;
}

std::string findings_text(Language language, const Json& report, int width) {
  const auto findings = report.find("findings");
  if (findings == report.end() || !findings->is_array()) return "";
  int key_width = 0;
  int warnings = 0;
  for (const Json& finding : *findings) {
    key_width = std::max(key_width, reports::display_width(say(language, text_of(finding, "key"))) + 2);
    if (text_of(finding, "severity") == "warning") ++warnings;
  }
  std::string text;
  for (const Json& finding : *findings) text += finding_text(language, finding, key_width, width);
  return text + "\n" +
         (warnings == 0 ? say(language, "Nothing here is set against performance.")
                        : say(language, "{warnings} of {all} findings cost performance (marked !).",
                              {{"warnings", std::to_string(warnings)}, {"all", std::to_string(findings->size())}})) +
         "\n";
}

int run_doctor_command(const DoctorArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const Json report = Json::parse(probes::run_doctor());
  output.json(report);
  output.text(findings_text(arguments.common.language, report, terminal_width()));
  output.write();
  return kDone;
}

}  // namespace

void add_doctor(CLI::App& app, Action& action, reports::Language language) {
  auto* command =
      app.add_subcommand("doctor", say(language, "What hardware and software is here, and what it costs performance"));
  command->footer(say(language, "Example:\n  weir doctor --json doctor.json"));
  const auto arguments = std::make_shared<DoctorArguments>();
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_doctor_command(*arguments); }; });
}

}  // namespace weir::cli
