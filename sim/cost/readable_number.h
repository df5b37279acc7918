#pragma once

#include <string>

namespace weir::sim {

/// A number for an English formula, the same under every locale: about six significant digits, thousands separated,
/// no trailing zeros: "327,500", "0.083", "1.3".
std::string readable_number(double value);
/// With a fixed number of decimals: "2.31".
std::string fixed_text(double value, int decimals);
/// "+40%", "-5%" with up to one decimal.
std::string signed_percent_text(double share);

}  // namespace weir::sim
