#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "data/json_reader.h"

namespace weir::data {

class Catalog;
struct Model;

/// What is taken away from a model before it is served. What that costs in quality is not known here.
struct Compression {
  /// "none"; "2:4": two of every four weights of the layers' matrices, for sparse tensor units; "structured":
  /// `pruned_share` of the inner width of every MLP and expert.
  std::string sparsity = "none";
  double pruned_share = 0;   ///< structured: in (0, 0.9]
  int layers_kept = 0;       ///< of the model's layers; 0 = all
  int vocabulary_kept = 0;   ///< entries of the vocabulary; 0 = all
  std::string distilled_to;  ///< id of the model that is served instead; empty = itself
  bool operator==(const Compression&) const = default;
  bool none() const { return sparsity == "none" && layers_kept == 0 && vocabulary_kept == 0 && distilled_to.empty(); }
};

/// Keys `sparsity`, `pruned_share`, `layers_kept`, `vocabulary_kept` and `distilled_to` of a workload's model `base`.
/// Throws InputError.
Compression read_compression(const ObjectReader& model, const Model& base, const Catalog& catalog);
void write_compression(const Compression& compression, nlohmann::ordered_json& model);

/// The shape that is served in place of `id`: the smaller model if there is one, with the layers, vocabulary and inner
/// widths that are left. Widths are whole multiples of 64, as kernels want them, and never 0. 2:4 sparsity leaves the
/// shape as it is.
Model compressed(const Catalog& catalog, const std::string& id, const Compression& compression);

}  // namespace weir::data
