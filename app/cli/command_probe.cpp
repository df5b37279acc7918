#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "data/json_io.h"
#include "probes/client/probe_client.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using reports::Language;
using reports::say;

struct ProbeArguments {
  CommonOptions common;
  probes::ProbeOptions probe;
  bool quick = false;
  std::string out;
};

std::string rate_text(const data::MeasuredLimit& limit) {
  return reports::significant(limit.value / 1e9, 3) + (limit.unit == "bytes/s" ? " GB/s" : " Gflop/s");
}

std::string summary(const data::Calibration& calibration, Language language, int width) {
  std::string text = say(language, "{device}, kernel set {kernels}: {samples} samples, {held_out} held out",
                         {{"device", calibration.device_name},
                          {"kernels", calibration.kernel_set},
                          {"samples", std::to_string(calibration.samples.size())},
                          {"held_out", std::to_string(calibration.held_out.size())}}) +
                     "\n";
  if (calibration.contended)
    text += "! " + say(language, "The machine was busy with other work: measure again when it is idle.") + "\n";
  reports::TextTable limits({{say(language, "Measured limit"), false, 0},
                             {say(language, "Value"), true, 0},
                             {say(language, "Spread (%)"), true, 1}});
  for (const data::MeasuredLimit& limit : calibration.limits) {
    limits.add({say(language, limit.name), rate_text(limit), reports::percent(limit.spread, 0)});
  }
  text += "\n" + limits.render(width);
  reports::TextTable layers({{say(language, "Whole layer, not fitted"), false, 0},
                             {say(language, "Predicted"), true, 0},
                             {say(language, "Measured"), true, 0},
                             {say(language, "Error (%)"), true, 0}});
  for (const reports::LayerCheck& check : reports::check_layers(calibration)) {
    layers.add({reports::translate(language, check.what), reports::seconds_text(check.predicted_s),
                reports::seconds_text(check.measured_s),
                check.measured_s > 0 ? reports::fixed((check.predicted_s / check.measured_s - 1) * 100, 1) : "-"});
  }
  return layers.empty() ? text : text + "\n" + layers.render(width);
}

int run_probe_command(const ProbeArguments& arguments) {
  Output output(arguments.common);
  output.prepare({arguments.out});
  auto project = open_project(arguments.common, data::Project::Mode::create);
  const data::Calibration calibration = probes::run_probe(arguments.probe, make_progress(arguments.common));
  const nlohmann::ordered_json document = data::to_json(calibration);
  output.json(document);
  if (!arguments.out.empty()) output.file(arguments.out, data::dump(document));
  output.text(summary(calibration, arguments.common.language, terminal_width()));
  if (project) project->put_documents({reports::calibration_document(calibration)});
  output.write();
  return kDone;
}

}  // namespace

void add_probe(CLI::App& app, Action& action, Language language) {
  auto* command = app.add_subcommand("probe", say(language, "Measure this machine's kernels and make a calibration"));
  command->footer(say(language, "Example:\n  weir probe --quick --out calibration.json"));
  const auto arguments = std::make_shared<ProbeArguments>();
  command->add_option("--device", arguments->probe.device, say(language, "Device to measure"))
      ->type_name(say(language, "NAME"))
      ->capture_default_str();
  auto* quick = command->add_flag("--quick", arguments->quick, say(language, "At most a minute (the default)"));
  command->add_flag("--full", arguments->probe.full, say(language, "More points and more repetitions: some minutes"))
      ->excludes(quick);
  command->add_option("--out", arguments->out, say(language, "Write the calibration to FILE"))
      ->type_name(say(language, "FILE"));
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_probe_command(*arguments); }; });
}

}  // namespace weir::cli
