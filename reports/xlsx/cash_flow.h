#pragma once

#include <string>

#include "reports/language.h"
#include "reports/report.h"
#include "reports/xlsx/book.h"
#include "reports/xlsx/inputs_sheet.h"

namespace weir::reports::xlsx {

/// Formulas for the sheet that compares the options, each with the value it has as the workbook is written.
struct CashFlow {
  std::string total, npv, capex, opex_first_year;
  std::string cumulative;  ///< range over months 0 .. horizon
};

/// "Cash flow 3"
std::string cash_flow_name(const sim::PlanOption& option, Language language);

/// Month by month what the option costs. Amounts are formulas over the inputs and over physical quantities, which are
/// the simulation's and stand as numbers. An option priced without a schedule has only its amounts.
CashFlow write_cash_flow(Book& book, const sim::PlanResult& plan, const sim::PlanOption& option,
                         const InputNames& names, Language language);

}  // namespace weir::reports::xlsx
