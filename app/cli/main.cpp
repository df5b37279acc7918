#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/common_options.h"
#include "app/cli/help.h"
#include "app/cli/interrupt.h"
#include "app/cli/parse_error.h"
#include "data/errors.h"
#include "reports/error_text.h"

namespace {

using namespace weir;
using reports::Language;
using reports::say;

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
int answer_parse_end(const CLI::App& app, const CLI::ParseError& end, Language language) {
  if (end.get_exit_code() != 0) return complain(cli::parse_problem(app, end, language), cli::kWrongUsage);
  const CLI::App& command = cli::command_in_use(app);
  const bool version = dynamic_cast<const CLI::CallForVersion*>(&end) != nullptr;
  std::cout << (version ? std::string(end.what()) + "\n" : command.help(&command == &app ? "" : "weir")) << std::flush;
  return cli::kDone;
}

int run(const cli::Action& action, Language language) {
  try {
    return action();
  } catch (const data::InputError& problem) {
    return complain(reports::error_text(language, problem), cli::kBadInput);
  } catch (const data::Cancelled&) {
    return complain(say(language, "stopped; nothing half-written was left"), cli::kFailed);
  } catch (const data::SystemError& problem) {
    return complain(reports::error_text(language, problem), cli::kFailed);
  } catch (const std::bad_alloc&) {
    return complain(say(language, "not enough memory"), cli::kFailed);
  } catch (const std::exception& problem) {
    return complain(say(language, "internal error, please report it: {problem}", {{"problem", problem.what()}}),
                    cli::kFailed);
  }
}

void add_commands(CLI::App& app, cli::Action& action, Language language) {
  cli::add_demo(app, action, language);
  cli::add_doctor(app, action, language);
  cli::add_probe(app, action, language);
  cli::add_import(app, action, language);
  cli::add_simulate(app, action, language);
  cli::add_plan(app, action, language);
  cli::add_cost(app, action, language);
  cli::add_report(app, action, language);
  cli::add_catalog(app, action, language);
}

}  // namespace

int main(int argc, char** argv) {
  const Language language = cli::language_of_arguments(argc, argv);
  CLI::App app{say(language, kAbout), "weir"};
  app.formatter(cli::make_help_formatter(language));
  app.footer(say(language, kFooter));
  app.set_help_flag("-h,--help", say(language, "Print this help and exit"));
  app.set_version_flag("--version", std::string("weir ") + WEIR_VERSION, say(language, "Print the version"));
  cli::add_language_option(app, language);
  app.require_subcommand(1);
  cli::Action action;
  add_commands(app, action, language);
  if (argc == 1) {
    std::cout << app.help() << std::flush;
    return cli::kWrongUsage;
  }
  if (const std::string problem = cli::unknown_command(app, argc, argv, language); !problem.empty())
    return complain(problem, cli::kWrongUsage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    return answer_parse_end(app, end, language);
  }
  cli::watch_for_interrupt();
  return run(action, language);
}
