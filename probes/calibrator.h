#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "data/progress.h"
#include "kernels/device.h"
#include "probes/grid.h"
#include "probes/load_watch.h"
#include "probes/workbench.h"

namespace weir::probes {

/// One calibration run: limits and anchor at the start, points tier by tier in random order with limits and anchor in
/// between, and again at the end.
class Calibrator {
 public:
  Calibrator(kernels::Device& device, const GridPlan& plan, const data::Progress& progress);
  data::Calibration run();

 private:
  void set_up();
  void measure_points();
  void measure_overheads();
  void visit_anchor();
  void estimate_rates();
  double predicted_seconds(const Point& point) const;  ///< one execution
  double predicted_cost(const Point& point) const;     ///< the whole point
  data::Sample sample_of(const Point& point);
  double numeric_error(const Point& point);
  Measurement measure_point(const Point& point);
  void finish_limits();
  void finish_environment(const LoadWatch::Reading& from);
  double elapsed_s() const { return clocks_.wall_s() - started_s_; }
  void report(double fraction, const std::string& what) const;

  kernels::Device& device_;
  const GridPlan& plan_;
  const data::Progress& progress_;
  Clocks clocks_ = Clocks::system();
  LoadWatch watch_;
  kernels::DeviceInfo info_;
  double started_s_ = 0, set_up_s_ = 0, cache_bytes_ = 0, last_anchor_s_ = 0;
  std::unique_ptr<Workbench> bench_;
  data::Calibration result_;
  std::vector<double> bandwidths_, anchors_s_;
  std::map<data::Precision, double> gemm_flops_per_s_;
  double attention_flops_per_s_ = 1e9;
  std::map<std::string, double> parallelism_;  ///< best seen of each kind of flushed operation
  std::map<std::pair<data::Precision, std::int64_t>, double> errors_;
  std::size_t dropped_ = 0;
};

}  // namespace weir::probes
