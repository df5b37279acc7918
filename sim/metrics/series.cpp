#include "sim/metrics/series.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

SeriesGrid::SeriesGrid(Time begin, Time step) : begin_(begin), step_(step), cells_(1), here_begin_(begin) {
  if (step <= Time()) throw std::logic_error("SeriesGrid: the step must be above 0");
  cells_.reserve(kMostCells);  // address space only, until it is used: growing would leave copies behind
}

void SeriesGrid::Cell::add(const Cell& other) {
  waiting_ticks += other.waiting_ticks, running_ticks += other.running_ticks, busy_ticks += other.busy_ticks;
  waiting += other.waiting, running += other.running, busy += other.busy;
  arrivals += other.arrivals, completions += other.completions;
}

void SeriesGrid::widen() {
  const std::size_t count = (cells_.size() + 1) / 2;
  for (std::size_t i = 0; i < count; ++i) {
    Cell merged = cells_[2 * i];
    // What changed in the left cell stays so through all of the right one.
    merged.waiting_ticks += WideInt{merged.waiting} * step_.ticks();
    merged.running_ticks += WideInt{merged.running} * step_.ticks();
    merged.busy_ticks += WideInt{merged.busy} * step_.ticks();
    if (2 * i + 1 < cells_.size()) merged.add(cells_[2 * i + 1]);
    cells_[i] = merged;
  }
  cells_.resize(count);
  step_ = step_ * 2;
}

void SeriesGrid::seek(Time at) {
  if (at < begin_) throw std::logic_error("SeriesGrid: before the beginning");
  here_ = static_cast<std::size_t>((at - begin_).ticks() / step_.ticks());
  while (here_ >= kMostCells) {
    widen();
    here_ /= 2;
  }
  here_begin_ = begin_ + step_ * static_cast<std::int64_t>(here_);
  if (here_ >= cells_.size()) cells_.resize(here_ + 1);
}

void SeriesGrid::change(const Changes& changes) {
  Cell& here = cell(changes.last);
  const std::int64_t ticks_left = (here_begin_ + step_ - changes.last).ticks();
  here.waiting += changes.waiting;
  here.running += changes.running;
  here.busy += changes.busy;
  here.waiting_ticks += changes.waiting_ticks + WideInt{changes.waiting} * ticks_left;
  here.running_ticks += changes.running_ticks + WideInt{changes.running} * ticks_left;
  here.busy_ticks += changes.busy_ticks + WideInt{changes.busy} * ticks_left;
}

void SeriesGrid::merge(const SeriesGrid& other) {
  SeriesGrid finer = other;
  while (finer.step_ < step_) finer.widen();
  while (step_ < finer.step_) widen();
  if (begin_ != finer.begin_ || step_ != finer.step_) throw std::logic_error("SeriesGrid: grids differ");
  cells_.resize(std::max(cells_.size(), finer.cells_.size()));
  for (std::size_t i = 0; i < finer.cells_.size(); ++i) cells_[i].add(finer.cells_[i]);
  here_ = 0;
  here_begin_ = begin_;
}

bool SeriesGrid::operator==(const SeriesGrid& other) const {
  return begin_ == other.begin_ && step_ == other.step_ && cells_ == other.cells_;
}

std::vector<SeriesPoint> SeriesGrid::points(Time end, int replicas) const {
  std::vector<SeriesPoint> points;
  Cell state;  // at the beginning of the cell
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    const Time from = begin_ + step_ * static_cast<std::int64_t>(i);
    const std::int64_t width = (std::min(end, from + step_) - from).ticks();
    const std::int64_t cut = step_.ticks() - width;  // the cell counts its changes to its own end
    SeriesPoint point;
    point.begin_s = (from - begin_).seconds();
    point.arrivals = cell.arrivals;
    point.completions = cell.completions;
    if (width > 0) {
      const auto mean = [&](std::int64_t before, std::int64_t changes, WideInt ticks) {
        return static_cast<double>(WideInt{before} * width + ticks - WideInt{changes} * cut) /
               static_cast<double>(width);
      };
      point.busy = mean(state.busy, cell.busy, cell.busy_ticks) / replicas;
      point.waiting_mean = mean(state.waiting, cell.waiting, cell.waiting_ticks);
      point.running_mean = mean(state.running, cell.running, cell.running_ticks);
    }
    points.push_back(point);
    state.waiting += cell.waiting, state.running += cell.running, state.busy += cell.busy;
  }
  return points;
}

}  // namespace weir::sim
