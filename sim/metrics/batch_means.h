#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/core/wide_int.h"

namespace weir::sim {

/// Values >= 0 of some requests, in ticks, and the requests' places in the demand.
struct BulkValues {
  std::span<const std::uint64_t> indices;  ///< as many as ticks
  /// No index is outside of these. The demand has come as far as `greatest`, even if that request has no value.
  std::uint64_t least = 0, greatest = 0;
  std::span<const std::int64_t> ticks;

  WideInt sum = 0;  ///< of the ticks
};

/// Sum of values >= 0.
inline WideInt sum_of(std::span<const std::int64_t> ticks) {
  std::uint64_t bits = 0, small = 0;
  for (const std::int64_t value : ticks) {
    bits |= static_cast<std::uint64_t>(value);
    small += static_cast<std::uint64_t>(value);
  }
  // As a rule not even so many of the greatest pass 64 bits.
  if (std::bit_width(bits) + std::bit_width(ticks.size()) <= 64) [[likely]]
    return static_cast<WideInt>(small);
  UnsignedWideInt sum = 0;
  for (const std::int64_t value : ticks) sum += static_cast<std::uint64_t>(value);
  return static_cast<WideInt>(sum);
}

/// Confidence interval of the mean of a correlated series by batch means (Law, Simulation Modeling and Analysis, 5th
/// ed., 9.5.3), in constant memory. A value belongs to the batch of its request's place in the demand, so the order of
/// calls does not matter. There are at most 64 batches; when the demand outgrows them, neighbours are joined and every
/// batch is twice as long.
class BatchMeans {
 public:
  static constexpr std::size_t kMostBatches = 64;
  /// An interval needs so many batches and values: below, a batch is too correlated with its neighbours.
  static constexpr std::size_t kFewestBatches = 20;
  static constexpr std::int64_t kFewestValues = 1000;

  void add(const BulkValues& values);
  /// Values of other requests of the same demand, or of an independent run.
  void merge(const BatchMeans& other);
  bool operator==(const BatchMeans&) const = default;

  std::int64_t count() const;
  WideInt sum_ticks() const;
  /// Half-width of the 99% interval of the mean, in ticks; empty with too few batches or values. Batches without a
  /// value are left out, and so is the last one unless the demand filled it. Batches may hold different numbers of
  /// values: the mean is the ratio of sums, and its variance that of a ratio.
  std::optional<double> half_width_99() const;

 private:
  struct Batch {
    WideInt ticks = 0;
    std::int64_t n = 0;
    bool operator==(const Batch&) const = default;
  };
  void join_neighbours();

  std::array<Batch, kMostBatches> batches_{};
  int shift_ = 0;           ///< a batch is 2^shift_ places of the demand
  std::uint64_t last_ = 0;  ///< the demand has come so far
};

}  // namespace weir::sim
