#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::data {

/// The `count` words of `known` nearest to `wanted`, nearest first: words that begin with it, then by the fewest
/// single-character edits in lower case (ties: the order of `known`). Words with more edits than half of the longer
/// word are still named: a list of what exists helps where a guess does not.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t count = 3);

/// ASCII lower case, whatever the locale.
std::string lower_case(std::string_view text);

}  // namespace weir::data
