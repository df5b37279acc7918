#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/fleet/simulate.h"

namespace weir::sim::testing {

/// Durations by a formula whose values can be worked out by hand. Only tests have such a thing: real timers come from
/// measurements.
class FormulaTimer final : public StepTimer {
 public:
  double per_step_s = 0, per_prompt_token_s = 0, per_sequence_s = 0, per_context_token_s = 0;
  double flops_per_step = 0, bytes_per_step = 0;

  Time iteration(const IterationShape& shape) const override {
    double seconds = per_step_s + per_sequence_s * static_cast<double>(shape.decode_sequences) +
                     per_context_token_s * static_cast<double>(shape.decode_context_tokens);
    for (const PrefillChunk& chunk : shape.prefill)
      seconds += per_prompt_token_s * static_cast<double>(chunk.new_tokens);
    return Time::from_seconds(seconds);
  }
  Time batch(std::int64_t items, std::int64_t tokens) const override {
    return Time::from_seconds(per_step_s + per_prompt_token_s * static_cast<double>(items * tokens));
  }
  /// Without a cost of context all steps of a batch are equal.
  DecodeRun decode_run(const IterationShape& shape) const override {
    return {iteration(shape).ticks(), 0, per_context_token_s == 0 ? std::int64_t{1} << 40 : 1};
  }
  WorkRates work_rates() const override {
    WorkRates rates;
    rates.flops_per_step = flops_per_step;
    rates.bytes_per_step = bytes_per_step;
    return rates;
  }
  double peak_flops_per_s() const override { return 1e12; }
  double peak_bytes_per_s() const override { return 1e11; }
  double relative_error() const override { return 0; }
  std::vector<EvidenceNote> evidence() const override {
    return {{"formula of a test", data::Evidence::assumption, "tests/sim/fleet"}};
  }
};

/// Everything a run needs, with one class without limits.
struct Experiment {
  data::Workload workload;
  data::Serving serving;
  RequestList requests;
  FleetSpec fleet;
  SimulateOptions options;
  FormulaTimer timer;

  explicit Experiment(data::WorkloadKind kind = data::WorkloadKind::generative) {
    workload.name = "work";
    workload.kind = kind;
    workload.classes.resize(1);
    workload.classes[0].name = "all";
    requests.class_names = {"all"};
    serving.policy = kind == data::WorkloadKind::generative ? "continuous" : "dynamic";
    fleet.kv_tokens = 1'000'000;
  }

  void add(double arrival_s, int input_tokens, int output_tokens, std::int16_t request_class = 0, int items = 1) {
    SimRequest request;
    request.arrival = Time::from_seconds(arrival_s);
    request.input_tokens = input_tokens;
    request.output_tokens = output_tokens;
    request.items = items;
    request.class_index = request_class;
    requests.requests.push_back(request);
  }
  RunResult run() const { return simulate(workload, serving, requests, fleet, timer, options); }
};

/// Keeps what it is told, by position in the demand.
class KeepRecords final : public RequestSink {
 public:
  void left(const RequestRecord& record) override {
    const auto index = static_cast<std::size_t>(record.served.request.index);
    if (index >= records.size()) records.resize(index + 1);
    records[index] = record;
  }
  std::vector<std::optional<RequestRecord>> records;
};

/// All numbers of a result, bit for bit.
inline std::string fingerprint(const RunResult& r) {
  std::string bytes;
  const auto number = [&bytes](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  };
  const auto distribution = [&](const Distribution& d) {
    number(d.n);
    for (const double x : {d.mean, d.p50, d.p90, d.p95, d.p99, d.p999, d.max, d.mean_half_width_99.value_or(-1)})
      number(x);
  };
  const auto latency = [&](const LatencySummary& l) {
    for (const Distribution* d : {&l.ttft, &l.tpot, &l.itl, &l.e2e, &l.queue}) distribution(*d);
  };
  const auto counts = [&](const RequestCounts& c) {
    for (const std::int64_t n : {c.offered, c.completed, c.rejected, c.timed_out, c.failed}) number(n);
  };
  counts(r.requests);
  latency(r.latency);
  const auto verdict = [&](const SloResult& slo) {
    number(slo.attainment.value_or(-1)), number(slo.required_attainment), number(slo.met);
    for (const SloTarget& t : slo.targets) number(t.limit_s), number(t.value_s.value_or(-1)), number(t.met);
  };
  for (const ClassResult& c : r.classes) counts(c.requests), latency(c.latency), verdict(c.slo);
  verdict(r.slo);
  for (const double x : {r.simulated_s,
                         r.requests_per_s,
                         r.input_tokens_per_s,
                         r.output_tokens_per_s,
                         r.output_tokens_within_slo_per_s,
                         r.gpu_busy,
                         r.mfu,
                         r.mbu,
                         r.kv_occupancy,
                         r.batch_size_mean,
                         r.joules.value_or(-1),
                         r.breakdown.queue,
                         r.breakdown.prefill,
                         r.breakdown.decode,
                         r.breakdown.preempted,
                         r.prefix_cache_hit_rate.value_or(-1),
                         r.kv_blocks_peak.value_or(-1),
                         r.joules_per_output_token.value_or(-1),
                         r.per_request.input_tokens,
                         r.per_request.output_tokens,
                         r.per_request.cached_tokens,
                         r.per_request.preemptions,
                         r.conservation.little_law_relative_error}) {
    number(x);
  }
  number(r.preemptions), number(r.recomputed_tokens);
  number(r.conservation.tokens_in), number(r.conservation.tokens_out), number(r.conservation.tokens_dropped);
  bytes += r.exactness;
  for (const auto* tail : {&r.ttft_tail, &r.tpot_tail, &r.e2e_tail}) {
    for (const TailPoint& p : *tail) number(p.latency_s), number(p.slower_share);
  }
  for (const SeriesPoint& p : r.series) {
    number(p.begin_s), number(p.arrivals), number(p.completions);
    number(p.busy), number(p.waiting_mean), number(p.running_mean);
  }
  return bytes;
}

}  // namespace weir::sim::testing
