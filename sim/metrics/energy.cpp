#include "sim/metrics/energy.h"

#include <algorithm>

#include "sim/core/time.h"

namespace weir::sim {

double busy_power_share_seconds(const FleetTotals& totals, const StepTimer& timer, double a, double b) {
  const WorkRates rates = timer.work_rates();
  const double flops_per_s = timer.peak_flops_per_s(), bytes_per_s = timer.peak_bytes_per_s();
  double sum_s = 0;
  for (const FleetWork& work : totals.work) {
    if (work.ticks == 0) continue;
    const double seconds = static_cast<double>(work.ticks) / static_cast<double>(Time::kTicksPerSecond);
    double share = 0;
    if (flops_per_s > 0) share = std::max(share, rates.flops(work) / flops_per_s / seconds);
    if (bytes_per_s > 0) share = std::max(share, rates.bytes(work) / bytes_per_s / seconds);
    sum_s += seconds * std::clamp(a + b * share, 0.2, 1.0);
  }
  if (totals.cut_ticks == 0) return sum_s;
  const WideInt ticks = totals.all_work().ticks;  // the steps that were cut short used power like the others
  return sum_s * static_cast<double>(ticks - totals.cut_ticks) / static_cast<double>(ticks);
}

}  // namespace weir::sim
