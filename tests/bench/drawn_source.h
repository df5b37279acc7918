#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "sim/workload/drawn_source.h"

namespace weir::bench {

using Lengths = std::shared_ptr<const std::vector<sim::LengthPair>>;

/// Lengths of the rows of AzureLLMInferenceTrace_conv.csv. Throws std::runtime_error when it cannot be read.
Lengths azure_lengths(const std::filesystem::path& csv);

/// `count` requests of lengths drawn from `lengths` that arrive as a Poisson process.
sim::DrawnSource drawn_source(const Lengths& lengths, double per_s, std::int64_t count, std::uint64_t seed);

}  // namespace weir::bench
