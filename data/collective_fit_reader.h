#pragma once

#include <string>
#include <vector>

#include "data/collective_fit.h"
#include "data/json_reader.h"

namespace weir::data {

/// Sets of kernels that collectives run as.
const std::vector<std::string>& collective_kernel_names();
/// One of `collectives` in efficiency.json. Throws InputError.
CollectiveFit read_collective_fit(const JsonReader& reader);

}  // namespace weir::data
