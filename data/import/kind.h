#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::data {

/// A file that is no trace, named for the user: kind as in `--as`, what as in "a vLLM benchmark result".
struct ForeignKind {
  std::string kind;  ///< "" when it is none that Weir knows
  std::string what;
};

/// What the first bytes say: archives, binary files, logs and documents that no row reader should see.
std::optional<ForeignKind> foreign_bytes(std::string_view head);

/// What the column names say.
std::optional<ForeignKind> foreign_columns(const std::vector<std::string>& names);

}  // namespace weir::data
