#include "probes/workbench.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "data/errors.h"
#include "probes/machine_files.h"
#include "probes/random_fill.h"

namespace weir::probes {
namespace {

constexpr std::int64_t kBlockTokens = 16;
constexpr float kTheta = 500000.0F, kEpsilon = 1e-5F;  // Llama-3.1's
constexpr float kWeightDeviation = 0.02F;
constexpr std::int64_t kWakeRows = 64;
constexpr std::int64_t kFillTokens = 512;  ///< KV cache is written in steps of so many tokens

using Shape = std::tuple<data::Precision, std::int64_t, std::int64_t>;

/// All points with layers taken apart: what operands must exist.
std::vector<Point> elementary(const GridPlan& plan) {
  std::vector<Point> all;
  for (const Point& point : plan.points) {
    if (!point.held_out()) {
      all.push_back(point);
      continue;
    }
    for (Point& part : parts_of(point, plan.layer)) all.push_back(std::move(part));
  }
  return all;
}

std::set<Shape> weight_shapes(const GridPlan& plan) {
  std::set<Shape> shapes;
  for (const Point& point : elementary(plan)) {
    if (point.op == "gemm") shapes.emplace(point.precision, point.at("n"), point.at("k"));
  }
  return shapes;
}

std::int64_t blocks_for(std::int64_t tokens) { return (tokens + kBlockTokens - 1) / kBlockTokens; }

struct Extents {
  std::int64_t tokens = 1, gemm_input = 1, gemm_output = 1, kv_blocks = 1;
};

Extents extents_of(const GridPlan& plan) {
  Extents extents;
  for (const Point& point : elementary(plan)) {
    std::int64_t tokens = 1, blocks = 1;
    if (point.op == "gemm") {
      tokens = point.at("m");
      extents.gemm_input = std::max(extents.gemm_input, tokens * point.at("k"));
      extents.gemm_output = std::max(extents.gemm_output, tokens * point.at("n"));
    } else if (point.op == "attention_prefill") {
      tokens = point.at("batch") * point.at("q_tokens");
      blocks = point.at("batch") * blocks_for(point.at("q_tokens") + point.at("past_tokens"));
    } else if (point.op == "attention_decode") {
      tokens = point.at("batch");
      blocks = tokens * blocks_for(point.at("context_tokens"));
    } else {
      tokens = point.at("tokens");
      blocks = blocks_for(tokens);
      extents.gemm_input = std::max(extents.gemm_input, tokens * plan.layer.hidden);  // norm reads it too
    }
    extents.tokens = std::max(extents.tokens, tokens);
    extents.kv_blocks = std::max(extents.kv_blocks, blocks);
  }
  return extents;
}

std::size_t floats_of(std::int64_t count) { return static_cast<std::size_t>(count); }

double largest_weights(const GridPlan& plan) {
  double largest = 0;
  for (const auto& [precision, n, k] : weight_shapes(plan)) {
    largest = std::max(largest, static_cast<double>(n) * static_cast<double>(k));
  }
  return largest;
}

void report(const data::Progress& progress, double fraction, const std::string& what) {
  if (progress && !progress(fraction, what)) throw data::Cancelled();
}

}  // namespace

kernels::DataType data_type_of(data::Precision precision) {
  switch (precision) {
    case data::Precision::fp32:
      return kernels::DataType::fp32;
    case data::Precision::bf16:
      return kernels::DataType::bf16;
    case data::Precision::int8:
      return kernels::DataType::int8;
    default:
      throw std::logic_error("no kernel of this precision");
  }
}

SequenceBatch make_sequences(std::int64_t batch, std::int64_t q_tokens, std::int64_t past_tokens,
                             std::int64_t block_tokens, const std::vector<std::int32_t>& block_order) {
  SequenceBatch result;
  const std::int64_t context = q_tokens + past_tokens;
  result.blocks_per_sequence = (context + block_tokens - 1) / block_tokens;
  result.q_tokens.assign(floats_of(batch), static_cast<std::int32_t>(q_tokens));
  result.context_tokens.assign(floats_of(batch), static_cast<std::int32_t>(context));
  const std::size_t blocks = floats_of(batch * result.blocks_per_sequence);
  if (blocks > block_order.size()) throw std::logic_error("KV cache too small for the point");
  result.block_table.assign(block_order.begin(), block_order.begin() + static_cast<std::ptrdiff_t>(blocks));
  for (std::int64_t s = 0; s < batch; ++s) {
    for (std::int64_t t = 0; t < q_tokens; ++t) {
      result.sequence.push_back(static_cast<std::int32_t>(s));
      result.position.push_back(static_cast<std::int32_t>(past_tokens + t));
    }
  }
  return result;
}

double bytes_needed(const GridPlan& plan, double stream_bytes) {
  const Extents extents = extents_of(plan);
  double packed = 0;
  for (const auto& [precision, n, k] : weight_shapes(plan)) {
    packed += static_cast<double>(n) * static_cast<double>(k) * data::bytes_per_element(precision);
  }
  const LayerShape& layer = plan.layer;
  const auto row = static_cast<double>(3 * layer.hidden + layer.qkv_width() + layer.q_width() + 3 * layer.intermediate);
  const double activations =
      4 * (row * static_cast<double>(extents.tokens) + static_cast<double>(extents.gemm_input + extents.gemm_output));
  const double kv = 4.0 * static_cast<double>(extents.kv_blocks * kBlockTokens * layer.kv_heads * layer.head_dim);
  return packed + 4 * largest_weights(plan) + activations + kv + stream_bytes;
}

Workbench::Workbench(kernels::Device& device, const GridPlan& plan, std::size_t stream_bytes, int threads,
                     const data::Progress& progress)
    : device_(device), layer_(plan.layer), stream_(stream_bytes, threads) {
  pack_weights(plan, progress);
  allocate_buffers(plan);
  fill_kv_cache();
}

void Workbench::pack_weights(const GridPlan& plan, const data::Progress& progress) {
  std::vector<float> source(static_cast<std::size_t>(largest_weights(plan)));
  report(progress, 0.0, "random weights");
  fill_random(source, kWeightDeviation, plan.seed);
  const std::set<Shape> shapes = weight_shapes(plan);
  double done = 0;
  for (const Shape& shape : shapes) {
    const auto& [precision, n, k] = shape;
    report(progress, 0.1 * done / static_cast<double>(shapes.size()), "packing " + std::string(to_string(precision)));
    weights_[shape] = device_.pack_weights(data_type_of(precision), n, k, std::span(source).first(floats_of(n * k)));
    done += 1;
  }
}

kernels::BufferPtr Workbench::random_buffer(std::size_t floats, float deviation) {
  std::vector<float> values(floats);
  fill_random(values, deviation, floats);
  kernels::BufferPtr buffer = device_.allocate(floats * sizeof(float));
  device_.upload(*buffer, std::as_bytes(std::span(values)));
  return buffer;
}

void Workbench::allocate_buffers(const GridPlan& plan) {
  const Extents extents = extents_of(plan);
  const std::int64_t tokens = std::max(extents.tokens, kFillTokens);
  input_ = random_buffer(floats_of(extents.gemm_input), 1.0F);
  output_ = random_buffer(floats_of(extents.gemm_output), 1.0F);
  residual_start_.resize(floats_of(extents.tokens * layer_.hidden));
  fill_random(residual_start_, 1.0F, plan.seed + 1);
  residual_ = random_buffer(residual_start_.size(), 1.0F);
  normed_ = random_buffer(floats_of(tokens * layer_.hidden), 1.0F);
  qkv_ = random_buffer(floats_of(tokens * layer_.qkv_width()), 1.0F);
  attended_ = random_buffer(floats_of(tokens * layer_.q_width()), 1.0F);
  gated_ = random_buffer(floats_of(tokens * 2 * layer_.intermediate), 1.0F);
  activated_ = random_buffer(floats_of(tokens * layer_.intermediate), 1.0F);
  norm_weight_ = random_buffer(floats_of(layer_.hidden), 1.0F);
  kv_ = device_.allocate_kv({layer_.kv_heads, layer_.head_dim, kBlockTokens, extents.kv_blocks});
  // A cache in use hands out its blocks in no order.
  for (std::int64_t b = 0; b < extents.kv_blocks; ++b) block_order_.push_back(static_cast<std::int32_t>(b));
  Random random(plan.seed + 2);
  shuffle(block_order_, random);
}

void Workbench::fill_kv_cache() {
  // One query head a KV head is enough: only K and V stay.
  const std::size_t width = floats_of(3 * layer_.kv_heads * layer_.head_dim);
  kernels::BufferPtr rows = random_buffer(floats_of(kFillTokens) * width, 1.0F);
  const std::int64_t all = kv_->shape().blocks * kBlockTokens;
  SequenceBatch whole;
  whole.blocks_per_sequence = kv_->shape().blocks;
  whole.block_table = block_order_;
  for (std::int64_t from = 0; from < all; from += kFillTokens) {
    const std::int64_t count = std::min(kFillTokens, all - from);
    whole.q_tokens = {static_cast<std::int32_t>(count)};
    whole.context_tokens = {static_cast<std::int32_t>(from + count)};
    whole.sequence.assign(floats_of(count), 0);
    whole.position.clear();
    for (std::int64_t t = 0; t < count; ++t) whole.position.push_back(static_cast<std::int32_t>(from + t));
    device_.rope_append_kv(*rows, *kv_, count, layer_.kv_heads, whole.sequence, whole.position, whole.view(), kTheta);
  }
}

const kernels::PackedWeights& Workbench::weights(const Point& gemm) const {
  return *weights_.at({gemm.precision, gemm.at("n"), gemm.at("k")});
}

Operation Workbench::operation(const Point& point) {
  Operation operation;
  if (point.op == "gemm") {
    operation = gemm_operation(point);
  } else if (point.op == "attention_prefill" || point.op == "attention_decode") {
    operation = attention_operation(point);
  } else if (point.op == "layer") {
    operation = layer_operation(point);
  } else {
    operation = row_operation(point);
  }
  operation.name = name_of(point);
  return operation;
}

void Workbench::flush_caches() {
  stream_.pass();
  // Meanwhile the device's threads have gone to sleep; in serving the kernel before keeps them awake. So does this one.
  const auto rows = static_cast<std::int64_t>(input_->bytes() / sizeof(float)) / layer_.hidden;
  device_.rms_norm(*input_, *norm_weight_, *normed_, std::min(kWakeRows, rows), layer_.hidden, kEpsilon);
}

Operation Workbench::gemm_operation(const Point& point) {
  const kernels::PackedWeights& w = weights(point);
  const std::int64_t m = point.at("m");
  return {"", [this, &w, m] { device_.gemm(*input_, w, *output_, m); }, [this] { flush_caches(); }, true};
}

Operation Workbench::attention_operation(const Point& point) {
  const bool decode = point.op == "attention_decode";
  const std::int64_t q_tokens = decode ? 1 : point.at("q_tokens");
  const std::int64_t past_tokens = decode ? point.at("context_tokens") - 1 : point.at("past_tokens");
  const auto sequences = std::make_shared<SequenceBatch>(
      make_sequences(point.at("batch"), q_tokens, past_tokens, kBlockTokens, block_order_));
  auto execute = [this, sequences, decode] {
    if (decode) {
      device_.attention_decode(*qkv_, *kv_, *attended_, layer_.heads, sequences->view());
    } else {
      device_.attention_prefill(*qkv_, *kv_, *attended_, layer_.heads, sequences->view());
    }
  };
  return {"", execute, [this] { flush_caches(); }, true};
}

/// Row by row operations find their input in the cache, where the kernel before left it: no flush.
Operation Workbench::row_operation(const Point& point) {
  const std::int64_t tokens = point.at("tokens");
  if (point.op == "norm") {
    return {"",
            [this, tokens] { device_.rms_norm(*input_, *norm_weight_, *normed_, tokens, layer_.hidden, kEpsilon); },
            {},
            false};
  }
  if (point.op == "activation") {
    return {"", [this, tokens] { device_.silu_mul(*gated_, *activated_, tokens, layer_.intermediate); }, {}, false};
  }
  if (point.op != "rope") throw std::logic_error("unknown operation " + point.op);
  const auto sequences = std::make_shared<SequenceBatch>(make_sequences(1, tokens, 0, kBlockTokens, block_order_));
  return {"",
          [this, sequences, tokens] {
            device_.rope_append_kv(*qkv_, *kv_, tokens, layer_.heads, sequences->sequence, sequences->position,
                                   sequences->view(), kTheta);
          },
          {},
          false};
}

Operation Workbench::layer_operation(const Point& point) {
  const std::int64_t batch = point.at("batch"), each = point.at("tokens") / batch;
  const auto sequences = std::make_shared<SequenceBatch>(
      make_sequences(batch, each, point.at("context_tokens") - each, kBlockTokens, block_order_));
  return {"", [this, point, sequences] { run_layer(point, *sequences); },
          [this] {
            device_.upload(*residual_, std::as_bytes(std::span(residual_start_)));
            flush_caches();
          },
          true};
}

void Workbench::run_layer(const Point& point, const SequenceBatch& sequences) {
  const std::int64_t m = sequences.tokens();
  const auto w = [&](std::int64_t n, std::int64_t k) -> const kernels::PackedWeights& {
    return *weights_.at({point.precision, n, k});
  };
  device_.rms_norm(*residual_, *norm_weight_, *normed_, m, layer_.hidden, kEpsilon);
  device_.gemm(*normed_, w(layer_.qkv_width(), layer_.hidden), *qkv_, m);
  device_.rope_append_kv(*qkv_, *kv_, m, layer_.heads, sequences.sequence, sequences.position, sequences.view(),
                         kTheta);
  if (point.at("phase") == 0) {
    device_.attention_prefill(*qkv_, *kv_, *attended_, layer_.heads, sequences.view());
  } else {
    device_.attention_decode(*qkv_, *kv_, *attended_, layer_.heads, sequences.view());
  }
  device_.gemm(*attended_, w(layer_.hidden, layer_.q_width()), *normed_, m);
  device_.add(*residual_, *normed_, m * layer_.hidden);
  device_.rms_norm(*residual_, *norm_weight_, *normed_, m, layer_.hidden, kEpsilon);
  device_.gemm(*normed_, w(2 * layer_.intermediate, layer_.hidden), *gated_, m);
  device_.silu_mul(*gated_, *activated_, m, layer_.intermediate);
  device_.gemm(*activated_, w(layer_.hidden, layer_.intermediate), *normed_, m);
  device_.add(*residual_, *normed_, m * layer_.hidden);
}

}  // namespace weir::probes
