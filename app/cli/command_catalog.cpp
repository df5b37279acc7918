#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "app/cli/catalog_view.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"

namespace weir::cli {
namespace {

struct CatalogArguments {
  CommonOptions common;
  std::string what, name;
};

/// Checks give English text; it is translated with the whole complaint.
std::string refuse_unknown_part(const std::string& name) {
  for (const std::string_view part : {"hardware", "models", "prices", "scenarios", "economics"}) {
    if (name == part) return "";
  }
  return name + " is not allowed: expected hardware, models, prices, scenarios or economics";
}

int run_catalog(const CatalogArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  const data::Catalog& catalog = data::Catalog::builtin();
  const TextStyle style{arguments.common.language, terminal_width()};
  const std::string& name = arguments.name;
  CatalogView view = arguments.what == "hardware"    ? hardware_view(catalog, name, style)
                     : arguments.what == "models"    ? model_view(catalog, name, style)
                     : arguments.what == "prices"    ? price_view(catalog, name, style)
                     : arguments.what == "scenarios" ? scenario_view(name, style)
                                                     : economics_view(catalog, name, style);
  nlohmann::ordered_json document;
  document["schema"] = "weir.catalog/1";
  document["what"] = arguments.what;
  document[name.empty() ? "entries" : "entry"] = std::move(view.json);
  output.json(document);
  output.text(view.text);
  output.write();
  return kDone;
}

}  // namespace

void add_catalog(CLI::App& app, Action& action, reports::Language language) {
  using reports::say;
  auto* command = app.add_subcommand(
      "catalog", say(language, "What is known of hardware, models, prices; each value with its source"));
  command->footer(say(language, "Example:\n  weir catalog hardware a100-sxm4-80gb"));
  const auto arguments = std::make_shared<CatalogArguments>();
  command
      ->add_option(say(language, "WHAT"), arguments->what,
                   say(language, "hardware, models, prices, scenarios or economics"))
      ->required()
      ->type_name("")
      ->check(CLI::Validator(refuse_unknown_part, ""));
  command->add_option(say(language, "NAME"), arguments->name, say(language, "One entry"))->type_name("");
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_catalog(*arguments); }; });
}

}  // namespace weir::cli
