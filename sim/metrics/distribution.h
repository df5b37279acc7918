#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/metrics/run_result.h"

namespace weir::sim {

/// Up to here percentiles come from sorting all values, above it from histograms.
inline constexpr std::size_t kExactLimit = 1'000'000;

/// Percentile p in [0, 100] of ascending values, interpolated between the order statistics around rank (n-1) p / 100.
/// Not for empty spans.
double percentile_of_sorted(std::span<const double> ascending, double p);

/// Half-width of the 99% confidence interval of the mean of a correlated series, from 20 batch means (Law, Simulation
/// Modeling and Analysis, 5th ed., 9.5.3). Empty below 1,000 values: a batch of fewer than 50 is too correlated with
/// its neighbours for the interval to hold.
std::optional<double> batch_means_half_width_99(std::span<const double> values_in_time_order);

/// The distribution of values given in order of arrival; sorts them. Percentiles are exact up to kExactLimit values.
Distribution distribution_of(std::vector<double>& values);

}  // namespace weir::sim
