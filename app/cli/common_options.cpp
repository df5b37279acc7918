#include "app/cli/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

namespace weir::cli {

void add_common_options(CLI::App& command, CommonOptions& common) {
  command.add_option("--json", common.json, "Write the result as JSON to FILE, or to standard output with -")
      ->type_name("FILE|-");
  command.add_option("--project", common.project, "Project file to read from and store into")->type_name("FILE");
  command.add_flag("--quiet,-q", common.quiet, "No text, no progress");
}

void add_run_options(CLI::App& command, RunOptions& run) {
  run.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U));
  command.add_option("--trace", run.trace, "Trace file (or its name in the project) that replaces the demand")
      ->type_name("FILE");
  command.add_option("--workload", run.workload, "Which workload, when the scenario has several")->type_name("NAME");
  command.add_option("--calibration", run.calibration, "Calibration of this machine (or its name in the project)")
      ->type_name("FILE");
  command.add_option("--seed", run.seed, "Seed of everything that is drawn (default: the scenario's)")->type_name("N");
  command.add_option("--threads", run.threads, "Threads; the result does not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_report_options(CLI::App& command, ReportOptions& report) {
  command.add_option("--csv", report.csv, "Option table as FILE.csv, or every table into the folder DIR")
      ->type_name("DIR|FILE");
  command.add_option("--html", report.html, "The decision with charts as one HTML file")->type_name("FILE");
}

void add_scenario_argument(CLI::App& command, RunOptions& run, bool required) {
  auto* option = command.add_option("SCENARIO", run.scenario, "Name (weir catalog scenarios) or path of a scenario")
                     ->type_name("");
  if (required) option->required();
}

}  // namespace weir::cli
