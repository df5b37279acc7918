#pragma once

#include <string>

#include "reports/language.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace weir::cli {

/// The command that was being read when parsing ended; the program itself when no command was named yet.
const CLI::App& command_in_use(const CLI::App& app);
/// What is wrong with the command line, in one line that names the help.
std::string parse_problem(const CLI::App& app, const CLI::ParseError& end, reports::Language language);
/// The parser would only say that a command is missing. Empty when the first word that is no option is a command.
std::string unknown_command(const CLI::App& app, int count, const char* const* arguments, reports::Language language);

}  // namespace weir::cli
