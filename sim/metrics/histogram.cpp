#include "sim/metrics/histogram.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

void Histogram::merge(const Histogram& other) {
  if (other.cells_.size() > cells_.size()) cells_.resize(other.cells_.size());
  for (std::size_t i = 0; i < other.cells_.size(); ++i) cells_[i] += other.cells_[i];
  n_ += other.n_;
  sum_ticks_ += other.sum_ticks_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::middle_of(std::size_t cell) {
  if (cell < 2 * kCellsPerOctave) return static_cast<double>(cell);
  const std::size_t shift = cell / kCellsPerOctave - 1;
  const std::size_t leading = cell - shift * kCellsPerOctave;
  const double width = static_cast<double>(std::uint64_t{1} << shift);
  return (static_cast<double>(leading) + 0.5) * width - 0.5;  // of the integers in the cell
}

double Histogram::percentile_s(double p) const {
  if (n_ == 0) throw std::logic_error("Histogram: percentile of nothing");
  const auto rank = static_cast<std::int64_t>(static_cast<double>(n_ - 1) * p / 100);
  std::int64_t below = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    below += cells_[cell];
    if (below <= rank) continue;
    const double ticks =
        std::clamp(middle_of(cell), static_cast<double>(min_.ticks()), static_cast<double>(max_.ticks()));
    return ticks / static_cast<double>(Time::kTicksPerSecond);
  }
  throw std::logic_error("Histogram: cells and count disagree");
}

Distribution Histogram::distribution() const {
  Distribution d;
  if (n_ == 0) return d;
  d.n = n_;
  d.mean = sum_ticks_ / static_cast<double>(n_) / static_cast<double>(Time::kTicksPerSecond);
  d.p50 = percentile_s(50);
  d.p90 = percentile_s(90);
  d.p95 = percentile_s(95);
  d.p99 = percentile_s(99);
  d.p999 = percentile_s(99.9);
  d.max = max_.seconds();
  return d;
}

}  // namespace weir::sim
