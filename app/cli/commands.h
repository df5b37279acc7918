#pragma once

#include <functional>

#include "reports/language.h"

namespace CLI {
class App;
}

namespace weir::cli {

/// Exit codes, the same for every command.
inline constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kBadInput = 3, kNothingMeetsTargets = 4;

/// What to do once the command line was understood. A command's add function declares its options in `language`, sets
/// the action, and lets it speak that language.
using Action = std::function<int()>;

void add_demo(CLI::App& app, Action& action, reports::Language language);
void add_doctor(CLI::App& app, Action& action, reports::Language language);
void add_probe(CLI::App& app, Action& action, reports::Language language);
void add_import(CLI::App& app, Action& action, reports::Language language);
void add_simulate(CLI::App& app, Action& action, reports::Language language);
void add_plan(CLI::App& app, Action& action, reports::Language language);
void add_report(CLI::App& app, Action& action, reports::Language language);
void add_catalog(CLI::App& app, Action& action, reports::Language language);
void add_cost(CLI::App& app, Action& action, reports::Language language);

}  // namespace weir::cli
