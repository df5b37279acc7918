#pragma once

#include <QString>

#include "reports/language.h"
#include "reports/report.h"

/// Where the numbers of an option come from, in a few lines each: value and range, formula or source, evidence.
namespace weir::desktop {

/// What the option is: hardware, precision, parallelism, engine, quality.
QString option_lines(const sim::PlanResult& plan, const sim::PlanOption& option, reports::Language language);
/// What was simulated, against which targets, and what the timing rests on. Needs option.run.
QString simulation_lines(const sim::PlanResult& plan, const sim::PlanOption& option, reports::Language language);
// All that follow need option.cost.
/// The amount in full and the lines of the cost with their formulas.
QString amount_lines(const sim::PlanResult& plan, const sim::PlanOption& option, double amount,
                     reports::Language language);
QString range_lines(const sim::PlanResult& plan, const sim::PlanOption& option, reports::Language language);
QString per_unit_lines(const sim::PlanResult& plan, const sim::PlanOption& option, reports::Language language);
QString payback_lines(const sim::PlanResult& plan, const sim::PlanOption& option, reports::Language language);

}  // namespace weir::desktop
