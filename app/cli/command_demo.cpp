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
#include "reports/error_text.h"
#include "reports/paper.h"

namespace weir::cli {
namespace fs = std::filesystem;
namespace {

using reports::Language;
using reports::say;

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
  const Language language = arguments.common.language;
  const std::string cached = (fs::path(arguments.out) / "calibration.json").string();
  if (!arguments.run.calibration.empty()) return data::load_calibration(arguments.run.calibration);
  if (arguments.no_probe) return std::nullopt;
  if (!arguments.probe) {
    if (auto earlier = usable_calibration(cached)) {
      output.note(
          say(language, "this machine was measured before ({file}); --probe measures it again", {{"file", cached}}));
      return earlier;
    }
  }
  output.note(say(language, "measuring this machine, at most a minute ..."));
  data::Calibration calibration = probes::run_probe({}, progress);
  data::write_file_atomically(cached, data::dump(data::to_json(calibration)));
  if (calibration.contended) output.note(say(language, "the machine was busy with other work while it was measured"));
  return calibration;
}

/// The forms that this build can write; one line on those that it cannot.
ReportOptions report_options(const std::string& folder, const Output& output, Language language) {
  const auto in_folder = [&](const char* name) { return (fs::path(folder) / name).string(); };
  ReportOptions report;
  report.csv = in_folder("decision.csv");
  report.html = in_folder("decision.html");
  if (reports::can_write_pdf()) report.pdf = in_folder("decision.pdf");
  if (reports::can_write_xlsx()) report.xlsx = in_folder("decision.xlsx");
  std::string missing = report.pdf.empty() ? "PDF" : "";
  if (report.xlsx.empty()) missing += std::string(missing.empty() ? "" : ", ") + "XLSX";
  if (!missing.empty())
    output.note(
        say(language, "this build writes no {forms}: the README says which packages it needs", {{"forms", missing}}));
  return report;
}

std::string written_line(const Output& output, const ReportOptions& report, const std::string& json,
                         Language language) {
  std::string others;
  for (const std::string& file : {report.pdf, report.xlsx, report.csv, json}) {
    if (output.has(file)) others += (others.empty() ? "" : say(language, ", ")) + file;
  }
  return "\n" +
         say(language, "Written: {html} (open it in a browser), {others}",
             {{"html", report.html}, {"others", others}}) +
         "\n";
}

int run_demo(DemoArguments arguments) {
  const Language language = arguments.common.language;
  make_folder(arguments.out);
  Output output(arguments.common);
  const ReportOptions report = report_options(arguments.out, output, language);
  const std::string json = (fs::path(arguments.out) / "decision.json").string();
  std::vector<std::string> files = files_of(report);
  files.push_back(json);
  output.prepare(files);
  const data::Progress progress = make_progress(arguments.common);
  auto project = open_project(arguments.common, data::Project::Mode::create);

  const std::optional<data::Calibration> calibration = find_calibration(arguments, output, progress);
  arguments.run.scenario = "llm-chat";
  arguments.run.calibration.clear();
  Inputs inputs = load_inputs(arguments.run, project, progress);
  inputs.calibration = calibration;
  output.note(say(language, "replaying the trace on every candidate ..."));
  const reports::Decision decision = decide(inputs, progress);
  const int code = give_decision(output, report, decision, language);
  output.file(json, data::dump(reports::to_json(decision)));
  if (const std::string problem = give_paper(output, report, decision, language); !problem.empty())
    output.note(reports::error_text(language, data::SystemError(problem)));
  output.text(written_line(output, report, json, language));
  if (project) store_decision(*project, inputs, decision);
  output.write();
  return code;
}

}  // namespace

void add_demo(CLI::App& app, Action& action, Language language) {
  auto* command = app.add_subcommand(
      "demo", say(language, "The main job: measure this machine, replay a trace on candidate fleets, decide"));
  command->footer(say(language, "Example:\n  weir demo --out out"));
  const auto arguments = std::make_shared<DemoArguments>();
  command->add_option("--out", arguments->out, say(language, "Folder for the results"))
      ->type_name(say(language, "DIR"))
      ->capture_default_str();
  auto* no_probe = command->add_flag("--no-probe", arguments->no_probe, say(language, "Leave this machine out"));
  command->add_flag("--probe", arguments->probe, say(language, "Measure this machine again"))->excludes(no_probe);
  add_run_options(*command, arguments->run, language);
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_demo(*arguments); }; });
}

}  // namespace weir::cli
