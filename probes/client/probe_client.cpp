#include "probes/client/probe_client.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/errors.h"
#include "probes/client/child_process.h"

namespace weir::probes {
namespace fs = std::filesystem;
namespace {

constexpr const char* kProgram = "weir-probe";
constexpr int kBadInput = 3;

bool can_run(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

fs::path require_probe_program() {
  fs::path program = find_probe_program();
  if (!program.empty()) return program;
  if (const char* named = std::getenv("WEIR_PROBE"); named != nullptr && *named != '\0') {
    throw data::SystemError(std::string("WEIR_PROBE names ") + named + ", which is not a program that can be run");
  }
  throw data::SystemError("weir-probe was not found beside this program nor on PATH; set WEIR_PROBE to its place");
}

/// What the child has said so far.
struct Conversation {
  double fraction = 0;
  std::string what = "starting weir-probe";
  std::optional<nlohmann::ordered_json> document;
  std::string error, stray;  ///< stray: the last line that is not one of ours

  void hear(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line, nullptr, false);
    const std::string event = text(json, "event");
    if (event == "progress") {
      const auto number = json.find("fraction");
      if (number != json.end() && number->is_number()) fraction = std::clamp(number->get<double>(), 0.0, 1.0);
      what = text(json, "what");
    } else if (event == "result" && json.contains("document")) {
      document = std::move(json["document"]);
    } else if (event == "error") {
      error = text(json, "message");
    } else {
      stray = std::string(line.substr(0, 200));
    }
  }

  static std::string text(const nlohmann::ordered_json& json, const char* key) {
    if (!json.is_object()) return "";
    const auto value = json.find(key);
    return value != json.end() && value->is_string() ? value->get<std::string>() : "";
  }
};

std::string how_it_ended(int status) {
  if (status < 0)
    return std::string("was ended by signal ") + std::to_string(-status) + " (" + strsignal(-status) + ")";
  if (status == 0) return "ended without a result";
  return "failed with exit code " + std::to_string(status);
}

std::string failure_text(int status, const Conversation& talk, const std::string& last_words) {
  if (status > 0 && !talk.error.empty()) return "weir-probe: " + talk.error;
  std::string text = "weir-probe " + how_it_ended(status);
  if (!talk.what.empty()) text += " during \"" + talk.what + "\"";
  const std::string& said = !talk.error.empty() ? talk.error : !last_words.empty() ? last_words : talk.stray;
  if (!said.empty()) text += "; its last words: " + said;
  return text;
}

}  // namespace

fs::path find_probe_program() {
  if (const char* named = std::getenv("WEIR_PROBE"); named != nullptr && *named != '\0') {
    return can_run(named) ? fs::path(named) : fs::path();
  }
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  if (!self.empty() && can_run(self.parent_path() / kProgram)) return self.parent_path() / kProgram;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (!folder.empty() && can_run(fs::path(folder) / kProgram)) return fs::path(folder) / kProgram;
  }
  return {};
}

data::Calibration run_probe(const ProbeOptions& options, const data::Progress& progress) {
  const fs::path program = require_probe_program();
  ChildProcess child(program,
                     {"calibrate", "--device", options.device, options.full ? "--full" : "--quick", "--jsonl"});
  Conversation talk;
  child.read([&](std::string_view line) { talk.hear(line); },
             [&] {
               if (progress && !progress(talk.fraction, talk.what)) throw data::Cancelled();
             });
  const int status = child.wait();
  if (status == kBadInput && !talk.error.empty()) {
    throw data::InputError("", "", "", talk.error);  // the child's sentence names option and value
  }
  if (status != 0 || !talk.document) throw data::SystemError(failure_text(status, talk, child.last_words()));
  try {
    return data::calibration_from_json(*talk.document, program.string());
  } catch (const data::InputError& problem) {
    throw data::SystemError(std::string("weir-probe gave a calibration that cannot be read: ") + problem.what());
  }
}

std::string run_doctor() {
  const fs::path program = require_probe_program();
  ChildProcess child(program, {"doctor", "--json", "-"});
  std::string text;
  child.read([&](std::string_view line) { text.append(line).push_back('\n'); }, [] {});
  const int status = child.wait();
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (status != 0 || Conversation::text(json, "schema").rfind("weir.doctor/1", 0) != 0) {
    Conversation nothing_said;
    nothing_said.what = "doctor";
    throw data::SystemError(failure_text(status, nothing_said, child.last_words()));
  }
  return text;
}

}  // namespace weir::probes
