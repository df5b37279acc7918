#include <cmath>

#include "reports/json_parts.h"
#include "reports/report.h"

namespace weir::reports {
namespace parts {
namespace {

Json distribution(const sim::Distribution& d) {
  Json json;
  json["n"] = d.n;
  const bool any = d.n > 0;
  const auto value = [&](double v) { return any ? number(v) : Json(nullptr); };
  json["mean"] = value(d.mean);
  json["p50"] = value(d.p50);
  json["p90"] = value(d.p90);
  json["p95"] = value(d.p95);
  json["p99"] = value(d.p99);
  json["p999"] = value(d.p999);
  json["max"] = value(d.max);
  json["mean_half_width_99"] = or_null(d.mean_half_width_99);
  return json;
}

Json tail(const std::vector<sim::TailPoint>& points) {
  Json json = Json::array();
  for (const sim::TailPoint& p : points) json.push_back({number(p.latency_s), number(p.slower_share)});
  return json;
}

Json series(const std::vector<sim::SeriesPoint>& points) {
  Json json = Json::array();
  for (const sim::SeriesPoint& p : points) {
    json.push_back({{"begin_s", number(p.begin_s)},
                    {"arrivals", p.arrivals},
                    {"completions", p.completions},
                    {"busy", number(p.busy)},
                    {"waiting_mean", number(p.waiting_mean)},
                    {"running_mean", number(p.running_mean)}});
    if (p.open_replicas) json.back()["open_replicas"] = number(*p.open_replicas);
  }
  return json;
}

Json per_request(const sim::RunResult& run) {
  if (run.requests.completed == 0) return nullptr;
  return {{"input_tokens", number(run.per_request.input_tokens)},
          {"output_tokens", number(run.per_request.output_tokens)},
          {"cached_tokens", number(run.per_request.cached_tokens)},
          {"preemptions", number(run.per_request.preemptions)}};
}

Json replications(const sim::Replications& all) {
  Json values = Json::object();
  for (const sim::ReplicatedValue& v : all.values) {
    values[v.name] = {{"n", v.n},
                      {"mean", number(v.mean)},
                      {"half_width_99", or_null(v.half_width_99)},
                      {"min", number(v.min)},
                      {"max", number(v.max)}};
  }
  return {{"seeds", all.seeds}, {"targets_met", all.targets_met}, {"values", std::move(values)}};
}

}  // namespace

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json requests(const sim::RequestCounts& counts) {
  return {{"offered", counts.offered},
          {"completed", counts.completed},
          {"rejected", counts.rejected},
          {"timed_out", counts.timed_out},
          {"failed", counts.failed}};
}

Json latency(const sim::LatencySummary& l) {
  return {{"ttft", distribution(l.ttft)},
          {"tpot", distribution(l.tpot)},
          {"itl", distribution(l.itl)},
          {"e2e", distribution(l.e2e)},
          {"queue", distribution(l.queue)}};
}

Json slo(const sim::SloResult& result) {
  Json targets = Json::array();
  for (const sim::SloTarget& t : result.targets) {
    targets.push_back({{"class", t.class_name},
                       {"metric", t.metric},
                       {"percentile", t.percentile},
                       {"limit_s", number(t.limit_s)},
                       {"value_s", or_null(t.value_s)},
                       {"met", t.met}});
  }
  return {{"attainment", or_null(result.attainment)},
          {"required_attainment", result.attainment ? number(result.required_attainment) : Json(nullptr)},
          {"met", result.met},
          {"targets", std::move(targets)}};
}

Json classes(const std::vector<sim::ClassResult>& all) {
  Json json = Json::array();
  for (const sim::ClassResult& c : all) {
    json.push_back(
        {{"name", c.name}, {"requests", requests(c.requests)}, {"latency_s", latency(c.latency)}, {"slo", slo(c.slo)}});
  }
  return json;
}

Json breakdown(const sim::Breakdown& b) {
  return {{"queue_s", number(b.queue)},
          {"prefill_s", number(b.prefill)},
          {"decode_s", number(b.decode)},
          {"preempted_s", number(b.preempted)}};
}

Json utilisation(const sim::RunResult& run) {
  return {{"gpu_busy", number(run.gpu_busy)},
          {"mfu", number(run.mfu)},
          {"mbu", number(run.mbu)},
          {"kv_occupancy", number(run.kv_occupancy)},
          {"batch_size_mean", number(run.batch_size_mean)},
          {"kv_blocks_peak", or_null(run.kv_blocks_peak)},
          {"prefix_hit_rate", or_null(run.prefix_cache_hit_rate)}};
}

Json energy(const sim::RunResult& run) {
  return {{"joules", or_null(run.joules)}, {"joules_per_output_token", or_null(run.joules_per_output_token)}};
}

Json throughput(const sim::RunResult& run) {
  return {{"requests_per_s", number(run.requests_per_s)},
          {"input_tokens_per_s", number(run.input_tokens_per_s)},
          {"output_tokens_per_s", number(run.output_tokens_per_s)},
          {"output_tokens_within_slo_per_s", number(run.output_tokens_within_slo_per_s)}};
}

Json evidence(const std::vector<sim::EvidenceNote>& notes) {
  Json json = Json::array();
  for (const sim::EvidenceNote& n : notes) {
    json.push_back({{"what", n.what}, {"evidence", data::to_string(n.evidence)}, {"source", n.source}});
  }
  return json;
}

}  // namespace parts

nlohmann::ordered_json to_json(const sim::RunResult& run, const sim::Replications* replications) {
  using namespace parts;
  Json json;
  json["schema"] = "weir.run/1";
  json["scenario"] = run.scenario;
  json["seed"] = run.seed;
  json["replicas"] = run.replicas;
  json["requests"] = requests(run.requests);
  json["simulated_s"] = number(run.simulated_s);
  json["latency_s"] = latency(run.latency);
  json["classes"] = classes(run.classes);
  json["throughput"] = throughput(run);
  json["slo"] = slo(run.slo);
  json["utilisation"] = utilisation(run);
  json["energy"] = energy(run);
  json["breakdown"] = breakdown(run.breakdown);
  json["per_request"] = per_request(run);
  json["preemption"] = {{"preemptions", run.preemptions}, {"recomputed_tokens", run.recomputed_tokens}};
  if (run.fleet) json["fleet"] = fleet_record(*run.fleet);
  if (!run.pools.empty()) json["pools"] = pools(run.pools);
  json["tail"] = {{"columns", {"latency_s", "slower_share"}},
                  {"ttft", tail(run.ttft_tail)},
                  {"tpot", tail(run.tpot_tail)},
                  {"e2e", tail(run.e2e_tail)}};
  json["series"] = series(run.series);
  json["conservation"] = {{"little_law_relative_error", number(run.conservation.little_law_relative_error)},
                          {"tokens_in", run.conservation.tokens_in},
                          {"tokens_out", run.conservation.tokens_out},
                          {"tokens_dropped", run.conservation.tokens_dropped}};
  json["exactness"] = run.exactness;
  json["evidence"] = evidence(run.evidence);
  json["replications"] = replications != nullptr ? parts::replications(*replications) : Json(nullptr);
  return json;
}

}  // namespace weir::reports
