#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::data {

/// Where a number comes from, from the strongest to the weakest. A computed number carries the weakest evidence among
/// the inputs that matter to it.
enum class Evidence { measured_here, measured_elsewhere, fitted, datasheet, assumption };

/// "measured-here", "measured-elsewhere", "fitted", "datasheet", "assumption".
std::string_view to_string(Evidence evidence);
std::optional<Evidence> parse_evidence(std::string_view text);
inline Evidence weakest(Evidence a, Evidence b) { return a < b ? b : a; }

/// A value with its source. `value` is empty where the source says that it is unknown or does not exist.
template <class T>
struct Sourced {
  std::optional<T> value;
  Evidence evidence = Evidence::assumption;
  std::string source;  ///< title or key of the source, never empty for a value that is there
  std::string note;

  bool known() const { return value.has_value(); }
};
using Quantity = Sourced<double>;

/// A planning value with its range (read as P5..P95).
struct RangedQuantity {
  double low = 0, mid = 0, high = 0;
  std::string unit;
  Evidence evidence = Evidence::assumption;
  std::string source;
  std::string note;
};

}  // namespace weir::data
