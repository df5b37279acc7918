#include "sim/model/sharded_model.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "data/errors.h"

namespace weir::sim {
namespace {

using data::InputError;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void require_dense(const data::Model& model) {
  if (model.mixture_of_experts) {
    throw InputError("", "model", model.id,
                     "mixtures of experts are not simulated in this version; take a dense model");
  }
  if (model.attention == "mla") {
    throw InputError("", "model", model.id, "latent attention (MLA) is not simulated in this version");
  }
  if (model.kind == data::ModelKind::other) {
    throw InputError("", "model", model.id, "this version simulates dense decoder LLMs and encoders");
  }
  if (model.layers < 1 || model.hidden < 1 || model.heads < 1 || model.kv_heads < 1 || model.head_dim < 1 ||
      model.intermediate < 1 || (model.mlp_matrices != 2 && model.mlp_matrices != 3)) {
    throw InputError("", "model", model.id,
                     "needs layers, hidden, heads, kv_heads, head_dim and intermediate >= 1 and 2 or 3 MLP matrices");
  }
}

void require_divisible(const data::Model& model, int ranks) {
  const bool kv_fits = model.kv_heads % ranks == 0 || ranks % model.kv_heads == 0;
  if (ranks >= 1 && model.heads % ranks == 0 && kv_fits) return;
  std::string allowed = "expected a tensor-parallel degree that divides the " + std::to_string(model.heads) +
                        " heads of " + model.id + ":";
  for (int degree = 1; degree <= std::min(model.heads, 64); ++degree) {
    const bool fits = model.kv_heads % degree == 0 || degree % model.kv_heads == 0;
    if (model.heads % degree == 0 && fits) allowed += " " + std::to_string(degree);
  }
  throw InputError("", "tensor_parallel", std::to_string(ranks), allowed);
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

}  // namespace

ShardedModel::ShardedModel(const data::Model& model, const ModelPrecisions& precisions, int tensor_parallel)
    : encoder_(model.kind == data::ModelKind::encoder),
      layers_(model.layers),
      tensor_parallel_(tensor_parallel),
      hidden_(model.hidden),
      head_dim_(model.head_dim),
      vocabulary_(model.vocabulary),
      positions_(model.max_positions),
      mlp_matrices_(model.mlp_matrices),
      tied_embeddings_(model.tied_embeddings),
      precisions_(precisions) {
  require_dense(model);
  require_divisible(model, tensor_parallel);
  heads_ = model.heads / tensor_parallel;
  kv_heads_ = std::max(1, model.kv_heads / tensor_parallel);
  intermediate_ = divide_up(model.intermediate, tensor_parallel);
  const bool gated = mlp_matrices_ == 3;
  linears_ = {{"qkv", (heads_ + 2 * kv_heads_) * head_dim_, hidden_},
              {"o", hidden_, heads_ * head_dim_},
              {gated ? "gate-up" : "up", (gated ? 2 : 1) * intermediate_, hidden_},
              {"down", hidden_, intermediate_}};
}

std::vector<Operator> ShardedModel::token_operators(std::int64_t tokens) const {
  std::vector<Operator> operators;
  if (tokens <= 0) return operators;
  for (const Linear& linear : linears_) {
    operators.push_back(
        make_gemm(linear.name, tokens, linear.n, linear.k, precisions_.weights, precisions_.activations));
  }
  // 10 h + (3 I + 2 (H + 2 K) d) / ranks elements a token move between the GEMMs: norms read and write a row, residuals
  // read two and write one, the activation reads gate and up, the rotation reads and writes q, k and v.
  const double element = activation_bytes(precisions_.activations);
  const std::int64_t qkv = linears_.front().n;
  const double h = static_cast<double>(hidden_), inner = static_cast<double>(intermediate_);
  operators.push_back(elementwise(OperatorKind::norm, "norm", 2, tokens, hidden_, 2 * h, element));
  operators.push_back(elementwise(OperatorKind::residual, "residual", 2, tokens, hidden_, 3 * h, element));
  operators.push_back(elementwise(OperatorKind::activation, "activation", 1, tokens, intermediate_,
                                  (mlp_matrices_ == 3 ? 3 : 2) * inner, element));
  Operator rope = elementwise(OperatorKind::rope, "rope", 1, tokens, qkv, 2 * static_cast<double>(qkv), element);
  rope.heads = heads_;
  rope.kv_heads = kv_heads_;
  rope.head_dim = head_dim_;
  operators.push_back(rope);
  if (tensor_parallel_ > 1) {
    operators.push_back(elementwise(OperatorKind::all_reduce, "all-reduce", 2, tokens, hidden_, h, element));
  }
  return operators;
}

Operator ShardedModel::prefill_attention(std::int64_t new_tokens, std::int64_t past_tokens) const {
  Operator op;
  op.kind = OperatorKind::attention_prefill;
  op.name = "attention-prefill";
  op.q_tokens = new_tokens;
  op.past_tokens = past_tokens;
  op.heads = heads_;
  op.kv_heads = kv_heads_;
  op.head_dim = head_dim_;
  const double q = static_cast<double>(new_tokens), past = static_cast<double>(past_tokens);
  const double width = static_cast<double>(heads_ * head_dim_), kv_width = static_cast<double>(kv_heads_ * head_dim_);
  const double pairs = encoder_ ? q * (past + q) : causal_pairs(q, past);
  op.flops = 4 * width * pairs;
  op.bytes = 2 * q * width * activation_bytes(precisions_.activations) +
             2 * (past + q) * kv_width * data::bytes_per_element(precisions_.kv);
  return op;
}

Operator ShardedModel::decode_attention(std::int64_t batch, std::int64_t context_tokens) const {
  Operator op;
  op.kind = OperatorKind::attention_decode;
  op.name = "attention-decode";
  op.batch = batch;
  op.context_tokens = context_tokens;
  op.heads = heads_;
  op.kv_heads = kv_heads_;
  op.head_dim = head_dim_;
  const double context = static_cast<double>(context_tokens);
  op.flops = 4 * static_cast<double>(heads_ * head_dim_) * context;
  op.bytes = 2 * static_cast<double>(kv_heads_ * head_dim_) * data::bytes_per_element(precisions_.kv) * context;
  return op;
}

Operator ShardedModel::head(std::int64_t sequences) const {
  if (encoder_) throw std::logic_error("an encoder has no vocabulary projection");
  return make_gemm("head", sequences, divide_up(vocabulary_, tensor_parallel_), hidden_, precisions_.head,
                   precisions_.head);
}

double ShardedModel::layer_parameters() const {
  double parameters = 0;
  for (const Linear& linear : linears_) parameters += static_cast<double>(linear.n) * static_cast<double>(linear.k);
  return parameters;
}

double ShardedModel::head_parameters() const {
  if (encoder_) return 0;
  return static_cast<double>(divide_up(vocabulary_, tensor_parallel_)) * static_cast<double>(hidden_);
}

double ShardedModel::embedding_parameters() const {
  const std::int64_t rows = vocabulary_ + (encoder_ ? positions_ : 0);
  return static_cast<double>(divide_up(rows, tensor_parallel_)) * static_cast<double>(hidden_);
}

double ShardedModel::weight_bytes() const {
  const double norms = 2 * static_cast<double>(hidden_) * activation_bytes(precisions_.activations);
  const double layer = layer_parameters() * weight_bytes_per_parameter(precisions_.weights) + norms;
  const double tables = embedding_parameters() + (tied_embeddings_ ? 0 : head_parameters());
  return layers_ * layer + tables * weight_bytes_per_parameter(precisions_.head);
}

double ShardedModel::kv_bytes_per_token() const {
  if (encoder_) return 0;
  return 2.0 * layers_ * static_cast<double>(kv_heads_ * head_dim_) * data::bytes_per_element(precisions_.kv);
}

}  // namespace weir::sim
