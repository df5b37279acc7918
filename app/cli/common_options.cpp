#include "app/cli/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <thread>

namespace weir::cli {

using reports::Language;
using reports::say;

namespace {

/// Checks give English text; it is translated with the whole complaint.
std::string refuse_unknown_language(const std::string& name) {
  return reports::parse_language(name) ? "" : name + " is not allowed: expected en or zh_CN";
}

std::string refuse_standard_output(const std::string& name) {
  return name == "-" ? name + " is not allowed: expected the name of a file" : "";
}

std::string refuse_negative(const std::string& number) {
  return number.starts_with('-') ? number + " is not allowed: expected a whole number from 0" : "";
}

}  // namespace

Language language_of_arguments(int count, const char* const* arguments) {
  constexpr std::string_view kOption = "--lang";
  Language language = reports::language_of_environment();
  for (int i = 1; i < count; ++i) {
    std::string_view name(arguments[i]);
    if (name == "--") break;
    if (name == kOption && i + 1 < count) {
      name = arguments[++i];
    } else if (name.starts_with(kOption) && name.substr(kOption.size()).starts_with('=')) {
      name.remove_prefix(kOption.size() + 1);
    } else {
      continue;
    }
    language = reports::parse_language(name).value_or(language);
  }
  return language;
}

void add_language_option(CLI::App& app, Language language) {
  app.add_option_function<std::string>(
         "--lang", [](const std::string&) {},  // it was read before everything else, see language_of_arguments
         say(language, "Language of everything for people, en or zh_CN (default: the locale's)"))
      ->type_name("en|zh_CN")
      ->check(CLI::Validator(refuse_unknown_language, ""));
}

void add_common_options(CLI::App& command, CommonOptions& common, Language language) {
  common.language = language;
  command
      .add_option("--json", common.json,
                  say(language, "Write the result as JSON to FILE, or to standard output with -"))
      ->type_name(say(language, "FILE|-"));
  command.add_option("--project", common.project, say(language, "Project file to read from and store into"))
      ->type_name(say(language, "FILE"));
  command.add_flag("--quiet,-q", common.quiet, say(language, "No text, no progress"));
  add_language_option(command, language);
}

void add_run_options(CLI::App& command, RunOptions& run, Language language) {
  run.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U));
  command
      .add_option("--trace", run.trace,
                  say(language, "Trace file (or its name in the project) that replaces the demand"))
      ->type_name(say(language, "FILE"));
  command.add_option("--workload", run.workload, say(language, "Which workload, when the scenario has several"))
      ->type_name(say(language, "NAME"));
  command
      .add_option("--calibration", run.calibration,
                  say(language, "Calibration of this machine (or its name in the project)"))
      ->type_name(say(language, "FILE"));
  command.add_option("--seed", run.seed, say(language, "Seed of everything that is drawn (default: the scenario's)"))
      ->type_name("N")
      ->check(CLI::Validator(refuse_negative, ""));
  command.add_option("--threads", run.threads, say(language, "Threads, 1 to 1024; the result does not depend on it"))
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_report_options(CLI::App& command, ReportOptions& report, Language language) {
  command
      .add_option("--csv", report.csv, say(language, "Option table as FILE.csv, or every table into the folder DIR"))
      ->type_name(say(language, "DIR|FILE"));
  command.add_option("--html", report.html, say(language, "The decision with charts as one HTML file"))
      ->type_name(say(language, "FILE"));
  command.add_option("--pdf", report.pdf, say(language, "The decision as a report to print, A4"))
      ->type_name(say(language, "FILE"))
      ->check(CLI::Validator(refuse_standard_output, ""));
  command.add_option("--xlsx", report.xlsx, say(language, "The decision as a workbook whose costs recalculate"))
      ->type_name(say(language, "FILE"))
      ->check(CLI::Validator(refuse_standard_output, ""));
}

void add_scenario_argument(CLI::App& command, RunOptions& run, Language language, bool required) {
  auto* option = command
                     .add_option(say(language, "SCENARIO"), run.scenario,
                                 say(language, "Name (weir catalog scenarios) or path of a scenario"))
                     ->type_name("");
  if (required) option->required();
}

}  // namespace weir::cli
