#pragma once

#include "data/calibration.h"
#include "data/json_reader.h"

namespace weir::data {

/// Reads weir.calibration/1. Throws InputError with file and JSON pointer.
Calibration read_calibration(const JsonReader& reader);

}  // namespace weir::data
