#include "sim/serving/affine_blocks.h"

namespace weir::sim {

/// used() never falls from step to step, so bisection finds the last step within the limit.
std::int64_t AffineBlocks::steps_within_exactly(std::int64_t step, std::int64_t steps, std::int64_t limit) const {
  std::int64_t within = 0, beyond = steps + 1;
  while (beyond - within > 1) {
    const std::int64_t middle = within + (beyond - within) / 2;
    (used(step + middle) <= limit ? within : beyond) = middle;
  }
  return within;
}

}  // namespace weir::sim
