#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/import/record_reader.h"

namespace weir::data {

/// The members of one JSON object, in order. Numbers keep the text they were written with, so that 64-bit times stay
/// exact.
using JsonMembers = std::vector<std::pair<std::string, Field>>;

/// Reads one line. Returns an empty text, or why the line is no JSON object, with the column.
std::string parse_json_line(std::string_view line, JsonMembers& members);

}  // namespace weir::data
