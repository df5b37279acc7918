#pragma once

#include <string>
#include <vector>

#include "reports/format.h"
#include "reports/language.h"

/// How finished phrases and sentences are put beside each other in each language.
namespace weir::reports {

/// Items of a list: "a, b" or "a，b".
std::string join(const std::vector<std::string>& items, Language language);
/// Whole sentences, one after the other; empty ones are left out.
std::string sentences(const std::vector<std::string>& all, Language language);
/// The phrase with a full stop, unless it has one.
std::string full_stop(const std::string& text, Language language);
/// Typographic: true multiplication and comparison signs between blanks.
std::string typeset(std::string text, Spelling spelling);

}  // namespace weir::reports
