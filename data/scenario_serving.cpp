// Reading of how the fleet serves.
#include "data/efficiency.h"
#include "data/scenario_reader.h"

namespace weir::data {
namespace {

/// What is served how, when the scenario leaves it open: the engines whose rules are followed have one policy each.
std::string usual_policy(WorkloadKind kind, const std::string& rules) {
  if (kind == WorkloadKind::one_shot) return "dynamic";
  return rules == "vllm-v1" || rules == "vidur-sarathi" ? "chunked" : "continuous";
}

std::string policy_of(const ObjectReader& entry, WorkloadKind kind, const std::string& rules) {
  const auto policy = entry.find("policy");
  if (!policy) return usual_policy(kind, rules);
  const auto name = policy->one_of({"static", "dynamic", "continuous", "chunked", "disaggregated"});
  if (name == "disaggregated") {
    policy->not_in_this_version("\"static\", \"dynamic\", \"continuous\" and \"chunked\"");
  }
  if (kind == WorkloadKind::one_shot && name != "dynamic") {
    policy->not_in_this_version("one-shot work is served \"dynamic\"");
  }
  return name;
}

}  // namespace

Serving read_serving(const JsonReader& reader, WorkloadKind kind) {
  const auto entry = reader.object({"engine", "policy", "rules", "order", "max_batch", "token_budget", "max_delay_s",
                                    "queue_limit", "timeout_s", "kv_block_tokens", "kv_memory_fraction", "kv_cache",
                                    "kv_watermark", "prefix_cache", "router", "routing", "network", "pipeline"});
  Serving s;
  if (const auto engine = entry.find("engine")) {
    std::vector<std::string> known;
    for (const EngineOverhead& e : EfficiencyTable::builtin().engines()) known.push_back(e.engine);
    s.engine = engine->one_of(known);
  }
  if (const auto rules = entry.find("rules")) {
    s.rules = rules->one_of({"weir", "vllm-v0", "vllm-v1", "vidur-vllm", "vidur-sarathi"});
    if (kind == WorkloadKind::one_shot && s.rules != "weir") {
      rules->fail("these are rules of language model engines; one-shot work has \"weir\" alone");
    }
  }
  s.policy = policy_of(entry, kind, s.rules);
  if (const auto order = entry.find("order")) {
    s.order = order->one_of({"fcfs", "priority", "shortest", "deadline", "fair"});
  }
  if (const auto router = entry.find("router")) {
    s.router = router->one_of(
        {"least-outstanding", "least-tokens", "round-robin", "random", "power-of-two", "affinity", "priority"});
  }
  s.routing = read_routing(entry, s.router);
  if (const auto network = entry.find("network")) network->not_in_this_version("latencies are of the servers alone");
  s.max_batch = entry.integer_or("max_batch", s.max_batch, 1, 65536);
  s.token_budget = entry.integer_or("token_budget", s.token_budget, 1, 1 << 24);
  s.max_delay_s = entry.number_or("max_delay_s", s.max_delay_s, {0, 3600});
  if (const auto limit = entry.find("queue_limit")) s.queue_limit = limit->small_integer(0, 1 << 30);
  s.timeout_s = entry.optional_number("timeout_s", kPositive);
  s.kv_block_tokens = entry.integer_or("kv_block_tokens", s.kv_block_tokens, 1, 4096);
  s.kv_memory_fraction = entry.number_or("kv_memory_fraction", s.kv_memory_fraction, kPositiveFraction);
  if (const auto cache = entry.find("kv_cache")) s.kv_cache = cache->one_of({"paged", "reserved"});
  s.kv_watermark = entry.number_or("kv_watermark", s.kv_watermark, {0, 1, true, false});
  s.prefix_cache = entry.boolean_or("prefix_cache", s.prefix_cache);
  if (const auto pipeline = entry.find("pipeline")) {
    if (kind != WorkloadKind::one_shot) pipeline->fail("null: only one-shot work has a pipeline");
    s.pipeline = read_one_shot_pipeline(*pipeline, s.max_batch);
  }
  return s;
}

}  // namespace weir::data
