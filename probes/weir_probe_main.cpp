#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "data/calibration.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "kernels/device.h"
#include "probes/calibrate.h"
#include "probes/doctor.h"
#include "probes/machine_files.h"
#include "probes/selftest.h"

namespace {

using namespace weir;

constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kBadInput = 3;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
void on_signal(int) { interrupted = true; }

void say(const nlohmann::ordered_json& line) {
  std::cout << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
}

struct CalibrateArguments {
  std::string device = "cpu", out;
  bool quick = false, full = false, jsonl = false;
  double budget_s = 0;
};

/// Progress of a run: JSON lines, or one line that is written over on a terminal, or nothing.
data::Progress make_progress(bool jsonl) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  return [jsonl, terminal](double fraction, std::string_view what) {
    if (jsonl) {
      say({{"event", "progress"}, {"fraction", fraction}, {"what", what}});
    } else if (terminal) {
      std::cerr << "\r\033[K" << probes::number_text(100 * fraction, 0) << " %  " << what
                << (fraction >= 1 ? "\r\033[K" : "") << std::flush;
    }
    return !interrupted;
  };
}

std::string gigas(double value, const char* unit) { return probes::number_text(value * 1e-9, 1) + " " + unit; }

void print_summary(const data::Calibration& calibration) {
  std::cout << calibration.device_name << ", " << calibration.environment.at("threads") << " threads, "
            << calibration.environment.at("isa") << " kernels, " << calibration.environment.at("libraries") << "\n";
  for (const data::MeasuredLimit& limit : calibration.limits) {
    const bool bandwidth = limit.unit == "bytes/s";
    std::cout << "  " << limit.name << "  " << gigas(limit.value, bandwidth ? "GB/s" : "Gflop/s") << "  (spread "
              << probes::number_text(100 * limit.spread, 0) << " %)\n";
  }
  for (const data::Sample& layer : calibration.held_out) {
    std::cout << "  layer " << data::to_string(layer.precision)
              << (layer.shape.at("phase") == 0 ? ", prefill of " : ", decode of batch ")
              << probes::number_text(layer.shape.at("tokens"), 0) << ": "
              << probes::number_text(1e3 * layer.median_s, 2) << " ms\n";
  }
  std::cout << "  " << calibration.environment.at("points") << " in " << calibration.environment.at("duration") << "\n";
  if (calibration.contended) {
    std::cout << "  contended: other work took " << calibration.environment.at("other_load") << ", the anchor drifted "
              << calibration.environment.at("anchor_drift") << "; measure again on an idle machine\n";
  }
}

/// Says so now, not after a minute of measuring.
void require_writable_folder(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (access(folder.c_str(), W_OK) != 0) {
    throw data::SystemError(file + " cannot be written: " + folder.string() + " is not a folder one may write to");
  }
}

int calibrate(const CalibrateArguments& arguments) {
  if (arguments.device != "cpu") {
    const bool cuda = arguments.device == "cuda" || arguments.device.starts_with("cuda:");
    throw data::InputError("--device", "", arguments.device,
                           cuda ? "no CUDA kernels in this version: use cpu" : "expected cpu");
  }
  const bool to_file = !arguments.out.empty() && arguments.out != "-";
  if (to_file) require_writable_folder(arguments.out);
  probes::CalibrateOptions options;
  options.full = arguments.full;
  if (arguments.full) options.budget_s = 290;
  if (arguments.budget_s > 0) options.budget_s = arguments.budget_s;
  const auto device = kernels::make_cpu_device();
  const data::Calibration calibration = probes::calibrate(*device, options, make_progress(arguments.jsonl));
  const nlohmann::ordered_json document = data::to_json(calibration);
  if (to_file) data::write_file_atomically(arguments.out, data::dump(document));
  if (arguments.jsonl) {
    say({{"event", "result"}, {"document", document}});
  } else if (arguments.out == "-") {
    std::cout << data::dump(document);
  } else {
    print_summary(calibration);
    if (to_file) std::cout << "written to " << arguments.out << "\n";
  }
  return kDone;
}

int doctor(const std::string& json_file) {
  const std::vector<probes::Finding> findings = probes::examine_machine();
  if (!json_file.empty()) {
    const std::string text = data::dump(probes::to_json(findings));
    if (json_file == "-") {
      std::cout << text;
      return kDone;
    }
    data::write_file_atomically(json_file, text);
  }
  for (const probes::Finding& finding : findings) {
    std::cout << (finding.severity == probes::Severity::warning ? "! " : "  ") << finding.key << ": " << finding.value
              << "\n";
    if (!finding.cost.empty()) std::cout << "      costs: " << finding.cost << "\n";
    if (!finding.advice.empty()) std::cout << "      advice: " << finding.advice << "\n";
  }
  return kDone;
}

int selftest() {
  bool all_passed = true;
  for (const kernels::IsaLevel level : kernels::available_isa_levels()) {
    const auto device = kernels::make_cpu_device(0, level);
    all_passed &= probes::run_selftest(*device, kernels::name_of(level), [](const probes::SelfCheck& check) {
      std::cout << (check.passed ? "pass  " : "FAIL  ") << check.what;
      if (check.problem.empty()) {
        std::cout << "  error " << check.error << " <= " << check.tolerance << "\n";
      } else {
        std::cout << "  " << check.problem << "\n";
      }
    });
  }
  std::cout << (all_passed ? "all kernels pass\n" : "some kernels FAIL\n");
  return all_passed ? kDone : kFailed;
}

/// One line that says what went wrong: an event for a parent that reads JSON lines, else on standard error.
int fail(const std::string& message, bool jsonl, int code) {
  if (jsonl) {
    say({{"event", "error"}, {"message", message}});
  } else {
    if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\033[K";
    std::cerr << "weir-probe: " << message << "\n";
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"weir-probe: inspects this machine and measures its kernels", "weir-probe"};
  app.set_version_flag("--version", std::string("weir-probe ") + WEIR_VERSION);
  bool want_selftest = false;
  app.add_flag("--selftest", want_selftest, "check every kernel against its reference");
  app.footer("Example: weir-probe calibrate --quick --out calibration.json");

  CalibrateArguments arguments;
  CLI::App* calibrate_command = app.add_subcommand("calibrate", "measure limits and kernels: a calibration");
  calibrate_command->add_option("--device", arguments.device, "cpu (cuda:N in a later version)");
  CLI::Option* quick = calibrate_command->add_flag("--quick", arguments.quick, "at most a minute (default)");
  calibrate_command->add_flag("--full", arguments.full, "at most five minutes")->excludes(quick);
  calibrate_command->add_option("--out", arguments.out, "calibration file (- for standard output)");
  calibrate_command->add_flag("--jsonl", arguments.jsonl, "progress and result as JSON lines on standard output");
  calibrate_command->add_option("--budget", arguments.budget_s, "seconds to take, about")
      ->check(CLI::Range(5.0, 3600.0));

  std::string doctor_json;
  CLI::App* doctor_command = app.add_subcommand("doctor", "what is here, what is mis-set, what it costs");
  doctor_command->add_option("--json", doctor_json, "weir.doctor/1 to this file (- for standard output)");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  try {
    if (want_selftest) return selftest();
    if (*doctor_command) return doctor(doctor_json);
    if (*calibrate_command) return calibrate(arguments);
    std::cerr << app.help();
    return kWrongUsage;
  } catch (const data::InputError& error) {
    return fail(error.what(), arguments.jsonl, kBadInput);
  } catch (const std::exception& error) {
    return fail(error.what(), arguments.jsonl, kFailed);
  }
}
