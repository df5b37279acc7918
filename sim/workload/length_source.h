#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/core/random.h"

namespace weir::sim {

/// Draws token counts, each from 1 to kMostTokens.
class LengthSource {
 public:
  /// `place` is the JSON pointer that an InputError names; `stream` the purpose of the random stream.
  LengthSource(const data::LengthDistribution& lengths, const std::string& place, std::uint64_t seed,
               const std::string& stream);
  std::int32_t draw();

 private:
  double mean_;
  RandomStream random_;
  std::optional<LognormalParameters> parameters_;  ///< empty: always the mean
};

struct LengthPair {
  std::int32_t input_tokens = 1, output_tokens = 1;
};

/// Draws input and output lengths together, as they stand in a table: each row is equally likely (to 2^-32 of it for
/// tables below 2^32 rows).
class PairSource {
 public:
  /// Throws std::invalid_argument for an empty table or a length below 1.
  PairSource(std::shared_ptr<const std::vector<LengthPair>> table, std::uint64_t seed, const std::string& stream);
  LengthPair draw() {
    // The upper half of a 32.32-bit product: one multiplication, and no division as a remainder would need.
    return rows_[((random_.bits() >> 32) * size_) >> 32];
  }

 private:
  std::shared_ptr<const std::vector<LengthPair>> table_;
  const LengthPair* rows_;
  std::uint64_t size_;
  RandomStream random_;
};

}  // namespace weir::sim
