// From the files of a run and a profile to a deployment, rules and requests.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

#include "data/catalog.h"
#include "data/errors.h"
#include "data/scenario.h"
#include "tests/field/vllm_fidelity/fidelity.h"
#include "tests/field/vllm_fidelity/profile_files.h"

namespace weir::field {
namespace {

using data::InputError;

constexpr double kElementBytes = 2;  // bf16
/// Activations at the token budget, captured graphs and the CUDA context: what the RTX 4090 run, which says how many
/// blocks it had, leaves between 0.9 of its memory and weights + blocks.
constexpr double kReserveBytes = 1.24e9;

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// "Qwen/Qwen3-30B-A3B-Instruct-2507" is the catalogue's Qwen3-30B-A3B: endings that name a fine-tuning are left out.
const data::Model& model_of(const std::string& name, const std::string& file) {
  const data::Catalog& catalog = data::Catalog::builtin();
  std::string shorter = name.substr(name.find('/') == std::string::npos ? 0 : name.rfind('/') + 1);
  while (true) {
    if (const data::Model* model = catalog.find_model(shorter)) return *model;
    const std::size_t dash = shorter.rfind('-');
    if (dash == std::string::npos) throw InputError(file, "/model", name, "expected a model of the catalogue");
    shorter.resize(dash);
  }
}

/// By full name, or by an alias within it: the longest; of names that begin alike the shortest.
const data::Accelerator& accelerator_of(const std::string& name, const std::string& file) {
  const data::Accelerator* best = nullptr;
  std::size_t length = 0;
  for (const data::Accelerator& a : data::Catalog::builtin().accelerators()) {
    std::vector<std::string> names = a.aliases;
    if (a.name.starts_with(name)) return a;
    for (const std::string& alias : names) {
      if (name.find(alias) != std::string::npos && alias.size() > length) best = &a, length = alias.size();
    }
  }
  if (best == nullptr) throw InputError(file, "gpu", name, "expected an accelerator of the catalogue");
  return *best;
}

double quantity(const data::Quantity& q, const char* what, const data::Accelerator& a) {
  if (!q.value) throw InputError("catalogue", a.id, what, "expected a known value");
  return *q.value;
}

/// Bytes of the weights of one rank; the experts are spread over the ranks that share them.
double weight_bytes(const data::Model& m, const sim::ProfiledDeployment& d) {
  const double width = m.hidden, head = m.head_dim;
  const double attention = width * head * (2.0 * m.heads + 2.0 * m.kv_heads);
  const double around = m.layers * attention + width * m.vocabulary * (m.tied_embeddings ? 1 : 2);
  const double all = std::max(m.parameters, around);
  const double shared = d.experts > 0 ? around : all;
  return kElementBytes * (shared + (all - shared) / d.expert_ranks) / d.tensor_parallel;
}

/// The blocks the engine can give out. vLLM keeps one (the null block) for itself.
std::int64_t kv_blocks_of(FidelityCase& c, const data::Model& m, const data::Accelerator& a) {
  if (c.meta.kv_blocks) return *c.meta.kv_blocks - 1;
  const double memory = c.meta.device_memory_bytes.value_or(quantity(a.memory_bytes, "memory", a));
  const double weights = weight_bytes(m, c.deployment);
  const double block = 2.0 * m.layers * static_cast<double>(c.deployment.kv_heads) * m.head_dim * kElementBytes *
                       static_cast<double>(c.meta.block_tokens);
  const double left = c.meta.memory_utilization * memory - weights - kReserveBytes;
  if (left < 2 * block) {
    throw InputError(c.gpu, "memory", text("%.1f GB", memory / 1e9),
                     text("more: the weights alone take %.1f GB of a rank", weights / 1e9));
  }
  const auto blocks = static_cast<std::int64_t>(left / block) - 1;
  c.assumptions.push_back(
      text("%lld KV blocks a rank: %.2f x %.1f GB - weights %.1f GB - %.2f GB for activations, graphs "
           "and context, %.2f MB a block",
           static_cast<long long>(blocks), c.meta.memory_utilization, memory / 1e9, weights / 1e9, kReserveBytes / 1e9,
           block / 1e6));
  return blocks;
}

void describe_deployment(const FidelityOptions& options, FidelityCase& c, const data::Model& m,
                         const data::Accelerator& a) {
  sim::ProfiledDeployment& d = c.deployment;
  const std::string file = (options.run / "meta.json").string();
  d.layers = m.layers;
  d.hidden = m.hidden;
  d.element_bytes = kElementBytes;
  d.tensor_parallel = c.meta.tensor_parallel;
  if (m.mixture_of_experts != c.profile.experts.has_value()) {
    throw InputError(
        options.profile.string(), "moe.csv", c.meta.model,
        m.mixture_of_experts ? "expected moe.csv for this tensor parallelism" : "this model has no experts");
  }
  if (c.profile.experts) {
    const ExpertCounts counts = read_expert_counts(options.profile, c.meta.tensor_parallel);
    d.experts = counts.experts;
    d.experts_per_token = counts.per_token;
    d.expert_ranks = c.meta.expert_parallel ? c.meta.data_parallel : 1;
  }
  if (c.meta.data_parallel > 1 && !(c.profile.experts && c.meta.expert_parallel)) {
    throw InputError(file, "/engine_kwargs/data_parallel_size", std::to_string(c.meta.data_parallel),
                     "1, or a mixture of experts with enable_expert_parallel");
  }
  if (m.kv_heads % d.tensor_parallel != 0) {
    throw InputError(file, "/engine_kwargs/tensor_parallel_size", std::to_string(d.tensor_parallel),
                     "a divisor of the model's KV heads");
  }
  d.kv_heads = m.kv_heads / d.tensor_parallel;
  d.multiprocessors = static_cast<std::int64_t>(quantity(a.compute_units, "compute_units", a));
  d.uneven_decodes = options.uneven_decodes && sim::UnevenDecodes::can_read(c.profile.attention);
  d.link = {options.link_latency_s, options.link_bytes_per_s};
  d.peak_bytes_per_s = quantity(a.memory_bandwidth_bytes_per_s, "memory bandwidth", a) * d.tensor_parallel;
  if (const auto peak = a.peak_flops_per_s.find(data::Precision::bf16); peak != a.peak_flops_per_s.end()) {
    d.peak_flops_per_s = peak->second.value.value_or(0) * d.tensor_parallel;
  }
  d.relative_error = 0.035;
  d.source = options.profile.string();
}

/// What vLLM V1 does, as make_rules knows it.
sim::Rules rules_of(const FidelityOptions& options, FidelityCase& c, std::int64_t blocks) {
  data::Serving serving;
  serving.policy = "chunked";
  serving.rules = "vllm-v1";
  serving.max_batch = static_cast<int>(c.meta.max_batch);
  serving.token_budget = static_cast<int>(c.meta.token_budget);
  serving.kv_block_tokens = static_cast<int>(c.meta.block_tokens);
  serving.kv_watermark = 0;
  serving.prefix_cache = c.meta.prefix_cache;
  sim::Rules rules = sim::make_rules(data::WorkloadKind::generative, serving, blocks * c.meta.block_tokens);
  if (!c.meta.async_scheduling) rules.steps_in_flight = 1;
  if (options.steps_in_flight) rules.steps_in_flight = *options.steps_in_flight;
  rules.graph_padding = c.meta.graphs;
  rules.list_contexts = true;
  return rules;
}

std::filesystem::path default_sharing(const std::string& model) {
  const std::filesystem::path folder = std::filesystem::path(WEIR_SOURCE_DIR) / "tests/field/vllm_fidelity";
  return folder / (model.starts_with("Qwen/") ? "sharing-qwen.txt" : "sharing-llama.txt");
}

/// hashes[i]: of the leading blocks of prompt i, those it shares taken from the earlier prompt.
std::vector<std::vector<std::uint64_t>> block_hashes(const FidelityCase& c, const std::vector<Sharing>& sharing) {
  std::vector<std::vector<std::uint64_t>> hashes(c.measured.size());
  std::uint64_t next = 1;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    hashes[i].resize(static_cast<std::size_t>(c.measured[i].input_tokens / c.meta.block_tokens));
    for (const Sharing& s : sharing) {
      if (s.later != i) continue;
      const std::size_t shared =
          std::min({static_cast<std::size_t>(s.blocks), hashes[i].size(), hashes[s.earlier].size()});
      std::copy_n(hashes[s.earlier].begin(), shared, hashes[i].begin());
    }
    for (std::uint64_t& hash : hashes[i]) hash = hash == 0 ? next++ : hash;
  }
  return hashes;
}

void describe_requests(FidelityCase& c, const std::vector<Sharing>& sharing) {
  c.order.resize(c.measured.size());
  std::iota(c.order.begin(), c.order.end(), std::size_t{0});
  std::stable_sort(c.order.begin(), c.order.end(),
                   [&](std::size_t a, std::size_t b) { return c.measured[a].arrival_s < c.measured[b].arrival_s; });
  const auto hashes = block_hashes(c, sharing);
  auto contents = std::make_shared<KeptContents>();
  for (const auto& of_prompt : hashes) contents->hashes.push_back(of_prompt);
  c.requests.class_names = {"all"};
  for (const std::size_t i : c.order) {
    const MeasuredRequest& m = c.measured[i];
    sim::PromptContent& content = contents->contents.emplace_back();
    content.hashes = contents->hashes[i];
    content.tokens_per_hash = static_cast<std::int32_t>(c.meta.block_tokens);
    sim::SimRequest r;
    r.arrival = sim::Time::from_seconds(m.arrival_s);
    r.input_tokens = static_cast<std::int32_t>(m.input_tokens);
    r.output_tokens = static_cast<std::int32_t>(m.output_tokens);
    r.content = &content;
    c.requests.requests.push_back(r);
  }
  c.contents = std::move(contents);
}

/// --arrivals, else the workload beside the run, else what the run recorded.
void choose_arrivals(const FidelityOptions& options, FidelityCase& c) {
  const std::filesystem::path beside = options.run / ".." / "sharegpt-llama-3.1-8b-300-sps10.lengths.jsonl";
  if (options.arrivals) {
    read_arrivals(*options.arrivals, c.measured);
  } else if (std::filesystem::exists(beside)) {
    read_arrivals(beside, c.measured);
    c.assumptions.push_back("arrivals of " + beside.filename().string() + ", by index");
  } else {
    c.assumptions.push_back("arrivals as recorded in requests.jsonl");
  }
}

}  // namespace

