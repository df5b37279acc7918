#include <algorithm>
#include <string>

#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/cpu_info.h"
#include "kernels/cpu/cpu_objects.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/int8_gemm.h"
#include "kernels/cpu/thread_pool.h"

namespace weir::kernels {
namespace cpu {
namespace {

constexpr int kMaxThreads = 1024;

const KernelTable& table_of(IsaLevel level) {
  if (level == IsaLevel::scalar) return scalar_table();
  const KernelTable* table = has_avx2() ? avx2_table() : nullptr;
  if (table == nullptr) throw DeviceError("this CPU or this build has no AVX2, FMA and F16C");
  return *table;
}

int thread_count(int wanted) {
  if (wanted < 0 || wanted > kMaxThreads) {
    throw std::invalid_argument("make_cpu_device: " + std::to_string(wanted) + " threads; 0.." +
                                std::to_string(kMaxThreads) + " are allowed");
  }
  return wanted == 0 ? usable_threads() : wanted;
}

void check(bool good, const std::string& message) {
  if (!good) throw std::invalid_argument(message);
}

class CpuDevice final : public Device {
 public:
  CpuDevice(int threads, IsaLevel level)
      : level_(level),
        table_(table_of(level)),
        pool_(thread_count(threads)),
        int8_gemm_(pool_, table_),
        attention_(pool_, table_) {
    // The scalar level is the check of everything else, libraries included: it never calls one.
    if (level != IsaLevel::scalar) float_gemm_ = make_onednn_gemm(pool_, table_);
    uses_library_ = float_gemm_ != nullptr;
    if (!float_gemm_) float_gemm_ = make_portable_gemm(pool_);
  }

  DeviceInfo info() const override {
    DeviceInfo info;
    info.id = "cpu";
    info.name = cpu_name();
    info.kind = "cpu";
    info.memory_bytes = usable_memory_bytes();
    info.threads = pool_.threads();
    info.isa = name_of(level_);
    info.cpu_flags = cpu_flags();
    if (uses_library_) info.libraries = onednn_version();
    return info;
  }

  BufferPtr allocate(std::size_t bytes) override { return std::make_unique<CpuBuffer>(bytes); }

  void upload(Buffer& to, std::span<const std::byte> from) override {
    CpuBuffer& target = own(to);
    check(from.size() <= target.bytes(),
          "upload: " + std::to_string(from.size()) + " bytes into a buffer of " + std::to_string(target.bytes()));
    std::copy(from.begin(), from.end(), target.data());
  }

  void download(std::span<std::byte> to, const Buffer& from) override {
    const CpuBuffer& source = own(from);
    check(to.size() <= source.bytes(),
          "download: " + std::to_string(to.size()) + " bytes from a buffer of " + std::to_string(source.bytes()));
    std::copy_n(source.data(), to.size(), to.data());
  }

  PackedWeightsPtr pack_weights(DataType type, std::int64_t n, std::int64_t k,
                                std::span<const float> weights) override {
    check(n >= 1 && k >= 1, "pack_weights: n and k must be at least 1");
    check(static_cast<std::size_t>(checked_product(n, k)) == weights.size(),
          "pack_weights: " + std::to_string(weights.size()) + " values for " + std::to_string(n) + " x " +
              std::to_string(k));
    if (type == DataType::int8) return int8_gemm_.pack(n, k, weights);
    if (type == DataType::fp16) throw DeviceError("pack_weights: the CPU back end has no FP16 GEMM");
    return float_gemm_->pack(type, n, k, weights);
  }

  void gemm(const Buffer& a, const PackedWeights& w, Buffer& c, std::int64_t m) override {
    check(&a != &c, "gemm: c must not be a");
    const float* in = floats(a, "gemm", "a", m, w.k());
    float* out = floats(c, "gemm", "c", m, w.n());
    if (m == 0) return;
    w.type() == DataType::int8 ? int8_gemm_.gemm(in, w, out, m) : float_gemm_->gemm(in, w, out, m);
  }

