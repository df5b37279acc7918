#include "sim/metrics/series.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

SeriesGrid::SeriesGrid(Time begin, Time step) : begin_(begin), step_(step) {
  if (step <= Time()) throw std::logic_error("SeriesGrid: the step must be above 0");
}

void SeriesGrid::widen() {
  std::vector<Cell> merged((cells_.size() + 1) / 2);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Cell& to = merged[i / 2];
    to.arrivals += cells_[i].arrivals;
    to.completions += cells_[i].completions;
    to.busy_ticks += cells_[i].busy_ticks;
    to.waiting_ticks += cells_[i].waiting_ticks;
    to.running_ticks += cells_[i].running_ticks;
  }
  cells_ = std::move(merged);
  step_ = step_ * 2;
}

SeriesGrid::Cell& SeriesGrid::cell(Time at) {
  auto index = static_cast<std::size_t>((at - begin_).ticks() / step_.ticks());
  while (index >= kMostCells) {
    widen();
    index /= 2;
  }
  if (index >= cells_.size()) cells_.resize(index + 1);
  return cells_[index];
}

void SeriesGrid::state(Time begin, Time end, std::int64_t waiting, std::int64_t running, bool busy) {
  if (waiting == 0 && running == 0 && !busy) return;
  if (begin < end) cell(end - Time::from_ticks(1));  // any widening happens before the cells are walked
  while (begin < end) {
    Cell& here = cell(begin);
    const std::int64_t index = (begin - begin_).ticks() / step_.ticks();
    const Time until = std::min(end, begin_ + step_ * (index + 1));
    const std::int64_t ticks = (until - begin).ticks();
    if (busy) here.busy_ticks += ticks;
    here.waiting_ticks += WideInt{waiting} * ticks;
    here.running_ticks += WideInt{running} * ticks;
    begin = until;
  }
}

std::vector<SeriesPoint> SeriesGrid::points(Time end, int replicas) const {
  std::vector<SeriesPoint> points;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Time from = begin_ + step_ * static_cast<std::int64_t>(i);
    const std::int64_t width = (std::min(end, from + step_) - from).ticks();
    SeriesPoint point;
    point.begin_s = (from - begin_).seconds();
    point.arrivals = cells_[i].arrivals;
    point.completions = cells_[i].completions;
    if (width > 0) {
      const auto ticks = static_cast<double>(width);
      point.busy = static_cast<double>(cells_[i].busy_ticks) / ticks / replicas;
      point.waiting_mean = static_cast<double>(cells_[i].waiting_ticks) / ticks;
      point.running_mean = static_cast<double>(cells_[i].running_ticks) / ticks;
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace weir::sim
