#include "app/desktop/models/trace_summary.h"

#include <algorithm>
#include <cmath>

namespace weir::desktop {
namespace {

constexpr double kMostBins = 1440;
constexpr double kBinWidths_s[] = {1, 5, 10, 30, 60, 300, 600, 1800, 3600, 21600, 86400};
constexpr int kHistogramBins = 32;

/// The finest width that needs no more than kMostBins.
double bin_width_s(double span_s) {
  for (const double width_s : kBinWidths_s) {
    if (span_s / width_s < 240) return width_s;
  }
  return std::ceil(span_s / kMostBins / 86400) * 86400;
}

LogHistogram histogram(std::vector<double> values) {
  LogHistogram bins;
  const data::ColumnStatistics statistics = data::column_statistics(values);
  bins.p50 = statistics.p50;
  bins.p99 = statistics.p99;
  std::erase_if(values, [](double value) { return !(value > 0); });  // have no place on a log scale
  if (values.empty()) return bins;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  bins.first = *low;
  bins.ratio = std::max(1.05, std::pow(*high / *low, 1.0 / kHistogramBins) * (1 + 1e-9));
  std::vector<double> counts(kHistogramBins, 0);
  for (const double value : values) {
    const double at = std::log(value / bins.first) / std::log(bins.ratio);
    ++counts[static_cast<std::size_t>(std::clamp(at, 0.0, kHistogramBins - 1.0))];
  }
  while (counts.size() > 1 && counts.back() == 0) counts.pop_back();
  for (double& count : counts) count *= 100.0 / static_cast<double>(statistics.n);
  bins.percent = std::move(counts);
  return bins;
}

}  // namespace

TraceSummary summarise(const data::Trace& trace) {
  TraceSummary summary;
  summary.one_shot = trace.is_encoder_traffic();
  summary.span_s = trace.span_s();
  summary.input = trace.input_statistics();
  summary.output = trace.output_statistics();
  summary.arrivals = trace.arrival_statistics();
  summary.bin_s = bin_width_s(summary.span_s);

  std::vector<double> input, output, gaps_s;
  std::int64_t last_ns = -1;
  for (const data::Request& request : trace.requests) {
    if (!data::Trace::is_demand(request, summary.one_shot)) continue;
    ++summary.requests;
    const auto bin = static_cast<std::size_t>(static_cast<double>(request.arrival_ns) / 1e9 / summary.bin_s);
    if (bin >= summary.requests_per_s.size()) summary.requests_per_s.resize(bin + 1, 0);
    summary.requests_per_s[bin] += 1 / summary.bin_s;
    input.push_back(request.input_tokens);
    if (!summary.one_shot) output.push_back(request.output_tokens);
    if (last_ns >= 0) gaps_s.push_back(static_cast<double>(request.arrival_ns - last_ns) / 1e9);
    last_ns = request.arrival_ns;
  }
  summary.input_tokens = histogram(std::move(input));
  summary.output_tokens = histogram(std::move(output));
  summary.gap_s = histogram(std::move(gaps_s));
  return summary;
}

}  // namespace weir::desktop
