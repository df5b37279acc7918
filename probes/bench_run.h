#pragma once

#include <functional>
#include <string>
#include <vector>

#include "probes/load_watch.h"
#include "probes/steady_state.h"

namespace weir::probes {

/// Something to be timed.
struct Operation {
  std::string name;  ///< "gemm int8 m=8 n=4096 k=4096"
  std::function<void()> execute;
  std::function<void()> prepare;  ///< before each sample, not timed: cache flush, fresh input; may be empty
  bool single = false;            ///< one execution a sample: prepare() must precede each
};

/// `samples` samples under Google Benchmark: one benchmark, its iterations the executions of a sample, its repetitions
/// the samples, with manual time; a reporter of ours collects them. What execute() throws comes out here.
std::vector<RawSample> run_benchmark(const Operation& operation, const SamplePlan& plan, const Clocks& clocks);

/// The whole protocol on one operation: warm up, estimate, sample, and again while too few samples are clean.
Measurement measure(const Operation& operation, int threads, const Protocol& protocol, const Clocks& clocks,
                    const LoadWatch& watch);

}  // namespace weir::probes
