#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// The time series of a run on a grid of equal cells. A change of state costs O(1) however long the state lasts: a cell
/// keeps by how much the state changed in it, and what those changes add up to until the cell's end. Sums are integers,
/// so the order of calls does not matter. When the run outgrows kMostCells, cells are merged in pairs and the grid
/// doubles, which gives the same as if it had been so from the start.
class SeriesGrid {
 public:
  static constexpr std::size_t kMostCells = 10'240;  ///< 96 bytes each; a week of minutes

  SeriesGrid(Time begin, Time step);

  // `at` is not before `begin`.
  void arrival(Time at) { ++cell(at).arrivals; }
  void completion(Time at) { ++cell(at).completions; }
  /// From `at` on, so many more (fewer) requests wait and run and replicas are busy.
  [[gnu::always_inline]] void change(Time at, std::int64_t waiting, std::int64_t running, std::int64_t busy) {
    Cell& here = cell(at);
    const std::int64_t ticks_left = (here_begin_ + step_ - at).ticks();
    here.waiting += waiting;
    here.running += running;
    here.waiting_ticks += WideInt{waiting} * ticks_left;
    here.running_ticks += WideInt{running} * ticks_left;
    if (busy != 0) [[unlikely]] {
      here.busy += busy;
      here.busy_ticks += WideInt{busy} * ticks_left;
    }
  }
  /// Changes within one cell, told at once: what they come to, and the difference to the state before them integrated
  /// over the time up to the `last` of them.
  struct Changes {
    Time last;
    std::int64_t waiting = 0, running = 0, busy = 0;
    WideInt waiting_ticks = 0, running_ticks = 0, busy_ticks = 0;
  };
  void change(const Changes& changes);
  /// Of the cell that `at` lies in. Cells that are merged later end later.
  Time cell_end(Time at) {
    cell(at);
    return here_begin_ + step_;
  }
  /// Adds what another run had from `begin` on. Both must have been made with the same arguments.
  void merge(const SeriesGrid& other);
  bool operator==(const SeriesGrid& other) const;

  /// The cells up to `end`, the time of the last call or later; the last one is averaged over the part before `end`.
  std::vector<SeriesPoint> points(Time end, int replicas) const;

 private:
  struct Cell {
    // Changes within the cell x time from them to its end.
    WideInt waiting_ticks = 0, running_ticks = 0, busy_ticks = 0;
    // Changes within the cell.
    std::int64_t waiting = 0, running = 0, busy = 0;
    std::int64_t arrivals = 0, completions = 0;

    void add(const Cell& other);
    bool operator==(const Cell&) const = default;
  };

  /// Calls come nearly in order of time, so the cell of the last one is nearly always the right one.
  Cell& cell(Time at) {
    // One comparison for both ends.
    if (static_cast<std::uint64_t>((at - here_begin_).ticks()) >= static_cast<std::uint64_t>(step_.ticks()))
        [[unlikely]]
      seek(at);
    return cells_[here_];
  }
  void seek(Time at);
  void widen();

  Time begin_, step_;
  std::vector<Cell> cells_;
  std::size_t here_ = 0;  ///< the cell of the last call
  Time here_begin_;
};

}  // namespace weir::sim
