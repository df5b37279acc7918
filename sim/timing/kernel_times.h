#pragma once

#include <vector>

#include "sim/model/operators.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// A share or a time of other parts is this much wider on the log scale.
inline constexpr double kBorrowedSpread = 1.5;

/// Seconds of single kernels on one rank. Immutable.
class KernelTimes {
 public:
  virtual ~KernelTimes() = default;
  /// One execution of the operator (its `count` is not applied).
  virtual double seconds(const Operator& op) const = 0;
  /// Half width of the P10..P90 interval of log(predicted/true) of this kind of operator.
  virtual double log_spread(const Operator& op) const = 0;
  virtual std::vector<EvidenceNote> evidence() const = 0;
};

}  // namespace weir::sim
