#include "data/scenario_compression.h"

#include <algorithm>

#include "data/catalog.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

int pruned(int width, double share) {
  constexpr int kTile = 64;
  if (width == 0) return 0;
  const int left = static_cast<int>(static_cast<double>(width) * (1 - share));
  return std::max(std::min(width, kTile), left / kTile * kTile);
}

Json zero_is_null(int value) { return value == 0 ? Json() : Json(value); }

std::string smaller_model(const JsonReader& reader, const Model& base, const Catalog& catalog) {
  const Model* found = catalog.find_model(reader.text());
  if (found == nullptr) reader.fail("unknown model; " + did_you_mean(reader.text(), catalog.model_ids()));
  if (found->kind != base.kind) reader.fail("expected a model of the same kind as " + base.id);
  if (!(found->parameters < base.parameters)) reader.fail("expected a model smaller than " + base.id);
  return found->id;
}

}  // namespace

Compression read_compression(const ObjectReader& model, const Model& base, const Catalog& catalog) {
  Compression c;
  if (const auto sparsity = model.find("sparsity")) {
    c.sparsity = sparsity->one_of({"none", "2:4", "structured"});
    if (c.sparsity == "2:4" && base.kind != ModelKind::llm) sparsity->fail("2:4 is simulated for language models");
    if (c.sparsity != "none" && base.kind == ModelKind::other) sparsity->fail("expected \"none\" for this model");
  }
  const auto share = model.find("pruned_share");
  if (c.sparsity == "structured") {
    c.pruned_share = model.at("pruned_share").number({0, 0.9, false, true});
  } else if (share) {
    share->fail("null: only sparsity \"structured\" prunes a share");
  }
  const Model* served = &base;
  if (const auto smaller = model.find("distilled_to")) {
    c.distilled_to = smaller_model(*smaller, base, catalog);
    served = catalog.find_model(c.distilled_to);
  }
  if (const auto layers = model.find("layers_kept")) {
    if (served->layers < 1) layers->fail("null: this model has no list of equal layers");
    c.layers_kept = layers->small_integer(1, served->layers);
  }
  if (const auto words = model.find("vocabulary_kept")) {
    if (served->vocabulary < 1) words->fail("null: this model has no vocabulary");
    c.vocabulary_kept = words->small_integer(1, served->vocabulary);
  }
  return c;
}

void write_compression(const Compression& c, Json& model) {
  model["sparsity"] = c.sparsity;
  model["pruned_share"] = c.sparsity == "structured" ? Json(c.pruned_share) : Json();
  model["layers_kept"] = zero_is_null(c.layers_kept);
  model["vocabulary_kept"] = zero_is_null(c.vocabulary_kept);
  model["distilled_to"] = c.distilled_to.empty() ? Json() : Json(c.distilled_to);
}

Model compressed(const Catalog& catalog, const std::string& id, const Compression& c) {
  Model m = catalog.model(c.distilled_to.empty() ? id : c.distilled_to);
  if (c.layers_kept > 0 && c.layers_kept < m.layers) {
    // What is cut is cut evenly; the first layers without experts stay.
    m.sliding_layers = m.sliding_layers * c.layers_kept / m.layers;
    m.experts.dense_layers = std::min(m.experts.dense_layers, c.layers_kept - 1);
    m.layers = c.layers_kept;
  }
  if (c.vocabulary_kept > 0) m.vocabulary = c.vocabulary_kept;
  if (c.sparsity == "structured") {
    m.intermediate = pruned(m.intermediate, c.pruned_share);
    m.experts.intermediate = pruned(m.experts.intermediate, c.pruned_share);
    m.experts.shared_intermediate = pruned(m.experts.shared_intermediate, c.pruned_share);
  }
  return m;
}

}  // namespace weir::data
