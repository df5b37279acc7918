#pragma once

#include <cstdint>

#include "data/catalog.h"
#include "data/scenario_pipeline.h"
#include "sim/core/time.h"

namespace weir::sim {

/// What a batch of one-shot work takes on its way to the accelerator and back: seconds an item, and of each copy.
struct CopyTimes {
  double in_s_per_item = 0, out_s_per_item = 0, latency_s = 0;
  Time in(std::int64_t items) const { return time(in_s_per_item, items); }
  Time out(std::int64_t items) const { return time(out_s_per_item, items); }

 private:
  Time time(double s_per_item, std::int64_t items) const {
    return s_per_item > 0 ? Time::from_seconds(latency_s + s_per_item * static_cast<double>(items)) : Time();
  }
};

/// What the pipeline's bytes take over the PCIe of the accelerator (copy_s). Throws InputError when it has bytes and
/// the catalogue does not know that PCIe.
CopyTimes copy_times(const data::OneShotPipeline& pipeline, const data::Accelerator& accelerator);

}  // namespace weir::sim
