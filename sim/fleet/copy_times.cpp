#include "sim/fleet/copy_times.h"

#include "sim/timing/copies.h"

namespace weir::sim {

CopyTimes copy_times(const data::OneShotPipeline& pipeline, const data::Accelerator& accelerator) {
  CopyTimes times;
  if (!pipeline.has_copies()) return times;
  times.latency_s = copy_s(0, accelerator);
  times.in_s_per_item = copy_s(pipeline.copy_in_bytes_per_item, accelerator) - times.latency_s;
  times.out_s_per_item = copy_s(pipeline.copy_out_bytes_per_item, accelerator) - times.latency_s;
  return times;
}

}  // namespace weir::sim
