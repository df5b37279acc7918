#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/progress.h"
#include "sim/metrics/run_result.h"

namespace weir::sim {

/// One number over independent runs that differ in their seed.
struct ReplicatedValue {
  std::string name;  ///< its place in the run's document: "latency_s.ttft.p99"
  int n = 0;         ///< runs that have it
  double mean = 0, min = 0, max = 0;
  std::optional<double> half_width_99;  ///< of the 99% interval of the mean (Student t); empty with one run
};

/// The main numbers of a run over several seeds. Values that no run has are left out.
struct Replications {
  std::vector<std::uint64_t> seeds;
  int targets_met = 0;  ///< runs that met all targets
  std::vector<ReplicatedValue> values;
};

struct ReplicatedRun {
  RunResult first;  ///< the run of the first seed
  Replications replications;
};

/// Runs `run` with the seeds first_seed, first_seed + 1, ..., `count` >= 1 of them, on `threads` threads. `run` may be
/// called from several at once. The result does not depend on the threads. Throws what `run` throws, and
/// data::Cancelled.
ReplicatedRun replicate(std::uint64_t first_seed, int count, int threads, const data::Progress& progress,
                        const std::function<RunResult(std::uint64_t seed, const data::Progress&)>& run);

}  // namespace weir::sim