FidelityCase prepare(const FidelityOptions& options) {
  FidelityCase c;
  const std::filesystem::path meta_file = options.run / "meta.json";
  c.meta = read_run_meta(meta_file);
  c.assumptions = c.meta.assumed;
  c.measured = read_requests(options.run / "requests.jsonl");
  choose_arrivals(options, c);
  const ProfileMeta profile_meta = read_profile_meta(options.profile);
  c.gpu = c.meta.device.value_or(profile_meta.gpu);
  if (!c.meta.device) c.assumptions.push_back("on the accelerator of the profile, " + c.gpu);
  if (!profile_meta.model.empty() && profile_meta.model != c.meta.model) {
    throw InputError(options.profile.string(), "model", profile_meta.model, "expected the run's model " + c.meta.model);
  }
  c.profile = read_profile(options.profile, c.meta.tensor_parallel);
  const data::Model& model = model_of(c.meta.model, meta_file.string());
  const data::Accelerator& accelerator = accelerator_of(c.gpu, options.profile.string());
  describe_deployment(options, c, model, accelerator);
  c.ranks.ranks = c.meta.data_parallel;
  if (c.meta.data_parallel > 1 || c.meta.tensor_parallel > 1) {
    c.assumptions.push_back(text("collectives take %.0f us + bytes / %.0f GB/s", options.link_latency_s * 1e6,
                                 options.link_bytes_per_s / 1e9));
  }
  c.rules = rules_of(options, c, options.kv_blocks ? *options.kv_blocks : kv_blocks_of(c, model, accelerator));
  std::vector<Sharing> sharing;
  if (options.share_prefixes) {
    sharing = read_sharing(options.sharing.value_or(default_sharing(c.meta.model)), c.measured.size(),
                           options.sharing.has_value());
  }
  describe_requests(c, sharing);
  return c;
}

}  // namespace weir::field
