#include "tests/field/vidur_conformance/vidur_run.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/json_io.h"
#include "tests/field/vidur_conformance/number_table.h"

namespace weir::field {
namespace {

/// A JSON file whose members are asked for by pointer.
class Document {
 public:
  explicit Document(const std::filesystem::path& file) : file_(file.string()), json_(data::read_json_file(file)) {}

  bool is_null(const std::string& pointer) const { return at(pointer).is_null(); }
  double number(const std::string& pointer) const {
    if (!at(pointer).is_number()) fail(pointer, "expected a number");
    return at(pointer).get<double>();
  }
  std::int64_t integer(const std::string& pointer, std::int64_t least) const {
    const double value = number(pointer);
    if (value < static_cast<double>(least) || value > 1e9 || value != std::floor(value)) {
      fail(pointer, "expected a whole number of at least " + std::to_string(least));
    }
    return static_cast<std::int64_t>(value);
  }
  bool boolean(const std::string& pointer) const {
    if (!at(pointer).is_boolean()) fail(pointer, "expected true or false");
    return at(pointer).get<bool>();
  }
  std::string text(const std::string& pointer) const {
    if (!at(pointer).is_string()) fail(pointer, "expected a text");
    return at(pointer).get<std::string>();
  }
  [[noreturn]] void fail(const std::string& pointer, const std::string& allowed) const {
    throw data::InputError(file_, pointer, at(pointer).dump(), allowed);
  }

 private:
  const nlohmann::ordered_json& at(const std::string& pointer) const {
    static const nlohmann::ordered_json missing;
    const nlohmann::ordered_json::json_pointer place(pointer);
    return json_.contains(place) ? json_.at(place) : missing;
  }

