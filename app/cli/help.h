#pragma once

#include <memory>

#include "reports/language.h"

namespace CLI {
class FormatterBase;
}

namespace weir::cli {

/// Writes --help in `language`: columns aligned by display width, lines wrapped to the terminal.
std::shared_ptr<CLI::FormatterBase> make_help_formatter(reports::Language language);

}  // namespace weir::cli
