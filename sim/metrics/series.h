#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/core/wide_int.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// The time series of a run, gathered from intervals in which a replica's state does not change. Intervals may come in
/// any order; sums are integers, so the order does not change the result. When the run grows past kMostCells, cells are
/// merged in pairs and the grid doubles.
class SeriesGrid {
 public:
  static constexpr std::size_t kMostCells = 65'536;

  SeriesGrid(Time begin, Time step);

  void arrival(Time at) { ++cell(at).arrivals; }
  void completion(Time at) { ++cell(at).completions; }
  /// One replica was in this state during [begin, end).
  void state(Time begin, Time end, std::int64_t waiting, std::int64_t running, bool busy);

  /// The cells up to `end`; the last one is averaged over the part before `end`.
  std::vector<SeriesPoint> points(Time end, int replicas) const;

 private:
  struct Cell {
    std::int64_t arrivals = 0, completions = 0;
    WideInt busy_ticks = 0, waiting_ticks = 0, running_ticks = 0;
  };

  Cell& cell(Time at);
  void widen();

  Time begin_, step_;
  std::vector<Cell> cells_;
};

}  // namespace weir::sim
