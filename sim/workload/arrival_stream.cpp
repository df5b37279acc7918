#include "sim/workload/arrival_stream.h"

#include <numeric>

#include "data/errors.h"

namespace weir::sim {

double mean_rate_per_s(const data::ArrivalProcess& process) {
  if (!process.states.empty()) return mmpp_rate_per_s(process.states);
  if (!process.series) return process.rate_per_s;
  const auto& rates = process.series->rates_per_s;
  if (rates.empty()) return 0;
  return process.series->rate_scale * std::accumulate(rates.begin(), rates.end(), 0.0) /
         static_cast<double>(rates.size());
}

TimeBend::TimeBend(const data::ArrivalProcess& process) : growth_(process.growth_per_year) {
  if (process.series) {
    const data::RateSeries& series = *process.series;
    shape_ = RateShape(series.rates_per_s, series.step_s * static_cast<double>(series.rates_per_s.size()));
  } else {
    shape_ = RateShape::of(process);
  }
}

ArrivalStream::ArrivalStream(const data::ArrivalProcess& process, const std::string& scenario, const std::string& place,
                             std::uint64_t seed, const std::string& class_name)
    : random_(seed, "arrivals/" + class_name),
      mean_gap_s_(1 / mean_rate_per_s(process)),
      law_(GapLaw::of(process)),
      bend_(process) {
  const std::string& name = process.process;
  if (name == "mmpp") {
    mmpp_.emplace(process.states, random_);
  } else if (name != "poisson" && name != "gamma" && name != "weibull" && name != "periodic" && name != "rate-series") {
    throw data::InputError(scenario, place + "/process", name,
                           "\"poisson\", \"gamma\", \"weibull\", \"periodic\", \"mmpp\", \"rate-series\"");
  }
}

}  // namespace weir::sim
