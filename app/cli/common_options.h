#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace weir::cli {

/// Options that every command has.
struct CommonOptions {
  std::string json;     ///< file, "-" = stdout, "" = not wanted
  std::string project;  ///< project file, "" = none
  bool quiet = false;
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

/// Where the tables and the page of a decision go.
struct ReportOptions {
  std::string csv, html;
};

void add_common_options(CLI::App& command, CommonOptions& common);
void add_run_options(CLI::App& command, RunOptions& run);
void add_report_options(CLI::App& command, ReportOptions& report);
void add_scenario_argument(CLI::App& command, RunOptions& run, bool required = true);

}  // namespace weir::cli
