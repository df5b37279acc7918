// Reading of what is asked of the fleet: traces, arrivals, lengths, targets.
#include <algorithm>
#include <string_view>
#include <vector>

#include "data/scenario_reader.h"

namespace weir::data {
namespace {

/// A lognormal of mean m reaches at most p99 = m exp(z^2/2) with z = 2.326 (its sigma is then z), 14.97 times the mean.
constexpr double kMostP99OverMean = 14.9;
constexpr double kMostTokens = 1e8;

PercentileLimits limits(const ObjectReader& slo, std::string_view key) {
  PercentileLimits all;
  const auto found = slo.find(key);
  if (!found) return all;
  const auto entry = found->object({"p50", "p90", "p95", "p99", "p999"});
  for (const char* percentile : {"p50", "p90", "p95", "p99", "p999"}) {
    if (const auto limit = entry.optional_number(percentile, kPositive)) all[percentile] = *limit;
  }
  return all;
}

Slo slo(const JsonReader& reader, WorkloadKind kind) {
  const auto entry = reader.object({"ttft_s", "tpot_s", "e2e_s", "attainment"});
  Slo result;
  result.ttft_s = limits(entry, "ttft_s");
  result.tpot_s = limits(entry, "tpot_s");
  result.e2e_s = limits(entry, "e2e_s");
  result.attainment = entry.number_or("attainment", result.attainment, kPositiveFraction);
  if (kind == WorkloadKind::one_shot && !result.tpot_s.empty()) {
    entry.fail_at("tpot_s", "a one-shot request writes no tokens; its limits are e2e_s");
  }
  if (kind == WorkloadKind::one_shot && !result.ttft_s.empty()) {
    entry.fail_at("ttft_s", "a one-shot request has no first token; its limits are e2e_s");
  }
  return result;
}

std::vector<double> daily_shape(const JsonReader& reader) {
  constexpr std::size_t kMostParts = 1440;  // minutes
  std::vector<double> rates;
  for (const JsonReader& rate : reader.array()) rates.push_back(rate.number({0, 1e9}));
  if (rates.size() > kMostParts) reader.fail("a daily shape has at most 1440 parts");
  if (!rates.empty() && *std::max_element(rates.begin(), rates.end()) <= 0) {
    reader.fail("a daily shape needs a rate above 0");
  }
  return rates;
}

ArrivalProcess arrivals(const JsonReader& reader) {
  const auto entry = reader.object({"process", "rate_per_s", "cv", "daily_shape", "weekly_shape"});
  ArrivalProcess result;
  if (const auto process = entry.find("process")) {
    result.process = process->one_of({"poisson", "gamma", "weibull", "mmpp", "closed-loop", "rate-series"});
    if (result.process != "poisson" && result.process != "gamma") {
      process->not_in_this_version("arrivals are \"poisson\", \"gamma\" or a trace");
    }
  }
  result.rate_per_s = entry.at("rate_per_s").number({0, 1e6, false, true});
  const auto cv = entry.find("cv");
  if (result.process == "gamma") {
    if (!cv) entry.fail_at("cv", "missing; gamma arrivals need the CV of their gaps");
    result.cv = cv->number({0.01, 10});
  } else if (cv && cv->number(kPositive) != 1.0) {
    cv->fail("a Poisson process has cv 1; \"gamma\" has another");
  }
  if (const auto shape = entry.find("daily_shape")) result.daily_shape = daily_shape(*shape);
  if (const auto shape = entry.find("weekly_shape"); shape && !shape->array().empty()) {
    shape->not_in_this_version("the rate has a daily shape at most");
  }
  return result;
}

LengthDistribution lengths(const JsonReader& reader) {
  const auto entry = reader.object({"distribution", "mean", "p99"});
  LengthDistribution result;
  const auto kind = entry.at("distribution");
  result.distribution = kind.one_of({"fixed", "lognormal", "zipf", "empirical"});
  if (result.distribution == "zipf" || result.distribution == "empirical") {
    kind.not_in_this_version("lengths are \"fixed\", \"lognormal\" or those of a trace");
  }
  result.mean = entry.at("mean").number({1, kMostTokens});
  const auto p99 = entry.find("p99");
  if (result.distribution == "fixed") {
    if (p99) p99->fail("a fixed length has no p99");
    return result;
  }
  result.p99 = entry.at("p99").number({result.mean, kMostP99OverMean * result.mean, false, true});
  return result;
}

void check_demand(const RequestClass& c, const ObjectReader& entry, WorkloadKind kind, bool workload_has_trace) {
  if (workload_has_trace) {
    for (const char* key : {"trace", "arrivals", "input_tokens", "output_tokens"}) {
      if (entry.find(key)) entry.fail_at(key, "the workload has a trace, which says this for all its classes");
    }
    return;
  }
  if (c.trace && c.arrivals) entry.fail_at("arrivals", "a class has a trace or arrivals, not both");
  if (c.trace) {
    for (const char* key : {"input_tokens", "output_tokens"}) {
      if (entry.find(key)) entry.fail_at(key, "the trace says the lengths");
    }
    return;
  }
  if (!c.arrivals) entry.fail_at("arrivals", "missing; a class needs a trace or arrivals (or its workload a trace)");
  if (!c.input_tokens) entry.fail_at("input_tokens", "missing; arrivals need lengths");
  if (kind == WorkloadKind::generative && !c.output_tokens) {
    entry.fail_at("output_tokens", "missing; arrivals of a generative workload need output lengths");
  }
  if (kind == WorkloadKind::one_shot && c.output_tokens) {
    entry.fail_at("output_tokens", "a one-shot request writes no tokens");
  }
}

}  // namespace

TraceReference read_trace_reference(const JsonReader& reader) {
  const auto entry = reader.object({"file", "rate_scale", "window_s", "repeat"});
  TraceReference result;
  result.file = entry.at("file").text();
  result.rate_scale = entry.number_or("rate_scale", 1.0, {0, 1e6, false, true});
  if (const auto window = entry.find("window_s")) {
    const auto bounds = window->array();
    if (bounds.size() != 2) window->fail("expected [begin, end] in seconds");
    result.window_begin_s = bounds[0].number(kNonNegative);
    result.window_end_s = bounds[1].number({*result.window_begin_s, kNonNegative.high, false, true});
  }
  result.repeat = entry.integer_or("repeat", 1, 1, 10000);
  return result;
}

RequestClass read_request_class(const JsonReader& reader, WorkloadKind kind, bool workload_has_trace) {
  const auto entry =
      reader.object({"name", "share", "priority", "trace", "arrivals", "input_tokens", "output_tokens", "slo"});
  RequestClass c;
  c.name = entry.at("name").text();
  c.share = entry.number_or("share", 1.0, kNonNegative);
  c.priority = entry.integer_or("priority", 0, -1000, 1000);
  if (const auto found = entry.find("trace")) c.trace = read_trace_reference(*found);
  if (const auto found = entry.find("arrivals")) c.arrivals = arrivals(*found);
  if (const auto found = entry.find("input_tokens")) c.input_tokens = lengths(*found);
  if (const auto found = entry.find("output_tokens")) c.output_tokens = lengths(*found);
  if (const auto found = entry.find("slo")) c.slo = slo(*found, kind);
  check_demand(c, entry, kind, workload_has_trace);
  return c;
}

}  // namespace weir::data
