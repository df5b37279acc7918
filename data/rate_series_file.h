#pragma once

#include <filesystem>

#include "data/scenario_traffic.h"

namespace weir::data {

/// A rate series from a CSV file with a header: a column of times, `begin_s` (seconds) or `timestamp` (date and time),
/// and a column of values, `rate_per_s`, or `count` or `value` (requests within the step). Times ascend; the step is
/// the median of their differences, and each other difference is a whole number of steps: a missing step repeats the
/// one before. Throws InputError with file and line.
RateSeries read_rate_series(const std::filesystem::path& file);

}  // namespace weir::data