  KvCachePtr allocate_kv(const KvShape& shape) override { return std::make_unique<CpuKvCache>(shape); }

  void rope_append_kv(Buffer& qkv, KvCache& cache, std::int64_t tokens, std::int64_t heads,
                      std::span<const std::int32_t> sequence, std::span<const std::int32_t> position,
                      const AttentionBatch& batch, float theta) override {
    attention_.rope_append_kv(qkv, own(cache), tokens, heads, sequence, position, batch, theta);
  }

  void attention_prefill(const Buffer& qkv, const KvCache& cache, Buffer& out, std::int64_t heads,
                         const AttentionBatch& batch) override {
    attention_.prefill(qkv, own(cache), out, heads, batch);
  }

  void attention_decode(const Buffer& qkv, const KvCache& cache, Buffer& out, std::int64_t heads,
                        const AttentionBatch& batch) override {
    attention_.decode(qkv, own(cache), out, heads, batch);
  }

  void rms_norm(const Buffer& x, const Buffer& weight, Buffer& out, std::int64_t tokens, std::int64_t width,
                float epsilon) override {
    check(width >= 1, "rms_norm: width must be at least 1");
    const float* in = floats(x, "rms_norm", "x", tokens, width);
    const float* factors = floats(weight, "rms_norm", "weight", 1, width);
    float* result = floats(out, "rms_norm", "out", tokens, width);
    each_row(tokens, width,
             [&](std::int64_t t) { table_.rms_norm_row(in + t * width, factors, result + t * width, width, epsilon); });
  }

  void silu_mul(const Buffer& x, Buffer& out, std::int64_t tokens, std::int64_t width) override {
    check(&x != &out, "silu_mul: out must not be x");
    const float* in = floats(x, "silu_mul", "x", tokens, checked_product(2, width));
    float* result = floats(out, "silu_mul", "out", tokens, width);
    each_row(tokens, 2 * width,
             [&](std::int64_t t) { table_.silu_mul_row(in + t * 2 * width, result + t * width, width); });
  }

  void add(Buffer& x, const Buffer& y, std::int64_t elements) override {
    float* sum = floats(x, "add", "x", 1, elements);
    const float* other = floats(y, "add", "y", 1, elements);
    each_row((elements + kAddChunk - 1) / kAddChunk, kAddChunk, [&](std::int64_t i) {
      const std::int64_t begin = i * kAddChunk;
      table_.add_range(sum + begin, other + begin, std::min(kAddChunk, elements - begin));
    });
  }

 private:
  static constexpr std::int64_t kAddChunk = 4096;
  /// Below this many elements a call is over before another thread has woken.
  static constexpr std::int64_t kSerialElements = 16384;

  template <class Body>
  void each_row(std::int64_t rows, std::int64_t width, const Body& body) {
    if (rows <= 1 || rows * width <= kSerialElements) {
      for (std::int64_t i = 0; i < rows; ++i) body(i);
      return;
    }
    pool_.split(rows, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) body(i);
    });
  }

  IsaLevel level_;
  const KernelTable& table_;
  ThreadPool pool_;
  Int8Gemm int8_gemm_;
  CpuAttention attention_;
  std::unique_ptr<FloatGemm> float_gemm_;
  bool uses_library_ = false;
};

}  // namespace
}  // namespace cpu

std::unique_ptr<Device> make_cpu_device(int threads, IsaLevel level) {
  return std::make_unique<cpu::CpuDevice>(threads, level);
}

std::unique_ptr<Device> make_cpu_device(int threads) { return make_cpu_device(threads, available_isa_levels().back()); }

std::vector<IsaLevel> available_isa_levels() {
  std::vector<IsaLevel> levels{IsaLevel::scalar};
  if (cpu::has_avx2() && cpu::avx2_table() != nullptr) levels.push_back(IsaLevel::avx2);
  return levels;
}

}  // namespace weir::kernels
