#pragma once

#include <string>
#include <string_view>

#include "reports/language.h"

/// Findings of the doctor (weir.doctor/1) in words. A finding's key and advice are plain entries: say() and
/// translate().
namespace weir::reports {

/// The value of the finding `key`; instruction sets are a list.
std::string finding_value(Language language, std::string_view key, const std::string& value);
/// What it costs: sentences joined by semicolons.
std::string finding_cost(Language language, const std::string& cost);

}  // namespace weir::reports
