#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "data/progress.h"
#include "kernels/device.h"
#include "probes/bench_run.h"
#include "probes/grid.h"
#include "probes/memory_stream.h"

namespace weir::probes {

/// Sequences of one call, with the memory behind AttentionBatch's spans.
struct SequenceBatch {
  std::vector<std::int32_t> q_tokens, context_tokens, block_table;
  std::vector<std::int32_t> sequence, position;  ///< of each new token
  std::int64_t blocks_per_sequence = 0;

  std::int64_t tokens() const { return static_cast<std::int64_t>(sequence.size()); }
  kernels::AttentionBatch view() const { return {q_tokens, context_tokens, block_table, blocks_per_sequence}; }
};

/// `batch` sequences with q_tokens new tokens each after past_tokens; their blocks are dealt from block_order in turn.
SequenceBatch make_sequences(std::int64_t batch, std::int64_t q_tokens, std::int64_t past_tokens,
                             std::int64_t block_tokens, const std::vector<std::int32_t>& block_order);

/// Bytes that measuring `points` takes: weights, activations, KV cache, host copy, flush buffer.
double bytes_needed(const GridPlan& plan, double stream_bytes);

/// The operands of all points on the device, made once, filled with random values, and the operations over them.
class Workbench {
 public:
  /// Throws kernels::DeviceError when the memory does not suffice.
  Workbench(kernels::Device& device, const GridPlan& plan, std::size_t stream_bytes, int threads,
            const data::Progress& progress);

  /// The operation of a point. It lives no longer than the workbench.
  Operation operation(const Point& point);
  MemoryStream& stream() { return stream_; }

 private:
  void pack_weights(const GridPlan& plan, const data::Progress& progress);
  void allocate_buffers(const GridPlan& plan);
  void fill_kv_cache();
  kernels::BufferPtr random_buffer(std::size_t floats, float deviation);
  const kernels::PackedWeights& weights(const Point& gemm) const;
  Operation gemm_operation(const Point& point);
  Operation attention_operation(const Point& point);
  Operation row_operation(const Point& point);
  Operation layer_operation(const Point& point);
  void flush_caches();
  void run_layer(const Point& point, const SequenceBatch& sequences);

  kernels::Device& device_;
  LayerShape layer_;
  MemoryStream stream_;
  std::map<std::tuple<data::Precision, std::int64_t, std::int64_t>, kernels::PackedWeightsPtr> weights_;
  kernels::BufferPtr input_, output_, residual_, normed_, qkv_, attended_, gated_, activated_, norm_weight_;
  kernels::KvCachePtr kv_;
  std::vector<std::int32_t> block_order_;
  std::vector<float> residual_start_;
};

kernels::DataType data_type_of(data::Precision precision);

}  // namespace weir::probes
