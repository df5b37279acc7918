// Reading of what is asked of the fleet: traces, arrivals, lengths, targets.
#include <string_view>
#include <vector>

#include "data/scenario_reader.h"

namespace weir::data {
namespace {

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

/// What goes with arrivals only, and what with what.
void check_arrivals(const RequestClass& c, const ObjectReader& entry, WorkloadKind kind) {
  const bool own_lengths = c.input_tokens || c.output_tokens;
  const bool lengths_in_files = c.arrivals->process == "client-windows" && !own_lengths && c.token_pairs.empty();
  if (!c.token_pairs.empty() && own_lengths) {
    entry.fail_at("token_pairs", "the pairs say the lengths; a class has them or input_tokens and output_tokens");
  }
  if (kind == WorkloadKind::one_shot) {
    for (const char* key : {"token_pairs", "sessions"}) {
      if (entry.find(key)) entry.fail_at(key, "a one-shot request writes no tokens");
    }
  }
  if (c.token_pairs.empty() && !lengths_in_files) {
    if (!c.input_tokens) entry.fail_at("input_tokens", "missing; arrivals need lengths");
    if (kind == WorkloadKind::generative && !c.output_tokens) {
      entry.fail_at("output_tokens", "missing; arrivals of a generative workload need output lengths");
    }
  }
  if (kind == WorkloadKind::one_shot && c.output_tokens) {
    entry.fail_at("output_tokens", "a one-shot request writes no tokens");
  }
  const std::string& process = c.arrivals->process;
  if (c.clients && process != "poisson" && process != "gamma" && process != "weibull" && process != "periodic") {
    entry.fail_at("clients", "clients have \"poisson\", \"gamma\", \"weibull\" or \"periodic\" arrivals");
  }
}

void check_demand(const RequestClass& c, const ObjectReader& entry, WorkloadKind kind, bool workload_has_trace) {
  if (workload_has_trace) {
    for (const char* key :
         {"trace", "arrivals", "input_tokens", "output_tokens", "token_pairs", "sessions", "clients"}) {
      if (entry.find(key)) entry.fail_at(key, "the workload has a trace, which says this for all its classes");
    }
    return;
  }
  if (c.trace && c.arrivals) entry.fail_at("arrivals", "a class has a trace or arrivals, not both");
  if (c.trace) {
    for (const char* key : {"input_tokens", "output_tokens", "token_pairs"}) {
      if (entry.find(key)) entry.fail_at(key, "the trace says the lengths");
    }
    for (const char* key : {"sessions", "clients"}) {
      if (entry.find(key)) entry.fail_at(key, "the trace says who asks and when");
    }
    return;
  }
  if (!c.arrivals) entry.fail_at("arrivals", "missing; a class needs a trace or arrivals (or its workload a trace)");
  check_arrivals(c, entry, kind);
}

}  // namespace

TraceReference read_trace_reference(const JsonReader& reader) {
  const auto entry = reader.object({"file", "rate_scale", "window_s", "repeat", "spread"});
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
  result.spread = entry.boolean_or("spread", false);
  return result;
}

RequestClass read_request_class(const JsonReader& reader, WorkloadKind kind, bool workload_has_trace) {
  const auto entry = reader.object({"name", "share", "priority", "trace", "arrivals", "input_tokens", "output_tokens",
                                    "slo", "token_pairs", "sessions", "clients", "cancel"});
  RequestClass c;
  c.name = entry.at("name").text();
  c.share = entry.number_or("share", 1.0, kNonNegative);
  c.priority = entry.integer_or("priority", 0, -1000, 1000);
  if (const auto found = entry.find("trace")) c.trace = read_trace_reference(*found);
  if (const auto found = entry.find("arrivals")) c.arrivals = read_arrivals(*found);
  if (const auto found = entry.find("input_tokens")) c.input_tokens = read_lengths(*found, "input_tokens");
  if (const auto found = entry.find("output_tokens")) c.output_tokens = read_lengths(*found, "output_tokens");
  if (const auto found = entry.find("slo")) c.slo = slo(*found, kind);
  c.token_pairs = entry.text_or("token_pairs", "");
  if (const auto found = entry.find("sessions")) c.sessions = read_sessions(*found);
  if (const auto found = entry.find("clients")) c.clients = read_client_mix(*found);
  if (const auto found = entry.find("cancel")) c.cancel = read_cancellation(*found);
  check_demand(c, entry, kind, workload_has_trace);
  return c;
}

}  // namespace weir::data
