#include "app/cli/help.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using reports::Language;
using reports::say;

constexpr int kNameColumns = 26;  ///< names and explanations: "  NAME    explanation"

std::string padded(const std::string& text, int width) {
  const int missing = width - reports::display_width(text);
  return missing > 0 ? text + std::string(static_cast<std::size_t>(missing), ' ') : text;
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(Language language) : language_(language), width_(std::min(terminal_width(), 120)) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = app->get_description() + "\n\n" + usage(*app, name) + "\n";
    const auto positional = app->get_options([](const CLI::Option* o) { return o->get_positional(); });
    const auto named = app->get_options([](const CLI::Option* o) { return o->nonpositional(); });
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (!positional.empty()) text += head("Arguments:");
    for (const CLI::Option* option : positional) text += line(option->get_name(true), explanation(*option));
    if (!commands.empty()) text += head("Commands:");
    for (const CLI::App* command : commands) text += line(command->get_name(), command->get_description());
    if (!named.empty()) text += head("Options:");
    for (const CLI::Option* option : named) text += line(names_of(*option), explanation(*option));
    return text + "\n" + app->get_footer() + "\n";
  }

 private:
  std::string head(std::string_view english) const { return "\n" + say(language_, english) + "\n"; }

  std::string usage(const CLI::App& app, const std::string& name) const {
    std::string text = say(language_, "Usage") + reports::translate(language_, ": ") + name;
    const bool commands = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
    if (commands) text += " " + say(language_, "COMMAND");
    for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      const std::string argument = option->get_name(true);
      text += option->get_required() ? " " + argument : " [" + argument + "]";
    }
    return text + " [" + say(language_, "OPTIONS") + "]";
  }

  std::string line(const std::string& name, const std::string& text) const {
    const std::string indented = padded("  " + name, kNameColumns);
    if (reports::display_width(indented) == kNameColumns)
      return reports::wrap_text(text, width_, indented.substr(0, indented.size() - 1) + " ");
    return indented + "\n" + reports::wrap_text(text, width_, std::string(kNameColumns, ' '));
  }

  /// "--threads N": the type without what CLI11 adds to it for its checks, which the explanation says in words.
  static std::string names_of(const CLI::Option& option) {
    std::string name = option.get_name(false, true);
    for (std::size_t comma = name.find(",-"); comma != std::string::npos; comma = name.find(",-", comma + 2))
      name.insert(comma + 1, " ");
    const std::string type = option.get_type_name();
    if (option.get_type_size() != 0 && !type.empty()) name += " " + type.substr(0, type.find(':'));
    return name;
  }

  std::string explanation(const CLI::Option& option) const {
    if (option.get_default_str().empty()) return option.get_description();
    return say(language_, "{text} (default: {value})",
               {{"text", option.get_description()}, {"value", option.get_default_str()}});
  }

  Language language_;
  int width_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter(Language language) {
  return std::make_shared<HelpFormatter>(language);
}

}  // namespace weir::cli
