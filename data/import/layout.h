#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/import/record_reader.h"

namespace weir::data {

enum class Role : std::uint8_t {
  time,
  input,
  output,
  items,
  class_name,
  status,
  id,
  path,
  session,
  turn,
  prefix,  ///< a list of hashes, one for each block of the prompt
  client
};
inline constexpr std::size_t kRoles = 12;

/// How the time column is to be read.
enum class TimeKind : std::uint8_t {
  unit,          ///< numbers in `unit_ns`
  by_magnitude,  ///< numbers whose unit shows in their size: seconds, ms, us or ns since 1970
  date_time,
};

/// What the columns of a trace mean.
struct Layout {
  std::string format;
  bool json = false;                 ///< one object a line; otherwise CSV
  std::vector<std::string> names;    ///< columns as the file writes them
  std::array<int, kRoles> column{};  ///< by Role: index into names, or -1
  TimeKind time = TimeKind::by_magnitude;
  std::int64_t unit_ns = 0;
  char delimiter = ',';
  char decimal_mark = '.';
  /// Column names of the serving-log family `timestamp, input_length, output_length`, whose whole-numbered times are
  /// ms.
  bool whole_numbers_are_ms = false;
  std::vector<std::string> warnings;

  int column_of(Role role) const { return column[static_cast<std::size_t>(role)]; }
  const std::string& name_of(Role role) const { return names[static_cast<std::size_t>(column_of(role))]; }
};

/// Lower case without blanks and '_': how column names are compared.
std::string column_key(std::string_view name);

/// Finds the columns by name; `rows` are the first rows, which tell how times and decimals are written. `wanted` is ""
/// or a format of ImportOptions. Throws InputError that lists the columns found and those needed.
Layout find_layout(const std::string& file, std::int64_t header_line, std::vector<std::string> names,
                   const std::vector<Record>& rows, bool json, char delimiter, const std::string& wanted);

}  // namespace weir::data
