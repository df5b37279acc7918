#pragma once

#include "app/cli/inputs.h"

namespace weir::cli {

/// Prices the scenario's own deployment as `run` used it, owned and rented.
reports::CostReport price_deployment(const Inputs& inputs, const sim::RunResult& run);

}  // namespace weir::cli
