#pragma once

#include <map>

#include "reports/language.h"
#include "reports/report.h"
#include "reports/xlsx/book.h"
#include "reports/xlsx/cash_flow.h"

namespace weir::reports::xlsx {

/// The answer, and the options of the shortlist side by side: amounts and order follow the cash flows. `sheet` comes
/// first in the workbook, so it is made before the cash flows that it points to.
void write_decision(Sheet& sheet, const Decision& decision, const std::map<std::size_t, CashFlow>& flows,
                    Language language);

/// Every option, as Weir found it.
void write_options(Sheet& sheet, const sim::PlanResult& plan, Language language);

}  // namespace weir::reports::xlsx
