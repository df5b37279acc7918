#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "data/errors.h"
#include "data/scenario.h"

namespace {

using namespace weir;

constexpr const char* kAbout =
    "Weir answers: which accelerators, how many, run how, owned or rented, serve this traffic\n"
    "within its latency targets, and what does that cost over the years?";

constexpr const char* kFooter =
    "Start with:   weir demo\n"
    "Then, e.g.:   weir plan llm-chat --trace my-requests.csv --html decision.html\n"
    "Every command explains itself: weir COMMAND --help\n"
    "Exit codes:   0 done, 1 failed, 2 wrong usage, 3 bad input data, 4 nothing meets the targets";

int complain(const std::string& text, int code) {
  std::cerr << "weir: " << text << std::endl;
  return code;
}

/// Help and version go to stdout and are no error; everything else is one line that names the help.
int answer_parse_end(const CLI::App& app, const CLI::ParseError& end) {
  const CLI::App* command = &app;
  for (const CLI::App* used : app.get_subcommands()) command = used;
  if (end.get_exit_code() == 0) {
    const bool version = dynamic_cast<const CLI::CallForVersion*>(&end) != nullptr;
    std::cout << (version ? std::string(end.what()) + "\n" : command->help(command == &app ? "" : "weir"))
              << std::flush;
    return cli::kDone;
  }
  std::string text = end.what();
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  const std::string help = command == &app ? "weir --help" : "weir " + command->get_name() + " --help";
  return complain(text + " (see: " + help + ")", cli::kWrongUsage);
}

/// The parser would only say that a command is missing; empty when the first word is a command or an option.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return "";
  return "there is no command \"" + word + "\"; did you mean " + data::nearest_names(word, names, 1).front() +
         "? (see: weir --help)";
}

int run(const cli::Action& action) {
  try {
    return action();
  } catch (const data::InputError& problem) {
    return complain(problem.what(), cli::kBadInput);
  } catch (const data::Cancelled&) {
    return complain("stopped; nothing half-written was left", cli::kFailed);
  } catch (const data::SystemError& problem) {
    return complain(problem.what(), cli::kFailed);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory", cli::kFailed);
  } catch (const std::exception& problem) {
    return complain(std::string("internal error, please report it: ") + problem.what(), cli::kFailed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{kAbout, "weir"};
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("weir ") + WEIR_VERSION, "Print the version");
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  cli::Action action;
  cli::add_demo(app, action);
  cli::add_doctor(app, action);
  cli::add_probe(app, action);
  cli::add_import(app, action);
  cli::add_simulate(app, action);
  cli::add_plan(app, action);
  cli::add_cost(app, action);
  cli::add_report(app, action);
  cli::add_catalog(app, action);
  if (argc == 1) {
    std::cout << app.help() << std::flush;
    return cli::kWrongUsage;
  }
  if (const std::string problem = unknown_command(app, argv[1]); !problem.empty())
    return complain(problem, cli::kWrongUsage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    return answer_parse_end(app, end);
  }
  cli::watch_for_interrupt();
  return run(action);
}
