#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace weir::probes {

/// Where the protocol reads the time. Tests hand in their own.
struct Clocks {
  std::function<double()> wall_s;  ///< monotonic
  std::function<double()> cpu_s;   ///< CPU time of this process, all threads together
  static Clocks system();
};

/// How one point is measured: warm up, estimate, then as many samples as the budget allows.
struct Protocol {
  double budget_s = 0.06;        ///< timed part of a point
  double wall_budget_s = 0.15;   ///< the same with what is done between samples (cache flush)
  double least_sample_s = 1e-3;  ///< short operations run several times a sample, so that the clock doesn't show
  int min_samples = 5, max_samples = 40;
  int rounds = 3;                ///< as long as too few samples are clean, measure again, so often at most
  double clean_share = 0.97;     ///< of the CPU time an undisturbed sample gets
  double least_parallelism = 0;  ///< cpu / wall below which no sample is clean: what is known from other points
  double foreign_limit = 0.10;   ///< share of the CPUs that others may use before a point counts as contended
};

/// One sample: `executions` runs of the operation, back to back.
struct RawSample {
  double wall_s = 0, cpu_s = 0;
  long executions = 1;
};

/// What the samples of a point come to, per execution.
struct Measurement {
  double median_s = 0, mad_s = 0;
  int n = 0;                       ///< samples behind the median
  double parallelism = 0;          ///< CPU time / time, upper quartile over the samples
  std::vector<std::string> flags;  ///< "contended", "few-samples"
};

struct SamplePlan {
  long executions = 1;  ///< per sample
  int samples = 1;
};

/// Median of values (mean of the two middle ones when their number is even). Not empty.
double median(std::vector<double> values);
/// Median of |value - median|.
double median_absolute_deviation(const std::vector<double>& values);

/// How often to run an operation that takes estimate_s, when each sample costs between_s besides. With `single`, a
/// sample is one execution, however short (what is done before it, a cache flush, must precede each).
SamplePlan plan_samples(double estimate_s, double between_s, bool single, const Protocol& protocol);

/// The samples during which the process had the CPU time that it should have: at least clean_share of wall x the
/// parallelism of the operation. That is min(threads, upper quartile of cpu / wall over the samples): an operation with
/// a serial part never reaches `threads`, but an undisturbed sample of it repeats its own share. None below
/// least_parallelism is clean, which tells a point that was disturbed from its first sample to its last.
std::vector<RawSample> clean_samples(std::span<const RawSample> samples, int threads, const Protocol& protocol);

/// Median and MAD over the clean samples (over all when there is none). "contended": fewer than half are clean, or
/// foreign_share (of the CPUs, used by others meanwhile) is over the limit. "few-samples": neither the number nor the
/// time was reached.
Measurement summarise(std::span<const RawSample> samples, int threads, double foreign_share, const Protocol& protocol);

}  // namespace weir::probes
