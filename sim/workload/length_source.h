#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/scenario.h"
#include "sim/core/math.h"
#include "sim/core/random.h"
#include "sim/workload/limits.h"

namespace weir::sim {

/// A distribution of token counts, each from 1 to kMostTokens.
class LengthLaw {
 public:
  /// `place` is the JSON pointer that an InputError names. An empirical distribution is a table here.
  LengthLaw(const data::LengthDistribution& lengths, const std::string& place);

  /// Takes one number from the stream, none when the length is fixed. `factor` scales it.
  template <class Random>
  std::int32_t draw(Random& random, double factor = 1) const {
    return static_cast<std::int32_t>(std::clamp(std::floor(value(random) * factor + 0.5), 1.0, kMostTokens));
  }
  double mean() const { return mean_; }  ///< before rounding and cutting

 private:
  template <class Random>
  double value(Random& random) const {
    if (parameters_) return random.lognormal(parameters_->mu, parameters_->sigma);
    if (table_) return table_value(random.uniform());
    if (geometric_ < 0) return 1 + std::floor(math::log(random.uniform()) / geometric_);
    return mean_;
  }
  double table_value(double uniform) const;

  struct Table {
    std::vector<double> values;      ///< empty: least, least + 1, ...
    std::vector<double> cumulative;  ///< sum of the weights up to each value
    double least = 1;
  };

  double mean_;
  double geometric_ = 0;  ///< ln(1 - 1/mean); 0 = not geometric
  std::optional<LognormalParameters> parameters_;
  std::shared_ptr<const Table> table_;
};

/// Draws token counts from a stream of its own.
class LengthSource {
 public:
  /// `place` is the JSON pointer that an InputError names; `stream` the purpose of the random stream.
  LengthSource(const data::LengthDistribution& lengths, const std::string& place, std::uint64_t seed,
               const std::string& stream)
      : law_(lengths, place), random_(seed, stream) {}
  std::int32_t draw(double factor = 1) { return law_.draw(random_, factor); }

 private:
  LengthLaw law_;
  RandomStream random_;
};

struct LengthPair {
  std::int32_t input_tokens = 1, output_tokens = 1;
};

/// A table of input and output lengths that belong together: each row is equally likely (to 2^-32 of it for tables
/// below 2^32 rows).
class PairTable {
 public:
  /// Throws std::invalid_argument for an empty table or a length below 1.
  explicit PairTable(std::shared_ptr<const std::vector<LengthPair>> table);
  template <class Random>
  LengthPair draw(Random& random) const {
    // The upper half of a 32.32-bit product: one multiplication, and no division as a remainder would need.
    return rows_[((random.bits() >> 32) * size_) >> 32];
  }

 private:
  std::shared_ptr<const std::vector<LengthPair>> table_;
  const LengthPair* rows_;
  std::uint64_t size_;
};

/// Draws input and output lengths together, as they stand in a table.
class PairSource {
 public:
  PairSource(std::shared_ptr<const std::vector<LengthPair>> table, std::uint64_t seed, const std::string& stream)
      : table_(std::move(table)), random_(seed, stream) {}
  LengthPair draw() { return table_.draw(random_); }

 private:
  PairTable table_;
  RandomStream random_;
};

}  // namespace weir::sim
