#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace weir::cli {

/// Exit codes, the same for every command.
inline constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kBadInput = 3, kNothingMeetsTargets = 4;

/// What to do once the command line was understood. A command's add function declares its options and sets it.
using Action = std::function<int()>;

void add_demo(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_probe(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_catalog(CLI::App& app, Action& action);
void add_cost(CLI::App& app, Action& action);

}  // namespace weir::cli
