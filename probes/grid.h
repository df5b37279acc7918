#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "probes/steady_state.h"

namespace weir::probes {

/// A decoder layer with grouped-query attention and a gated MLP.
struct LayerShape {
  std::int64_t hidden = 4096, heads = 32, kv_heads = 8, head_dim = 128, intermediate = 14336;  ///< Llama-3.1-8B
  std::int64_t q_width() const { return heads * head_dim; }
  std::int64_t qkv_width() const { return (heads + 2 * kv_heads) * head_dim; }
};

/// A point of the grid: `op`, keys of `shape` and precision as in data::Sample. Precision of attention and rope: fp16,
/// that of the KV cache; of norm and activation: fp32, that of the activations. (The residual sum is a part of a layer,
/// not a point.)
struct Point {
  std::string op;
  std::map<std::string, double> shape;
  data::Precision precision = data::Precision::fp32;
  int tier = 0;  ///< 0: needed; higher ones refine and are dropped first when time is short
  bool held_out() const { return op == "layer"; }
  std::int64_t at(const char* key) const { return static_cast<std::int64_t>(shape.at(key)); }
};

/// "gemm int8 m=8 n=4096 k=4096"
std::string name_of(const Point& point);

/// Operations and least bytes of one execution: every operand read once, every result written once. Attention counts
/// the causal half only; a layer is the sum of its parts.
double flops_of(const Point& point, const LayerShape& layer);
double bytes_of(const Point& point, const LayerShape& layer);

/// The kernels that a layer point is made of, in order.
std::vector<Point> parts_of(const Point& layer_point, const LayerShape& layer);

/// Everything that is to be measured.
struct GridPlan {
  LayerShape layer;
  std::vector<Point> points;
  double budget_s = 55;
  Protocol protocol;
  double anchor_every_s = 12;
  std::size_t most_stream_bytes = std::size_t{1} << 30;  ///< cap of the buffer that is read to flush the caches
  std::uint64_t seed = 1;
};

/// Quick: Llama-3.1-8B's shapes at few sizes. Full: twice as many, and more samples. In neither is a GEMM at m = 8 or
/// 512, an attention at 512 tokens from nothing, or a decode of 8 sequences at 512: those the held-out layers run.
GridPlan quick_grid();
GridPlan full_grid();

/// Points that fit budget_s by the cost predicted for each: the dearest of the highest tier go first, then those of the
/// tiers below. Held-out points stay unless one alone would take more than a third of the budget.
std::vector<Point> fit_to_budget(std::vector<Point> points, const std::function<double(const Point&)>& cost_s,
                                 double budget_s);

}  // namespace weir::probes
