#pragma once

#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/scenario.h"
#include "data/trace.h"
#include "sim/plan/plan.h"

namespace weir::sim {

/// Half a minute of chat: a request every 1/rate seconds with lengths that repeat.
inline data::Trace small_trace(double rate_per_s, int requests) {
  constexpr std::int32_t kInput[] = {200, 900, 1500, 400, 3000}, kOutput[] = {150, 40, 220, 80};
  data::Trace trace;
  trace.name = "small.csv";
  trace.format = "plain-csv";
  for (int i = 0; i < requests; ++i) {
    data::Request r;
    r.arrival_ns = static_cast<std::int64_t>(1e9 * i / rate_per_s);
    r.input_tokens = kInput[i % 5];
    r.output_tokens = kOutput[i % 4];
    trace.requests.push_back(r);
  }
  return trace;
}

/// Llama-3.1-8B for two classes on three kinds of hardware of the catalogue.
inline data::Scenario small_scenario() {
  data::Scenario s;
  s.name = "small";
  data::Workload w;
  w.name = "chat";
  w.model.id = "llama-3.1-8b";
  data::RequestClass fast, slow;
  fast.name = "interactive";
  fast.share = 0.7;
  fast.slo.ttft_s = {{"p99", 1.0}};
  fast.slo.tpot_s = {{"p99", 0.05}};
  slow.name = "background";
  slow.share = 0.3;
  slow.slo.ttft_s = {{"p90", 5.0}};
  slow.slo.attainment = 0.9;
  w.classes = {fast, slow};
  s.workloads = {w};
  s.candidates.accelerators = {"h100-sxm5-80gb", "l4", "t4"};
  s.candidates.precisions = {data::Precision::fp16, data::Precision::int8, data::Precision::fp8};
  s.candidates.tensor_parallel = {1};
  return s;
}

inline PlanResult small_plan(const data::Scenario& scenario, const data::Trace& trace, int threads = 1,
                             std::uint64_t seed = 1) {
  PlanOptions options;
  options.seed = seed;
  options.threads = threads;
  options.trace = &trace;
  return plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
}

/// Everything of an option that a reader sees, as text.
inline std::string fingerprint(const PlanOption& o) {
  std::string text = std::to_string(o.rank) + o.hardware + o.tenure + std::string(data::to_string(o.precision)) +
                     std::to_string(o.replicas.value_or(-1)) + o.why_not + o.why_no_price +
                     std::to_string(o.break_even_month.value_or(-1));
  if (o.cost) text += std::to_string(o.cost->total.micros()) + ":" + std::to_string(o.cost->npv.micros());
  for (const auto& [key, range] : o.range) text += key + std::to_string(range[0]) + std::to_string(range[2]);
  if (o.run) {
    text += std::to_string(o.run->latency.ttft.p99) + std::to_string(o.run->latency.e2e.mean) +
            std::to_string(o.run->slo.attainment.value_or(-1));
    for (const ClassResult& c : o.run->classes)
      text += std::to_string(c.requests.offered) + std::to_string(c.latency.ttft.p99);
  }
  return text;
}

inline std::vector<std::string> fingerprints(const PlanResult& result) {
  std::vector<std::string> all;
  for (const PlanOption& o : result.options) all.push_back(fingerprint(o));
  for (const std::string& reason : result.recommendation.reasons) all.push_back(reason);
  return all;
}

}  // namespace weir::sim
