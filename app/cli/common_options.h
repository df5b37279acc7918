#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/language.h"

namespace CLI {
class App;
}

namespace weir::cli {

/// Options that every command has.
struct CommonOptions {
  std::string json;     ///< file, "-" = stdout, "" = not wanted
  std::string project;  ///< project file, "" = none
  bool quiet = false;
  reports::Language language = reports::Language::en;  ///< of everything that people read
};

/// Options of every command that runs a simulation.
struct RunOptions {
  std::string scenario;  ///< name or path
  std::string trace;     ///< file, or a name in the project
  std::string workload;
  std::string calibration;  ///< file, or a name in the project
  std::optional<std::uint64_t> seed;
  int threads = 1;
};

/// Where the forms of a decision go; "" = not wanted.
struct ReportOptions {
  std::string csv, html, pdf, xlsx;
};

/// The language that --lang names, else the environment's. Read before the parser runs, whose complaints are in it too.
reports::Language language_of_arguments(int count, const char* const* arguments);
/// --lang; for the program and for each command, so that it may stand before or after the command's name.
void add_language_option(CLI::App& app, reports::Language language);
/// Sets the language too.
void add_common_options(CLI::App& command, CommonOptions& common, reports::Language language);
void add_run_options(CLI::App& command, RunOptions& run, reports::Language language);
void add_report_options(CLI::App& command, ReportOptions& report, reports::Language language);
void add_scenario_argument(CLI::App& command, RunOptions& run, reports::Language language, bool required = true);

}  // namespace weir::cli
