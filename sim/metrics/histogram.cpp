#include "sim/metrics/histogram.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace weir::sim {

void Histogram::raise_max(std::int64_t greatest) {
  max_ = greatest;
  const std::size_t cells = (cell_of(greatest) / kCellsPerOctave + 1) * kCellsPerOctave;
  if (cells > cells_.size()) cells_.resize(cells);
}

void Histogram::add(std::span<const std::int64_t> ticks, WideInt sum) {
  sum_ += sum;
  for (const std::int64_t value : ticks) {
    widen_range(value, value);
    ++cells_[cell_of(value)];
  }
}

void Histogram::add_cells(const Gap& gap) {
  // Upwards, whichever way the gaps go.
  const std::int64_t increase = gap.increase_ticks < 0 ? -gap.increase_ticks : gap.increase_ticks;
  const std::int64_t last = gap.first_ticks + gap.increase_ticks * (gap.steps - 1);
  const std::int64_t least = std::min(gap.first_ticks, last);
  // Every round takes at least one step and one cell. Where a cell is narrower than the increase, it holds one step and
  // there is nothing to divide.
  for (std::int64_t i = 0; i < gap.steps;) {
    const std::int64_t value = least + i * increase;
    const int shift = shift_of(value);
    std::int64_t next = i + 1;
    if (increase >> shift == 0) {
      const std::int64_t edge = ((value >> shift) + 1) << shift;
      next = std::min(gap.steps, (edge - least + increase - 1) / increase);
    }
    cells_[cell_of(value)] += (next - i) * gap.count;
    i = next;
  }
}

void Histogram::merge(const Histogram& other) {
  if (other.cells_.size() > cells_.size()) cells_.resize(other.cells_.size());
  for (std::size_t i = 0; i < other.cells_.size(); ++i) cells_[i] += other.cells_[i];
  sum_ += other.sum_;
  widen_range(other.min_, other.max_);
}

std::int64_t Histogram::count() const { return std::accumulate(cells_.begin(), cells_.end(), std::int64_t{0}); }

double Histogram::middle_of(std::size_t cell) {
  if (cell < 2 * kCellsPerOctave) return static_cast<double>(cell);
  const std::size_t shift = cell / kCellsPerOctave - 1;
  const std::size_t leading = cell - shift * kCellsPerOctave;
  const double width = static_cast<double>(std::uint64_t{1} << shift);
  return (static_cast<double>(leading) + 0.5) * width - 0.5;  // of the integers in the cell
}

double Histogram::percentile_s(double p) const {
  const std::int64_t n = count();
  if (n == 0) throw std::logic_error("Histogram: percentile of nothing");
  const auto rank = static_cast<std::int64_t>(static_cast<double>(n - 1) * p / 100);
  std::int64_t below = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    below += cells_[cell];
    if (below <= rank) continue;
    const double ticks = std::clamp(middle_of(cell), static_cast<double>(min_), static_cast<double>(max_));
    return ticks / static_cast<double>(Time::kTicksPerSecond);
  }
  throw std::logic_error("Histogram: cells and count disagree");
}

std::int64_t Histogram::count_up_to(Time value) const {
  std::int64_t below = 0;
  const std::size_t end = std::min(cells_.size(), cell_of(value.ticks()) + 1);
  for (std::size_t i = 0; i < end; ++i) below += cells_[i];
  return below;
}

Distribution Histogram::distribution() const {
  Distribution d;
  d.n = count();
  if (d.n == 0) return d;
  d.mean = static_cast<double>(sum_) / static_cast<double>(d.n) / static_cast<double>(Time::kTicksPerSecond);
  d.p50 = percentile_s(50);
  d.p90 = percentile_s(90);
  d.p95 = percentile_s(95);
  d.p99 = percentile_s(99);
  d.p999 = percentile_s(99.9);
  d.max = max().seconds();
  return d;
}

}  // namespace weir::sim
