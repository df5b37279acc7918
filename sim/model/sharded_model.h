#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "sim/model/experts.h"
#include "sim/model/operators.h"

namespace weir::sim {

/// Precisions a model runs in. `head` is the one of the vocabulary matrices and of routers: models with weights below
/// 16 bits keep them in 16 bits.
struct ModelPrecisions {
  data::Precision weights = data::Precision::fp16, activations = data::Precision::fp16, kv = data::Precision::fp16;
  data::Precision head = data::Precision::fp16;
};

/// How a replica's accelerators divide a model: expert x pipeline x tensor ranks.
struct Sharding {
  int tensor = 1;    ///< ranks that share every matrix
  int pipeline = 1;  ///< stages of whole layers
  /// Groups of `tensor` ranks. The experts are divided over the groups; everything else each group has whole and does
  /// for its own sequences (data parallel).
  int expert = 1;
  double expert_skew = 0;  ///< see ExpertLoad
  bool fused = true;       ///< norms, rotations and activations in one pass each; else as single tensor operations
  bool sparse = false;     ///< the layers' matrices are 2:4 sparse
  int ranks() const { return tensor * pipeline * expert; }
};

/// One matrix of one rank: n outputs, k inputs.
struct Linear {
  std::string_view name;
  std::int64_t n = 0, k = 0;
  bool wide = false;  ///< in the precision of the head (routers)
};

/// The part of a layer behind its attention.
enum class LayerKind { dense, experts };

/// A transformer as one rank runs it, on the stage that has most to do: decoder LLMs (grouped-query, multi-head or
/// latent attention, gated or plain MLP or a mixture of experts, layers with a sliding window) and encoders. Operators
/// and their sizes follow the published description of the architectures; attention costs 4 x heads x head_dim
/// operations for every pair of query and key, latent attention 2 x heads x (key + value width) in prompts and
/// 2 x heads x (2 kv_rank + rope) in decodes.
class ShardedModel {
 public:
  /// Throws InputError for models this version does not simulate (other kinds, mixtures and latent attention without
  /// their shapes), for shapes that are not there, and for degrees that do not divide heads, layers or experts.
  ShardedModel(const data::Model& model, const ModelPrecisions& precisions, const Sharding& sharding);
  ShardedModel(const data::Model& model, const ModelPrecisions& precisions, int tensor_parallel)
      : ShardedModel(model, precisions, Sharding{.tensor = tensor_parallel}) {}

  bool is_encoder() const { return encoder_; }
  bool is_latent() const { return latent_.kv_rank > 0; }
  bool has_experts() const { return experts_.has_value(); }
  int layers() const { return layers_; }  ///< of this rank's stage
  int layers(LayerKind kind) const { return kind == LayerKind::dense ? layers_ - expert_layers_ : expert_layers_; }
  int window_layers() const { return window_layers_; }  ///< of layers(): with a sliding window
  std::int64_t window() const { return window_; }       ///< tokens; 0 = no such layers
  const Sharding& sharding() const { return sharding_; }
  int tensor_parallel() const { return sharding_.tensor; }
  std::int64_t hidden() const { return hidden_; }
  std::int64_t heads() const { return heads_; }        ///< of this rank
  std::int64_t kv_heads() const { return kv_heads_; }  ///< of this rank, never below 1
  std::int64_t head_dim() const { return head_dim_; }
  const ModelPrecisions& precisions() const { return precisions_; }
  const std::optional<ExpertLoad>& experts() const { return experts_; }
  /// Of one layer, without its experts.
  std::span<const Linear> linears(LayerKind kind = LayerKind::dense) const {
    return kind == LayerKind::dense ? dense_ : beside_experts_;
  }
  std::span<const Linear> expert_linears() const { return of_expert_; }  ///< of one expert

  /// What a layer does with `tokens` rows beside attention and experts: GEMMs, elementwise kernels and, with several
  /// tensor ranks, two all-reduces. Empty for no tokens.
  std::vector<Operator> token_operators(std::int64_t tokens, LayerKind kind = LayerKind::dense) const;
  /// The experts of a layer for `tokens` tokens of all groups together, on the busiest group; with several groups the
  /// exchange before and after, in which a token goes once to every rank that has one of its experts. NOTE: libraries
  /// that send it once to every SERVER move about half of that between servers.
  std::vector<Operator> expert_operators(std::int64_t tokens) const;
  /// Attention of one sequence's new tokens, one layer. An encoder's tokens see each other in both directions.
  /// `windowed`: the layer has a sliding window.
  Operator prefill_attention(std::int64_t new_tokens, std::int64_t past_tokens, bool windowed = false) const;
  /// Attention of `batch` decoding sequences with `context_tokens` tokens in all, one layer. A windowed layer takes
  /// them as equally long, which is never less than what unequal ones need.
  Operator decode_attention(std::int64_t batch, std::int64_t context_tokens, bool windowed = false) const;
  /// Vocabulary projection of `sequences` rows (once an iteration). An encoder has none: std::logic_error.
  Operator head(std::int64_t sequences) const;
  /// Hidden states of `tokens` tokens to the next stage.
  Operator stage_send(std::int64_t tokens) const;

  double layer_parameters(LayerKind kind = LayerKind::dense) const;  ///< of this rank, without experts
  double expert_parameters() const;                                  ///< of one expert, of this rank
  double active_parameters() const;          ///< matrices of all layers of this stage that one token passes through
  double head_parameters() const;            ///< vocabulary x hidden / ranks; 0 for an encoder
  double embedding_parameters() const;       ///< tables in memory: tokens (and positions of an encoder), of this rank
  double weight_bytes() const;               ///< all of this rank, embeddings included
  double step_weight_bytes() const;          ///< of the matrices of this rank's layers, experts apart
  double expert_weight_bytes() const;        ///< of one expert of one layer, of this rank
  double kv_bytes_per_token() const;         ///< all layers of this rank; 0 for an encoder
  double window_kv_bytes_per_token() const;  ///< the part of the layers with a window

 private:
  void divide_layers(const data::Model& model);
  void list_linears(const data::Model& model);
  void add_passes(std::vector<Operator>& operators, std::int64_t tokens, std::int64_t inner) const;
  double layer_weight_bytes(LayerKind kind) const;
  double kv_bytes_per_layer() const;
  double parameter_bytes() const { return weight_bytes_per_parameter(precisions_.weights, sharding_.sparse); }

  bool encoder_ = false;
  int layers_ = 0, expert_layers_ = 0, window_layers_ = 0;
  Sharding sharding_;
  std::int64_t hidden_ = 0, heads_ = 0, kv_heads_ = 0, head_dim_ = 0, intermediate_ = 0, vocabulary_ = 0;
  std::int64_t shared_intermediate_ = 0, expert_intermediate_ = 0, window_ = 0, rotated_ = 0;
  std::int64_t positions_ = 0;
  int mlp_matrices_ = 3, active_experts_ = 0;
  bool tied_embeddings_ = false;
  data::LatentShape latent_;
  ModelPrecisions precisions_;
  std::optional<ExpertLoad> experts_;
  std::vector<Linear> dense_, beside_experts_, of_expert_;
};

/// Pairs of a query of a prompt chunk and a key in a window of `window` tokens, the query's own included: the sum of
/// min(past + i + 1, window) over its tokens i.
std::int64_t window_pairs(std::int64_t new_tokens, std::int64_t past_tokens, std::int64_t window);

}  // namespace weir::sim
