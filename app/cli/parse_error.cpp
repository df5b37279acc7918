#include "app/cli/parse_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "data/nearest.h"
#include "reports/error_text.h"

namespace weir::cli {

using reports::Language;
using reports::say;

namespace {

std::string with_help(const std::string& problem, const std::string& help, Language language) {
  return say(language, "{problem} (see: {help})", {{"problem", problem}, {"help", help}});
}

/// The first word that is neither an option of the program nor the value of one.
std::string first_word(int count, const char* const* arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word(arguments[i]);
    if (word == "--lang") {
      ++i;
    } else if (!word.starts_with("--lang=")) {
      return std::string(word);
    }
  }
  return "";
}

}  // namespace

const CLI::App& command_in_use(const CLI::App& app) {
  const CLI::App* command = &app;
  for (const CLI::App* used : app.get_subcommands()) command = used;
  return *command;
}

std::string parse_problem(const CLI::App& app, const CLI::ParseError& end, Language language) {
  const CLI::App& command = command_in_use(app);
  std::string text = reports::error_text(language, end);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return with_help(text, &command == &app ? "weir --help" : "weir " + command.get_name() + " --help", language);
}

std::string unknown_command(const CLI::App& app, int count, const char* const* arguments, Language language) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::string word = first_word(count, arguments);
  if (word.empty() || word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return "";
  return with_help(say(language, "there is no command \"{word}\"; did you mean {name}?",
                       {{"word", word}, {"name", data::nearest_names(word, names, 1).front()}}),
                   "weir --help", language);
}

}  // namespace weir::cli
