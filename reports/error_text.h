#pragma once

#include <exception>
#include <string>

#include "reports/language.h"

namespace weir::reports {

/// What went wrong, in one line of `language`: an InputError is put together from its parts (file, place, value, what
/// is allowed), any other problem is the translation of its sentence. In English it is what().
std::string error_text(Language language, const std::exception& problem);

}  // namespace weir::reports
