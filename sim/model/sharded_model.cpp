#include "sim/model/sharded_model.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "data/errors.h"

namespace weir::sim {
namespace {

using data::InputError;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
int divide_up(int a, int b) { return (a + b - 1) / b; }

void require_known(const data::Model& model) {
  if (model.mixture_of_experts && model.experts.count < 1) {
    throw InputError("", "model", model.id, "a mixture of experts needs experts, experts_active, expert_intermediate");
  }
  if (model.attention == "mla" && model.latent.kv_rank < 1) {
    throw InputError("", "model", model.id, "latent attention (MLA) needs kv_lora_rank and the head dimensions");
  }
  if (model.kind == data::ModelKind::other) {
    throw InputError("", "model", model.id, "this version simulates decoder LLMs and encoders");
  }
  if (model.layers < 1 || model.hidden < 1 || model.heads < 1 || model.kv_heads < 1 || model.head_dim < 1 ||
      model.intermediate < 1 || (model.mlp_matrices != 2 && model.mlp_matrices != 3)) {
    throw InputError("", "model", model.id,
                     "needs layers, hidden, heads, kv_heads, head_dim and intermediate >= 1 and 2 or 3 MLP matrices");
  }
}

void require_divisible(const data::Model& model, int ranks) {
  const auto fits = [&](int degree) {
    return model.heads % degree == 0 && (model.kv_heads % degree == 0 || degree % model.kv_heads == 0);
  };
  if (ranks >= 1 && fits(ranks)) return;
  std::string allowed = "expected a tensor-parallel degree that divides the " + std::to_string(model.heads) +
                        " heads of " + model.id + ":";
  for (int degree = 1; degree <= std::min(model.heads, 64); ++degree) {
    if (fits(degree)) allowed += " " + std::to_string(degree);
  }
  throw InputError("", "tensor_parallel", std::to_string(ranks), allowed);
}

void require_stages(const data::Model& model, int stages) {
  if (stages >= 1 && stages <= model.layers && (stages == 1 || model.kind == data::ModelKind::llm)) return;
  throw InputError("", "pipeline_parallel", std::to_string(stages),
                   "expected a number of stages from 1 to the " + std::to_string(model.layers) + " layers of " +
                       model.id + ", a language model");
}

void require_groups(const data::Model& model, int groups) {
  if (groups == 1 || (groups > 1 && model.experts.count > 0 && model.experts.count % groups == 0)) return;
  std::string allowed = model.id + " has no experts to divide; expected 1";
  if (model.experts.count > 0) {
    allowed = "expected a divisor of the " + std::to_string(model.experts.count) + " experts of " + model.id + ":";
    for (int degree = 1; degree <= model.experts.count; ++degree) {
      if (model.experts.count % degree == 0) allowed += " " + std::to_string(degree);
    }
  }
  throw InputError("", "expert_parallel", std::to_string(groups), allowed);
}

Operator elementwise(OperatorKind kind, std::string_view name, double count, std::int64_t rows, std::int64_t width,
                     double moved_per_row, double element_bytes) {
  Operator op;
  op.kind = kind;
  op.name = name;
  op.count = count;
  op.m = rows;
  op.n = width;
  op.bytes = static_cast<double>(rows) * moved_per_row * element_bytes;
  return op;
}

/// Sum of min(past + x, window) over the new tokens, each sees itself half (as causal_pairs).
double window_causal_pairs(double new_tokens, double past, double window) {
  const double growing = std::clamp(window - past, 0.0, new_tokens);
  return causal_pairs(growing, past) + (new_tokens - growing) * window;
}

double product(const Linear& linear) { return static_cast<double>(linear.n) * static_cast<double>(linear.k); }

double parameters_of(std::span<const Linear> linears) {
  double parameters = 0;
  for (const Linear& linear : linears) parameters += product(linear);
  return parameters;
}

}  // namespace

std::int64_t window_pairs(std::int64_t new_tokens, std::int64_t past_tokens, std::int64_t window) {
  const std::int64_t growing = std::clamp<std::int64_t>(window - past_tokens, 0, new_tokens);
  return growing * past_tokens + growing * (growing + 1) / 2 + (new_tokens - growing) * window;
}

ShardedModel::ShardedModel(const data::Model& model, const ModelPrecisions& precisions, const Sharding& sharding)
    : encoder_(model.kind == data::ModelKind::encoder),
      sharding_(sharding),
      hidden_(model.hidden),
      head_dim_(model.head_dim),
      vocabulary_(model.vocabulary),
      positions_(model.max_positions),
      mlp_matrices_(model.mlp_matrices),
      tied_embeddings_(model.tied_embeddings),
      precisions_(precisions) {
  require_known(model);
  require_divisible(model, sharding.tensor);
  require_stages(model, sharding.pipeline);
  require_groups(model, sharding.expert);
  if (model.attention == "mla") latent_ = model.latent;
  heads_ = model.heads / sharding.tensor;
  kv_heads_ = std::max(1, model.kv_heads / sharding.tensor);
  intermediate_ = divide_up(model.intermediate, sharding.tensor);
  divide_layers(model);
  if (model.experts.count > 0) {
    experts_.emplace(model.experts, sharding.expert_skew, sharding.expert);
    active_experts_ = model.experts.active;
    expert_intermediate_ = divide_up(model.experts.intermediate, sharding.tensor);
    shared_intermediate_ = divide_up(model.experts.shared_intermediate, sharding.tensor);
  }
  list_linears(model);
}

/// The stage with the most layers, with experts rather than without: they take more memory, and more time in decodes.
/// Of layers with and without a window each stage has its part, the ones without rounded up.
void ShardedModel::divide_layers(const data::Model& model) {
  layers_ = divide_up(model.layers, sharding_.pipeline);
  if (model.experts.count > 0) expert_layers_ = std::min(layers_, model.layers - model.experts.dense_layers);
  if (model.sliding_layers > 0) {
    const int without = divide_up(model.layers - model.sliding_layers, sharding_.pipeline);
    window_layers_ = layers_ - std::min(layers_, without);
    window_ = model.sliding_window;
  }
}

void ShardedModel::list_linears(const data::Model& model) {
  std::vector<Linear> attention;
  if (is_latent()) {
    const std::int64_t query = heads_ * (latent_.nope_dim + latent_.rope_dim);
    if (latent_.query_rank > 0) attention.push_back({"q-down", latent_.query_rank, hidden_});
    attention.push_back({"q-up", query, latent_.query_rank > 0 ? latent_.query_rank : hidden_});
    attention.push_back({"kv-down", latent_.kv_rank + latent_.rope_dim, hidden_});
    // In prompts this unfolds keys and values; in decodes its two halves fold queries in and values out: the same
    // operations and weights.
    attention.push_back({"kv-up", heads_ * (latent_.nope_dim + latent_.value_dim), latent_.kv_rank});
    attention.push_back({"o", hidden_, heads_ * latent_.value_dim});
    rotated_ = heads_ * latent_.rope_dim + latent_.kv_rank + latent_.rope_dim;
  } else {
    rotated_ = (heads_ + 2 * kv_heads_) * head_dim_;
    attention = {{"qkv", rotated_, hidden_}, {"o", hidden_, heads_ * head_dim_}};
  }
  const bool gated = mlp_matrices_ == 3;
  const auto mlp = [&](std::string_view up, std::string_view down, std::int64_t inner) {
    return std::vector<Linear>{{up, (gated ? 2 : 1) * inner, hidden_}, {down, hidden_, inner}};
  };
  dense_ = beside_experts_ = attention;
  const auto add = [](std::vector<Linear>& to, const std::vector<Linear>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  add(dense_, mlp(gated ? "gate-up" : "up", "down", intermediate_));
  if (!has_experts()) return;
  beside_experts_.push_back({"router", model.experts.count, hidden_, true});
  if (shared_intermediate_ > 0) add(beside_experts_, mlp("shared-gate-up", "shared-down", shared_intermediate_));
  of_expert_ = mlp("expert-gate-up", "expert-down", expert_intermediate_);
}

std::vector<Operator> ShardedModel::token_operators(std::int64_t tokens, LayerKind kind) const {
  std::vector<Operator> operators;
  if (tokens <= 0) return operators;
  for (const Linear& linear : linears(kind)) {
    operators.push_back(linear.wide
                            ? make_gemm(linear.name, tokens, linear.n, linear.k, precisions_.head, precisions_.head)
                            : make_gemm(linear.name, tokens, linear.n, linear.k, precisions_.weights,
                                        precisions_.activations, sharding_.sparse));
  }
  // 10 h + (3 I + 2 (H + 2 K) d) / ranks elements a token move between the GEMMs: norms read and write a row, residuals
  // read two and write one, the activation reads gate and up, the rotation reads and writes q, k and v.
  const double element = activation_bytes(precisions_.activations);
  const std::int64_t inner = kind == LayerKind::dense ? intermediate_ : shared_intermediate_;
  const double h = static_cast<double>(hidden_), width = static_cast<double>(inner);
  operators.push_back(elementwise(OperatorKind::norm, "norm", 2, tokens, hidden_, 2 * h, element));
  operators.push_back(elementwise(OperatorKind::residual, "residual", 2, tokens, hidden_, 3 * h, element));
  if (inner > 0) {
    operators.push_back(elementwise(OperatorKind::activation, "activation", 1, tokens, inner,
                                    (mlp_matrices_ == 3 ? 3 : 2) * width, element));
  }
  Operator rope =
      elementwise(OperatorKind::rope, "rope", 1, tokens, rotated_, 2 * static_cast<double>(rotated_), element);
  rope.heads = heads_;
  rope.kv_heads = kv_heads_;
  rope.head_dim = head_dim_;
  operators.push_back(rope);
  if (!sharding_.fused) add_passes(operators, tokens, inner);
  if (sharding_.tensor > 1) {
    operators.push_back(elementwise(OperatorKind::all_reduce, "all-reduce", 2, tokens, hidden_, h, element));
  }
  return operators;
}

/// What single tensor operations move beyond the one pass of a fused kernel, in elements of 16 bits (twice as many in
/// FP32). A norm: to FP32, square, mean, (root), scale, back, weight: 18 elements instead of 2, in 7 kernels. Rotation
/// of queries and of keys: x cos, turned halves (2 kernels), x sin, sum: 10 elements instead of 2, in 5 kernels.
/// Gate: the activation is written and read once more.
void ShardedModel::add_passes(std::vector<Operator>& operators, std::int64_t tokens, std::int64_t inner) const {
  const double element = activation_bytes(precisions_.activations);
  constexpr double kNorms = 2, kNormKernels = 6, kNormElements = 16;
  constexpr double kRopeKernels = 9, kRopeElements = 8;
  const double h = static_cast<double>(hidden_);
  operators.push_back(elementwise(OperatorKind::elementwise, "norm-passes", kNorms * kNormKernels, tokens, hidden_,
                                  kNormElements / kNormKernels * h, element));
  const std::int64_t turned =
      is_latent() ? (heads_ + 1) * latent_.rope_dim : (heads_ + kv_heads_) * head_dim_;  // queries and keys
  operators.push_back(elementwise(OperatorKind::elementwise, "rope-passes", kRopeKernels, tokens, turned,
                                  kRopeElements / kRopeKernels * static_cast<double>(turned), element));
  if (inner > 0) {
    operators.push_back(elementwise(OperatorKind::elementwise, "activation-passes", 1, tokens, inner,
                                    2 * static_cast<double>(inner), element));
  }
}

std::vector<Operator> ShardedModel::expert_operators(std::int64_t tokens) const {
  std::vector<Operator> operators;
  if (tokens <= 0 || !has_experts()) return operators;
  const double all = static_cast<double>(tokens), pairs = experts_->pairs(all), distinct = experts_->distinct(all);
  const double element = activation_bytes(precisions_.activations), h = static_cast<double>(hidden_);
  for (const Linear& linear : of_expert_) {
    operators.push_back(make_grouped_gemm(linear.name, pairs, distinct, linear.n, linear.k, precisions_.weights,
                                          precisions_.activations, sharding_.sparse));
  }
  // Kernels of experts find their rows by index; the results, one row a pair, are read again and added up.
  const double own = all / sharding_.expert;
  const auto pass = [&](std::string_view name, std::int64_t width, double elements) {
    Operator op = elementwise(OperatorKind::elementwise, name, 1, 1, width, elements, element);
    op.m = static_cast<std::int64_t>(pairs + 0.5);
    operators.push_back(op);
  };
  pass("expert-activation", expert_intermediate_,
       (mlp_matrices_ == 3 ? 3 : 2) * pairs * static_cast<double>(expert_intermediate_));
  pass("expert-combine", hidden_, (pairs + own) * h);
  if (sharding_.expert > 1) {
    // Each tensor rank carries its part of a token's row to every group that has one of its experts, and the results
    // back; the group that receives most is waited for.
    const double mean = all * active_experts_ / sharding_.expert;
    const double sent = own * experts_->groups_of_token() * (pairs / mean) * h / sharding_.tensor;
    for (const auto& [name, bytes] :
         {std::pair<std::string_view, double>{"dispatch", data::bytes_per_element(precisions_.activations)},
          {"return", element}}) {
      Operator op = elementwise(OperatorKind::all_to_all, name, 1, 1, hidden_, sent, bytes);
      op.m = static_cast<std::int64_t>(own + 0.5);
      operators.push_back(op);
    }
  }
  return operators;
}

Operator ShardedModel::prefill_attention(std::int64_t new_tokens, std::int64_t past_tokens, bool windowed) const {
  Operator op;
  op.kind = is_latent() ? OperatorKind::latent_prefill : OperatorKind::attention_prefill;
  op.name = "attention-prefill";
  op.q_tokens = new_tokens;
  op.past_tokens = past_tokens;
  op.heads = heads_;
  op.kv_heads = kv_heads_;
  op.head_dim = head_dim_;
  const double q = static_cast<double>(new_tokens), past = static_cast<double>(past_tokens);
  const double window = static_cast<double>(window_), heads = static_cast<double>(heads_);
  const double pairs = encoder_   ? q * (past + q)
                       : windowed ? window_causal_pairs(q, past, window)
                                  : causal_pairs(q, past);
  const double element = activation_bytes(precisions_.activations),
               kv_element = data::bytes_per_element(precisions_.kv);
  if (is_latent()) {
    const double unfolded = heads * (latent_.nope_dim + latent_.value_dim);
    const double read = latent_.kv_rank + latent_.rope_dim, across = heads * (latent_.nope_dim + latent_.rope_dim);
    op.flops = 2 * (across + heads * latent_.value_dim) * pairs + 2 * past * latent_.kv_rank * unfolded;
    op.bytes = q * (across + heads * latent_.value_dim) * element + past * read * kv_element +
               2 * (past + q) * unfolded * element;
    return op;
  }
  const double width = static_cast<double>(heads_ * head_dim_), kv_width = static_cast<double>(kv_heads_ * head_dim_);
  const double seen = windowed ? std::min(past, window) : past;
  op.flops = 4 * width * pairs;
  op.bytes = 2 * q * width * element + 2 * (seen + q) * kv_width * kv_element;
  return op;
}

Operator ShardedModel::decode_attention(std::int64_t batch, std::int64_t context_tokens, bool windowed) const {
  Operator op;
  op.kind = is_latent() ? OperatorKind::latent_decode : OperatorKind::attention_decode;
  op.name = "attention-decode";
  op.batch = batch;
  op.context_tokens = windowed ? std::min(context_tokens, batch * window_) : context_tokens;
  op.heads = heads_;
  op.kv_heads = kv_heads_;
  op.head_dim = head_dim_;
  const double context = static_cast<double>(op.context_tokens);
  if (is_latent()) {
    const double rank = latent_.kv_rank, rope = latent_.rope_dim, heads = static_cast<double>(heads_);
    op.flops = 2 * heads * (2 * rank + rope) * context;
    // Folded queries and results are written by one kernel and read by the next.
    op.bytes = (rank + rope) * data::bytes_per_element(precisions_.kv) * context +
               2 * static_cast<double>(batch) * heads * (2 * rank + rope) * activation_bytes(precisions_.activations);
    return op;
  }
  op.flops = 4 * static_cast<double>(heads_ * head_dim_) * context;
  op.bytes = 2 * static_cast<double>(kv_heads_ * head_dim_) * data::bytes_per_element(precisions_.kv) * context;
  return op;
}

Operator ShardedModel::head(std::int64_t sequences) const {
  if (encoder_) throw std::logic_error("an encoder has no vocabulary projection");
  return make_gemm("head", sequences, divide_up(vocabulary_, static_cast<std::int64_t>(sharding_.tensor)), hidden_,
                   precisions_.head, precisions_.head);
}

Operator ShardedModel::stage_send(std::int64_t tokens) const {
  return elementwise(OperatorKind::send, "stage-send", 1, tokens, hidden_, static_cast<double>(hidden_),
                     activation_bytes(precisions_.activations));
}

double ShardedModel::layer_parameters(LayerKind kind) const { return parameters_of(linears(kind)); }

double ShardedModel::expert_parameters() const { return parameters_of(of_expert_); }

double ShardedModel::active_parameters() const {
  return layers(LayerKind::dense) * layer_parameters() +
         expert_layers_ * (layer_parameters(LayerKind::experts) + active_experts_ * expert_parameters());
}

double ShardedModel::head_parameters() const {
  if (encoder_) return 0;
  return static_cast<double>(divide_up(vocabulary_, static_cast<std::int64_t>(sharding_.tensor))) *
         static_cast<double>(hidden_);
}

double ShardedModel::embedding_parameters() const {
  const std::int64_t rows = vocabulary_ + (encoder_ ? positions_ : 0);
  return static_cast<double>(divide_up(rows, static_cast<std::int64_t>(sharding_.tensor))) *
         static_cast<double>(hidden_);
}

/// Matrices of one layer without its experts.
double ShardedModel::layer_weight_bytes(LayerKind kind) const {
  double bytes = 0;
  for (const Linear& linear : linears(kind)) {
    bytes += product(linear) * (linear.wide ? weight_bytes_per_parameter(precisions_.head) : parameter_bytes());
  }
  return bytes;
}

double ShardedModel::weight_bytes() const {
  const double norms = 2 * static_cast<double>(hidden_) * activation_bytes(precisions_.activations);
  double layers = layers_ * norms + this->layers(LayerKind::dense) * layer_weight_bytes(LayerKind::dense);
  if (has_experts()) {
    const double experts = experts_->experts_of_group() * expert_weight_bytes();
    layers += expert_layers_ * (layer_weight_bytes(LayerKind::experts) + experts);
  }
  // The first stage holds the embeddings, the last the projection; the widest stage may be either.
  const double head = tied_embeddings_ ? 0 : head_parameters();
  const double tables =
      sharding_.pipeline > 1 ? std::max(embedding_parameters(), head_parameters()) : embedding_parameters() + head;
  return layers + tables * weight_bytes_per_parameter(precisions_.head);
}

double ShardedModel::step_weight_bytes() const {
  double bytes = layers(LayerKind::dense) * layer_weight_bytes(LayerKind::dense);
  if (has_experts()) bytes += expert_layers_ * layer_weight_bytes(LayerKind::experts);
  return bytes;
}

double ShardedModel::expert_weight_bytes() const { return expert_parameters() * parameter_bytes(); }

double ShardedModel::kv_bytes_per_layer() const {
  if (encoder_) return 0;
  const double element = data::bytes_per_element(precisions_.kv);
  if (is_latent()) return static_cast<double>(latent_.kv_rank + latent_.rope_dim) * element;
  return 2.0 * static_cast<double>(kv_heads_ * head_dim_) * element;
}

double ShardedModel::kv_bytes_per_token() const { return layers_ * kv_bytes_per_layer(); }

double ShardedModel::window_kv_bytes_per_token() const { return window_layers_ * kv_bytes_per_layer(); }

}  // namespace weir::sim
