#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/fleet/simulate.h"
#include "tests/field/vidur_conformance/vidur_run.h"

namespace weir::field {

/// What we answer for the requests of a run, in their order.
struct OurAnswer {
  sim::Time scheduled, first_token, completed;
  std::int64_t restarts = 0;
  bool served = false;
};
std::vector<OurAnswer> simulate_vidur(const VidurRun& run, const std::vector<VidurRequest>& requests,
                                      const sim::StepTimer& timer, sim::Stepping stepping);

/// The largest difference of one time over all requests.
struct Deviation {
  double seconds = 0;
  std::size_t request = 0;
};

struct Comparison {
  Deviation scheduled, first_token, completed;
  std::int64_t restarts = 0, expected_restarts = 0;  ///< in all
  std::size_t other_restarts = 0;                    ///< requests restarted more or less often than Vidur's
  std::size_t not_served = 0;
  bool within(double tolerance_s) const;
};
Comparison compare(const std::vector<VidurAnswer>& expected, const std::vector<OurAnswer>& ours);

}  // namespace weir::field
