#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/decision_output.h"
#include "app/cli/progress_bar.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "probes/client/probe_client.h"

namespace weir::cli {
namespace fs = std::filesystem;
namespace {

struct DemoArguments {
  CommonOptions common;
  RunOptions run;
  std::string out = "out";
  bool no_probe = false, probe = false;
};

/// "weir-0.1": the kernels that weir-probe of this version measures.
std::string kernel_set() {
  const std::string version = WEIR_VERSION;
  return "weir-" + version.substr(0, version.find('.', version.find('.') + 1));
}

/// True when the doctor sees the CPU that the calibration was made on.
bool same_machine(const data::Calibration& calibration) {
  const auto report = nlohmann::ordered_json::parse(probes::run_doctor(), nullptr, false);
  if (!report.is_object() || !report.contains("findings")) return false;
  for (const auto& finding : report["findings"]) {
    if (finding.value("key", "") == "cpu") return finding.value("value", "").starts_with(calibration.device_name);
  }
  return false;
}

/// The calibration left by an earlier run, when it is of this machine and of these kernels.
std::optional<data::Calibration> usable_calibration(const std::string& file) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    data::Calibration calibration = data::load_calibration(file);
    if (calibration.kernel_set != kernel_set() || !same_machine(calibration)) return std::nullopt;
    return calibration;
  } catch (const data::InputError&) {
    return std::nullopt;  // a file of another version is measured anew
  }
}

std::optional<data::Calibration> find_calibration(const DemoArguments& arguments, Output& output,
                                                  const data::Progress& progress) {
  const std::string cached = (fs::path(arguments.out) / "calibration.json").string();
  if (!arguments.run.calibration.empty()) return data::load_calibration(arguments.run.calibration);
  if (arguments.no_probe) return std::nullopt;
  if (!arguments.probe) {
    if (auto earlier = usable_calibration(cached)) {
      output.note("this machine was measured before (" + cached + "); --probe measures it again");
      return earlier;
    }
  }
  output.note("measuring this machine, at most a minute ...");
  data::Calibration calibration = probes::run_probe({}, progress);
  data::write_file_atomically(cached, data::dump(data::to_json(calibration)));
  if (calibration.contended) output.note("the machine was busy with other work while it was measured");
  return calibration;
}

int run_demo(DemoArguments arguments) {
  make_folder(arguments.out);
  const auto in_folder = [&](const char* name) { return (fs::path(arguments.out) / name).string(); };
  const ReportOptions report{in_folder("decision.csv"), in_folder("decision.html")};
  Output output(arguments.common);
  output.prepare({report.csv, report.html, in_folder("decision.json")});
  const data::Progress progress = make_progress(arguments.common.quiet);
  auto project = open_project(arguments.common, data::Project::Mode::create);

  const std::optional<data::Calibration> calibration = find_calibration(arguments, output, progress);
  arguments.run.scenario = "llm-chat";
  arguments.run.calibration.clear();
  Inputs inputs = load_inputs(arguments.run, project, progress);
  inputs.calibration = calibration;
  output.note("replaying the trace on every candidate ...");
  const reports::Decision decision = decide(inputs, progress);
  const int code = give_decision(output, report, decision);
  output.file(in_folder("decision.json"), data::dump(reports::to_json(decision)));
  output.text("\nWritten: " + in_folder("decision.html") + " (open it in a browser), " + in_folder("decision.json") +
              ", " + in_folder("decision.csv") + "\n");
  if (project) store_decision(*project, inputs, decision);
  output.write();
  return code;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("demo", "The main job: measure this machine, replay a trace on candidate fleets, decide");
  command->footer("Example:\n  weir demo --out out");
  const auto arguments = std::make_shared<DemoArguments>();
  command->add_option("--out", arguments->out, "Folder for the results")->type_name("DIR")->capture_default_str();
  auto* no_probe = command->add_flag("--no-probe", arguments->no_probe, "Leave this machine out");
  command->add_flag("--probe", arguments->probe, "Measure this machine again")->excludes(no_probe);
  add_run_options(*command, arguments->run);
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_demo(*arguments); }; });
}

}  // namespace weir::cli
