#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/inputs.h"
#include "app/cli/output.h"

namespace weir::cli {

/// The files of `report` that can be checked before the long work (Output::prepare).
std::vector<std::string> files_of(const ReportOptions& report);
/// Throws SystemError when PDF or XLSX is asked for and this build has none.
void require_paper(const ReportOptions& report);

/// Puts a decision on every output that was asked for, PDF and XLSX aside. Returns the exit code: 4 when nothing meets
/// the targets.
int give_decision(Output& output, const ReportOptions& report, const reports::Decision& decision,
                  reports::Language language);
/// PDF and XLSX, which need libraries and fonts. Returns the English sentence that says why one could not be made,
/// empty when all were: what else there is of the decision should be written all the same.
std::string give_paper(Output& output, const ReportOptions& report, const reports::Decision& decision,
                       reports::Language language);

/// Stores a scenario, and beside it the folder in which its relative trace names are looked for.
void store_scenario(data::Project& project, const data::Scenario& scenario);

/// Stores what a plan was made of and the plan itself: scenario, trace, calibration and plan, under the scenario's
/// name.
void store_decision(data::Project& project, const Inputs& inputs, const reports::Decision& decision);

}  // namespace weir::cli
