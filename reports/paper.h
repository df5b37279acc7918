#pragma once

#include <string>

#include "reports/language.h"
#include "reports/report.h"

/// The forms of a decision that need a library which a build may lack. Where it does, the functions throw
/// data::SystemError that says which option and package bring it; ask first with can_write_*.
namespace weir::reports {

bool can_write_pdf();
/// A4, vectors, embedded fonts, outline, page numbers; no clock in it: the same decision gives the same bytes.
/// Call from any thread after qt::ensure_application() ran on the main one.
std::string decision_pdf(const Decision& decision, Language language);

bool can_write_xlsx();
/// A workbook with live formulas and cached values; the same decision gives the same bytes.
std::string decision_xlsx(const Decision& decision, Language language);

}  // namespace weir::reports
