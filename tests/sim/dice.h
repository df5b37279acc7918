#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/random.h"

namespace weir::sim::testing {

/// Draws small whole numbers for random scenarios, the same for a seed everywhere.
class Dice {
 public:
  Dice(std::uint64_t seed, std::string_view purpose) : random_(seed, purpose) {}
  std::int64_t from_to(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_.uniform() * static_cast<double>(most - least + 1));
  }
  bool one_in(std::int64_t n) { return from_to(1, n) == 1; }

 private:
  RandomStream random_;
};

}  // namespace weir::sim::testing
