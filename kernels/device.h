#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::kernels {

/// The device refused: out of memory, a shape or type it cannot do, a fault.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class DataType { fp32, bf16, fp16, int8 };
std::size_t size_of(DataType type);
const char* name_of(DataType type);

/// Instruction level of the CPU back end. `scalar` is portable C++.
enum class IsaLevel { scalar, avx2 };

struct DeviceInfo {
  std::string id, name, kind;  ///< "cpu"
  double memory_bytes = 0;     ///< usable: the smaller of RAM and the cgroup's limit
  int threads = 1;
  std::string isa;  ///< of our own kernels: "avx2"
  std::vector<std::string> cpu_flags;
  std::string libraries;  ///< "oneDNN 2.6.3", or "" when built without
};

/// Memory on the device. Contents are undefined after allocation. Freed with the object.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::size_t bytes() const = 0;
};
using BufferPtr = std::unique_ptr<Buffer>;

/// Weights in the layout the device's GEMM wants; made once per matrix.
class PackedWeights {
 public:
  virtual ~PackedWeights() = default;
  virtual std::int64_t n() const = 0;
  virtual std::int64_t k() const = 0;
  virtual DataType type() const = 0;
  virtual std::size_t bytes() const = 0;  ///< what one GEMM reads of them, scales included
};
using PackedWeightsPtr = std::unique_ptr<PackedWeights>;

/// Paged KV cache of one layer, FP16. Blocks of `block_tokens`; sequence s has its blocks in block_table[s].
/// Layout inside a block is the device's own; written by rope_append_kv, read by the attention calls.
struct KvShape {
  std::int64_t kv_heads = 0, head_dim = 0, block_tokens = 16, blocks = 0;
};
class KvCache {
 public:
  virtual ~KvCache() = default;
  virtual const KvShape& shape() const = 0;
  virtual std::size_t bytes() const = 0;
};
using KvCachePtr = std::unique_ptr<KvCache>;

/// Sequences of an attention call. q_tokens[s] new tokens of sequence s (1 in decode) attend to context_tokens[s]
/// tokens (the new ones included, causal). Blocks of sequence s: block_table[s * blocks_per_sequence ...].
struct AttentionBatch {
  std::span<const std::int32_t> q_tokens, context_tokens, block_table;
  std::int64_t blocks_per_sequence = 0;
};

/// A device that runs the kernels of a transformer. All matrices are row-major; activations are FP32 unless a call says
/// otherwise. Calls return when the work is done. Shapes that don't fit the buffers are a std::invalid_argument.
/// One object is used from one thread.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;

  virtual BufferPtr allocate(std::size_t bytes) = 0;
  virtual void upload(Buffer& to, std::span<const std::byte> from) = 0;
  virtual void download(std::span<std::byte> to, const Buffer& from) = 0;

  /// `weights` is [n, k] FP32 on the host. fp32, bf16: as they are. int8: symmetric, one scale per output row n.
  virtual PackedWeightsPtr pack_weights(DataType type, std::int64_t n, std::int64_t k,
                                        std::span<const float> weights) = 0;
  /// c[m, n] = a[m, k] x w[n, k]^T, FP32 in and out. Inside: fp32; bf16 with FP32 accumulation; int8 (W8A8: rows of a
  /// are quantised on the way, symmetric absmax / 127, rounding to nearest even; exact int32 sums, then scaled in
  /// FP32).
  virtual void gemm(const Buffer& a, const PackedWeights& w, Buffer& c, std::int64_t m) = 0;

  virtual KvCachePtr allocate_kv(const KvShape& shape) = 0;
  /// qkv[t, (heads + 2 kv_heads) x head_dim]: rotates q and k by their positions (RoPE, pairs (i, i + head_dim / 2),
  /// base theta), writes q back and appends k and v (rounded to FP16) at position[t] of sequence[t].
  virtual void rope_append_kv(Buffer& qkv, KvCache& cache, std::int64_t tokens, std::int64_t heads,
                              std::span<const std::int32_t> sequence, std::span<const std::int32_t> position,
                              const AttentionBatch& batch, float theta) = 0;
  /// out[t, heads x head_dim] = softmax(q k^T / sqrt(head_dim)) v over the paged cache, causal. q are the first heads x
  /// head_dim columns of qkv (row stride (heads + 2 kv_heads) x head_dim). GQA: query head h reads kv head h / (heads /
  /// kv_heads).
  virtual void attention_prefill(const Buffer& qkv, const KvCache& cache, Buffer& out, std::int64_t heads,
                                 const AttentionBatch& batch) = 0;
  /// The same with q_tokens[s] = 1.
  virtual void attention_decode(const Buffer& qkv, const KvCache& cache, Buffer& out, std::int64_t heads,
                                const AttentionBatch& batch) = 0;

  /// out = x / sqrt(mean(x^2) + epsilon) * weight, row by row. [tokens, width]
  virtual void rms_norm(const Buffer& x, const Buffer& weight, Buffer& out, std::int64_t tokens, std::int64_t width,
                        float epsilon) = 0;
  /// out[t, i] = silu(x[t, i]) * x[t, width + i]; x is [tokens, 2 width].
  virtual void silu_mul(const Buffer& x, Buffer& out, std::int64_t tokens, std::int64_t width) = 0;
  /// x += y, element by element.
  virtual void add(Buffer& x, const Buffer& y, std::int64_t elements) = 0;
};

/// The CPU with `threads` threads (0 = as many as the process may use) at the highest level it has, or at `level`.
/// Throws DeviceError when the CPU lacks that level.
std::unique_ptr<Device> make_cpu_device(int threads = 0);
std::unique_ptr<Device> make_cpu_device(int threads, IsaLevel level);
/// Levels this CPU can run, lowest first.
std::vector<IsaLevel> available_isa_levels();
const char* name_of(IsaLevel level);

}  // namespace weir::kernels
