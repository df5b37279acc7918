#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "sim/model/operators.h"

namespace weir::sim {

/// Precisions a model runs in. `head` is the one of the vocabulary matrices: models with weights below 16 bits keep
/// them in 16 bits.
struct ModelPrecisions {
  data::Precision weights = data::Precision::fp16, activations = data::Precision::fp16, kv = data::Precision::fp16;
  data::Precision head = data::Precision::fp16;
};

/// One matrix of one rank: n outputs, k inputs.
struct Linear {
  std::string_view name;
  std::int64_t n = 0, k = 0;
};

/// A dense transformer as one of `tensor_parallel` ranks runs it: decoder LLMs (grouped-query or multi-head attention,
/// gated or plain MLP) and encoders. Operators and their sizes follow the published description of the architectures;
/// attention costs 4 x heads x head_dim operations for every pair of query and key.
class ShardedModel {
 public:
  /// Throws InputError for models this version does not simulate (mixture of experts, latent attention, other kinds),
  /// for shapes that are not there, and for a degree that does not divide the heads.
  ShardedModel(const data::Model& model, const ModelPrecisions& precisions, int tensor_parallel);

  bool is_encoder() const { return encoder_; }
  int layers() const { return layers_; }
  int tensor_parallel() const { return tensor_parallel_; }
  std::int64_t hidden() const { return hidden_; }
  std::int64_t heads() const { return heads_; }        ///< of this rank
  std::int64_t kv_heads() const { return kv_heads_; }  ///< of this rank, never below 1
  std::int64_t head_dim() const { return head_dim_; }
  const ModelPrecisions& precisions() const { return precisions_; }
  std::span<const Linear> linears() const { return linears_; }  ///< of one layer

  /// What a layer does with `tokens` rows beside attention: GEMMs, elementwise kernels and, with several ranks, two
  /// all-reduces. Empty for no tokens.
  std::vector<Operator> token_operators(std::int64_t tokens) const;
  /// Attention of one sequence's new tokens, one layer. An encoder's tokens see each other in both directions.
  Operator prefill_attention(std::int64_t new_tokens, std::int64_t past_tokens) const;
  /// Attention of `batch` decoding sequences with `context_tokens` tokens in all, one layer.
  Operator decode_attention(std::int64_t batch, std::int64_t context_tokens) const;
  /// Vocabulary projection of `sequences` rows (once an iteration). An encoder has none: std::logic_error.
  Operator head(std::int64_t sequences) const;

  double layer_parameters() const;      ///< matrices of one layer, of this rank
  double head_parameters() const;       ///< vocabulary x hidden / ranks; 0 for an encoder
  double embedding_parameters() const;  ///< tables in memory: tokens (and positions of an encoder), of this rank
  double weight_bytes() const;          ///< all of this rank, embeddings included
  double kv_bytes_per_token() const;    ///< all layers, of this rank; 0 for an encoder

 private:
  bool encoder_ = false;
  int layers_ = 0, tensor_parallel_ = 1;
  std::int64_t hidden_ = 0, heads_ = 0, kv_heads_ = 0, head_dim_ = 0, intermediate_ = 0, vocabulary_ = 0;
  std::int64_t positions_ = 0;
  int mlp_matrices_ = 3;
  bool tied_embeddings_ = false;
  ModelPrecisions precisions_;
  std::vector<Linear> linears_;
};

}  // namespace weir::sim
