#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/calibration.h"
#include "sim/timing/efficiency_kernels.h"
#include "sim/timing/kernel_times.h"
#include "sim/timing/log_interpolation.h"

namespace weir::sim {

/// Kernel times of a measured device: time = roofline x measured excess over the roofline, the excess interpolated in
/// log-shape space. Operators without samples take the time of `otherwise` (and evidence() says so).
class CalibratedKernels : public KernelTimes {
 public:
  CalibratedKernels(const data::Accelerator& accelerator, const data::Calibration& calibration,
                    const ShardedModel& model, std::unique_ptr<KernelTimes> otherwise);

  double seconds(const Operator& op) const override;
  double log_spread(const Operator& op) const override;
  std::vector<EvidenceNote> evidence() const override;
  /// P80 of |log(predicted/measured)| when each sample is predicted from the others, over all operators of this model.
  double leave_one_out_error() const { return leave_one_out_error_; }

 private:
  struct Table {
    LogInterpolation log_excess;  ///< log(time / roofline)
    std::vector<double> errors;   ///< leave-one-out
    double error_p80 = 0;
  };
  using TableKey = std::pair<OperatorKind, data::Precision>;  ///< fp32 stands for "any" where precision does not matter

  double roofline_s(const Operator& op) const;
  const Table* table_for(const Operator& op) const;
  void add_table(TableKey key, const std::vector<LogInterpolation::Point>& points);

  data::Accelerator accelerator_;
  double bandwidth_bytes_per_s_ = 0;
  std::map<TableKey, Table> tables_;
  std::unique_ptr<KernelTimes> otherwise_;
  std::string source_;
  data::Evidence evidence_ = data::Evidence::measured_here;
  bool contended_ = false;
  double leave_one_out_error_ = 0;
};

}  // namespace weir::sim
