#pragma once

#include <string>

namespace weir::sim {

/// A number for a note or an error: six significant digits, no locale.
std::string number_text(double value);

}  // namespace weir::sim
