#pragma once

#include <vector>

#include "data/trace.h"

namespace weir::desktop {

/// Bins with edges at `first` x `ratio`^i: shares of all values, in percent.
struct LogHistogram {
  double first = 1, ratio = 2;
  std::vector<double> percent;
  double p50 = 0, p99 = 0;
};

/// What the Workload page shows of a demand. Takes time in proportion to the requests: computed by jobs.
struct TraceSummary {
  std::int64_t requests = 0;  ///< rows that are demand
  double span_s = 0;
  data::ColumnStatistics input, output;
  data::ArrivalStatistics arrivals;
  bool one_shot = false;               ///< no row writes tokens
  double bin_s = 60;                   ///< width of the bins of `requests_per_s`: at most 1,440 of them
  std::vector<double> requests_per_s;  ///< mean of each bin, from the first arrival
  LogHistogram input_tokens, output_tokens, gap_s;
};

TraceSummary summarise(const data::Trace& trace);

}  // namespace weir::desktop