  std::string file_;
  nlohmann::ordered_json json_;
};

const std::string kReplica = "/cluster_config/replica_config";
const std::string kModel = kReplica + "/model_config";
const std::string kScheduler = "/cluster_config/replica_scheduler_config";
const std::string kTrace = "/request_generator_config";
const std::string kTimes = "/execution_time_predictor_config";

/// Vidur counts num_blocks, which it may leave to its memory planner, and takes a share of it as watermark, cut to
/// whole blocks.
void read_blocks(const Document& config, const std::filesystem::path& folder, sim::Rules& rules) {
  const std::string pointer = kScheduler + "/num_blocks";
  // Vidur takes 0 for "not said", too.
  const bool planned = config.is_null(pointer) || config.number(pointer) == 0;
  rules.kv_blocks =
      planned ? Document(folder / "summary.json").integer("/timing/num_blocks", 1) : config.integer(pointer, 1);
  rules.block_tokens = config.integer(kScheduler + "/block_size", 1);
  const double share = config.number(kScheduler + "/watermark_blocks_fraction");
  rules.watermark_blocks = static_cast<std::int64_t>(share * static_cast<double>(rules.kv_blocks));
}

// The rules need the size of some cache before the run's own blocks replace it.
constexpr std::int64_t kAnyCache = 1'000'000;

sim::Rules read_rules(const Document& config, const std::filesystem::path& folder, const std::string& scheduler) {
  data::Serving serving;
  serving.max_batch = static_cast<int>(config.integer(kScheduler + "/batch_size_cap", 1));
  if (scheduler == "vllm") {
    serving.rules = "vidur-vllm";
    serving.policy = "continuous";
    serving.token_budget = static_cast<int>(config.integer(kScheduler + "/max_tokens_in_batch", 1));
  } else if (scheduler == "sarathi") {
    serving.rules = "vidur-sarathi";
    serving.policy = "chunked";
    serving.token_budget = static_cast<int>(config.integer(kScheduler + "/chunk_size", 1));
  } else {
    config.fail(kScheduler + "/name", "this program follows \"vllm\" and \"sarathi\"");
  }
  sim::Rules rules = sim::make_rules(data::WorkloadKind::generative, serving, kAnyCache);
  read_blocks(config, folder, rules);
  return rules;
}

void read_times(const Document& config, VidurRun& run) {
  run.layers = static_cast<int>(config.integer(kModel + "/num_layers", 1));
  run.grouped_queries = config.integer(kModel + "/num_q_heads", 1) > config.integer(kModel + "/num_kv_heads", 1);
  run.post_attention_norm = config.boolean(kModel + "/post_attn_norm");
  run.decode_batching_overhead = config.number(kTimes + "/attention_decode_batching_overhead_fraction");
  run.prefill_batching_overhead = config.number(kTimes + "/attention_prefill_batching_overhead_fraction");
  run.collective_launch_ms = config.number(kTimes + "/nccl_cpu_launch_overhead_ms");
  run.collective_skew_ms = config.number(kTimes + "/nccl_cpu_skew_overhead_per_device_ms");
  run.context_grid = config.integer(kTimes + "/kv_cache_prediction_granularity", 1);
  if (!config.boolean(kTimes + "/skip_cpu_overhead_modeling")) {
    config.fail(kTimes + "/skip_cpu_overhead_modeling", "this program has no CPU overheads: expected true");
  }
}

void read_scales(const Document& config, VidurRun& run) {
  if (config.text(kTrace + "/name") != "trace_replay") {
    config.fail(kTrace + "/name", "this program replays traces: expected \"trace_replay\"");
  }
  run.input_scale = config.number(kTrace + "/prefill_scale_factor");
  run.output_scale = config.number(kTrace + "/decode_scale_factor");
  run.time_scale = config.number(kTrace + "/time_scale_factor");
  run.max_tokens = config.integer(kTrace + "/max_tokens", 2);
}

}  // namespace

VidurRun read_vidur_run(const std::filesystem::path& folder) {
  const Document config(folder / "config.json");
  VidurRun run;
  if (config.number("/time_limit") != 0) config.fail("/time_limit", "this program runs to the end: expected 0");
  run.replicas = static_cast<int>(config.integer("/cluster_config/num_replicas", 1));
  const std::string router = "/cluster_config/global_scheduler_config/name";
  if (run.replicas > 1 && config.text(router) != "round_robin") {
    config.fail(router, "this program follows \"round_robin\" when there are several replicas");
  }
  if (config.integer(kReplica + "/num_pipeline_stages", 1) != 1) {
    config.fail(kReplica + "/num_pipeline_stages", "this program has no pipeline stages: expected 1");
  }
  run.tensor_parallel = static_cast<int>(config.integer(kReplica + "/tensor_parallel_size", 1));
  run.scheduler = config.text(kScheduler + "/name");
  run.rules = read_rules(config, folder, run.scheduler);
  read_times(config, run);
  read_scales(config, run);
  return run;
}

std::vector<VidurRequest> read_vidur_trace(const std::filesystem::path& file, const VidurRun& run) {
  const NumberTable table(file);
  const std::vector<double>&arrival = table["arrived_at"], &input = table["num_prefill_tokens"],
        &output = table["num_decode_tokens"];
  std::vector<VidurRequest> requests;
  requests.reserve(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto written = std::max<std::int64_t>(1, static_cast<std::int64_t>(output[i] * run.output_scale));
    const auto read = std::max<std::int64_t>(1, static_cast<std::int64_t>(input[i] * run.input_scale));
    const std::int64_t cut = std::max<std::int64_t>(0, read + written - run.max_tokens);
    if (read <= cut || arrival[i] < 0) {
      throw data::InputError(file.string(), std::to_string(i + 2), std::to_string(read + written),
                             "expected an arrival >= 0 and fewer output tokens than max_tokens of the config");
    }
    requests.push_back({sim::Time::from_seconds(arrival[i] * run.time_scale), static_cast<std::int32_t>(read - cut),
                        static_cast<std::int32_t>(written)});
  }
  if (requests.empty()) throw data::InputError(file.string(), "", "", "expected at least one request");
  return requests;
}

std::vector<VidurAnswer> read_vidur_answers(const std::filesystem::path& file,
                                            const std::vector<VidurRequest>& requests) {
  const NumberTable table(file);
  if (table.rows() != requests.size()) {
    throw data::InputError(file.string(), "", std::to_string(table.rows()) + " requests",
                           "expected as many as the trace has: " + std::to_string(requests.size()));
  }
  const std::vector<double>&id = table["id"], &input = table["num_prefill_tokens"],
        &output = table["num_decode_tokens"];
  std::vector<VidurAnswer> answers(requests.size());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string line = std::to_string(i + 2);
    if (id[i] < 0 || id[i] >= static_cast<double>(requests.size())) {
      throw data::InputError(file.string(), line, std::to_string(id[i]), "expected the position of a request");
    }
    const auto at = static_cast<std::size_t>(id[i]);
    if (input[i] != requests[at].input_tokens || output[i] != requests[at].output_tokens) {
      throw data::InputError(file.string(), line, "request " + std::to_string(at),
                             "expected the tokens of the trace (another trace?)");
    }
    answers[at] = {table["scheduled_at"][i], table["first_token_at"][i], table["completed_at"][i],
                   static_cast<std::int64_t>(table["restarts"][i])};
  }
  return answers;
}

}  // namespace weir::field
