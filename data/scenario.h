#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/nearest.h"
#include "data/precision.h"
#include "data/scenario_compression.h"
#include "data/scenario_deployment.h"
#include "data/scenario_fleet.h"
#include "data/scenario_links.h"
#include "data/scenario_pipeline.h"
#include "data/scenario_traffic.h"

namespace weir::data {

class Catalog;

struct TraceReference {
  std::string file;         ///< relative to the scenario file, or the name of an embedded trace ("traces/NAME.csv")
  double rate_scale = 1.0;  ///< > 0; 2 = the same requests in half the time
  std::optional<double> window_begin_s, window_end_s;
  int repeat = 1;
  /// Requests that share a time because the clock of the trace is coarse are spread over its step, drawn with the seed.
  bool spread = false;
};

/// Limits on a percentile ("p50", "p90", "p95", "p99", "p999"), in seconds, > 0.
using PercentileLimits = std::map<std::string, double>;

/// A class meets its targets when every stated percentile is within its limit and the share of requests that keep all
/// the limits by themselves is at least `attainment`. A request that was rejected or timed out keeps none.
struct Slo {
  PercentileLimits ttft_s, tpot_s, e2e_s;
  double attainment = 0.99;  ///< in (0, 1]
  bool empty() const { return ttft_s.empty() && tpot_s.empty() && e2e_s.empty(); }
};

struct RequestClass {
  std::string name;
  double share = 1.0;  ///< of the workload's requests when a trace names no classes; shares are normalised
  int priority = 0;    ///< order "priority": the larger goes first
  std::optional<TraceReference> trace;
  std::optional<ArrivalProcess> arrivals;
  std::optional<LengthDistribution> input_tokens, output_tokens;
  Slo slo;
  std::string token_pairs = {};             ///< instead of the two lengths a trace, whose pairs are drawn; a file
  std::optional<Sessions> sessions = {};    ///< arrivals are those of first turns
  std::optional<ClientMix> clients = {};    ///< arrivals are those of many clients
  std::optional<Cancellation> cancel = {};  ///< some clients hang up
};

enum class WorkloadKind { generative, one_shot };

struct ModelChoice {
  std::string id;
  Precision weights = Precision::fp16, activations = Precision::fp16, kv = Precision::fp16;
  std::string quality;  ///< published change on a task, with its source; empty = unknown
  Compression compression = {};
  double expert_skew = 0;  ///< how unevenly the experts of a mixture are asked for: expert i as 1 / i^skew, in [0, 4]
};

struct Workload {
  std::string name;
  WorkloadKind kind = WorkloadKind::generative;
  ModelChoice model;
  std::vector<RequestClass> classes;
  std::optional<TraceReference> trace;    ///< of the whole workload: rows are dealt to the classes by share
  double growth_per_year = 0;             ///< > -1
  std::optional<double> duration_s = {};  ///< how long arrivals are drawn; in (0, 1e7]; empty = long enough, see docs
};

struct Serving {
  std::string engine = "compiled-graphs";
  /// "static", "dynamic", "continuous", "chunked" (generative work); "dynamic" (one-shot work).
  std::string policy = "continuous";
  /// Whose scheduler is followed: "weir", "vllm-v0", "vllm-v1", "vidur-vllm", "vidur-sarathi"; one-shot work: "weir".
  std::string rules = "weir";
  std::string order = "fcfs";  ///< who waits longest: "fcfs", "priority", "shortest", "deadline", "fair"
  int max_batch = 256;
  int token_budget = 2048;          ///< most new tokens one iteration reads
  double max_delay_s = 0.005;       ///< dynamic: longest wait for a fuller batch
  std::optional<int> queue_limit;   ///< requests waiting at one replica; more are rejected
  std::optional<double> timeout_s;  ///< a request waiting longer is dropped
  int kv_block_tokens = 16;
  double kv_memory_fraction = 0.9;  ///< share of device memory that weights, activations and KV cache may use
  std::string kv_cache = "paged";   ///< "paged": blocks as tokens come; "reserved": prompt and answer at admission
  double kv_watermark = 0.01;       ///< share of the blocks left free when a request is admitted, in [0, 1)
  bool prefix_cache = false;        ///< blocks of equal content are kept and shared
  std::string router = "least-outstanding";
  OneShotPipeline pipeline = {};  ///< one-shot work
  Routing routing = {};
};

/// One pool of a fleet of several.
struct PoolChoice {
  std::string accelerator;
  int replicas = 1;
  int tensor_parallel = 1;
  bool cloud = false;           ///< rented; for the reader of the result
  std::optional<double> speed;  ///< > 0, relative to the other pools, for routers; empty = from the timing
};

struct DeploymentChoice {
  std::string accelerator;
  int replicas = 1;
  int tensor_parallel = 1;
  std::string slice = {};  ///< MIG profile ("1g"): a replica runs on a slice of an accelerator; empty = on the whole
  LinkChoice links = {};   ///< of every candidate too
  std::vector<PoolChoice> pools = {};  ///< in place of all of the above; empty = one pool
  ParallelChoice parallel = {};
};

struct Candidates {
  std::vector<std::string> accelerators;
  std::vector<Precision> precisions;  ///< of weights and activations together
  std::vector<int> tensor_parallel;
  ParallelLists parallel = {};
  std::vector<std::string> tenures;  ///< "owned", "cloud"
  int max_replicas = 4096;
};

struct CostChoice {
  int horizon_months = 36;
  std::string currency = "USD", region = "us-va";
  std::optional<double> discount_rate;   ///< per year; empty = the catalogue's default
  std::string cloud_term = "on-demand";  ///< term the cloud tenure is priced at
  std::map<std::string, double>
      overrides;  ///< economic inputs, and "server_price_usd.ACCELERATOR", "cloud_usd_per_hour.ACCELERATOR"
};

/// weir.scenario/1.
struct Scenario {
  std::string name;
  std::map<std::string, std::string> title;  ///< by language: "en", "zh_CN"
  std::string note;                          ///< where the inputs come from
  std::uint64_t seed = 1;
  std::vector<Workload> workloads;
  Serving serving;
  DeploymentChoice deployment;
  FleetConduct fleet;
  Candidates candidates;
  CostChoice cost;
  std::filesystem::path folder;  ///< where relative trace names are looked for; empty = embedded
};

/// Throws InputError with file, JSON pointer, value and what is allowed. Keys of a later version of the contract
/// (disaggregated, network, hybrid, ...) are refused with a line that says this version does not have them.
Scenario load_scenario(const std::filesystem::path& file);
Scenario scenario_from_json(const nlohmann::ordered_json& json, const std::string& file);
/// The same against another catalogue than the built-in one. Models and accelerators become their ids.
Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog);
Scenario scenario_from_json(const nlohmann::ordered_json& json, const std::string& file, const Catalog& catalog);
/// Every value, defaults included.
nlohmann::ordered_json to_json(const Scenario& scenario);

/// A scenario by name ("llm-chat", embedded) or by path.
Scenario find_scenario(std::string_view name_or_path);
std::vector<std::string> embedded_scenario_names();

}  // namespace weir::data
