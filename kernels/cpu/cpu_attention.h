#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cpu/aligned_memory.h"
#include "kernels/cpu/cpu_objects.h"
#include "kernels/cpu/kernel_table.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/device.h"

namespace weir::kernels::cpu {

/// Everything that touches the KV cache: it finds tiles through the block tables, cuts the work, and calls the kernels.
class CpuAttention {
 public:
  CpuAttention(ThreadPool& pool, const KernelTable& table);
  void rope_append_kv(Buffer& qkv, CpuKvCache& cache, std::int64_t tokens, std::int64_t heads,
                      std::span<const std::int32_t> sequence, std::span<const std::int32_t> position,
                      const AttentionBatch& batch, float theta);
  void prefill(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads,
               const AttentionBatch& batch);
  void decode(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads, const AttentionBatch& batch);

 private:
  /// One call's operands, checked.
  struct Call {
    const float* qkv = nullptr;
    float* out = nullptr;
    const CpuKvCache* cache = nullptr;
    const AttentionBatch* batch = nullptr;
    std::int64_t heads = 0, group = 0, head_dim = 0, padded_dim = 0, qkv_stride = 0;
    float scale = 0;  ///< log2(e) / sqrt(head_dim)
  };
  /// `rows` (query token, head) rows of one sequence and KV head, from row `first`.
  struct PrefillItem {
    std::int64_t sequence = 0, first_token = 0, kv_head = 0, first = 0, visible = 0;
    int rows = 0;
  };
  /// Tokens [begin, end) of one sequence and KV head. `partial` >= 0: where its result waits for the merge.
  struct DecodeItem {
    std::int64_t sequence = 0, kv_head = 0, begin = 0, end = 0, partial = -1;
  };
  /// All partial results of one sequence and KV head.
  struct MergeItem {
    std::int64_t sequence = 0, kv_head = 0, first = 0, count = 0;
  };
  struct Scratch {
    AlignedMemory memory;
    std::vector<const std::uint16_t*> tiles;
    std::vector<std::int64_t> visible;
  };

  static Call prepare(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads,
                      const AttentionBatch& batch, const char* name);
  static void find_tiles(const Call& call, std::int64_t sequence, std::int64_t kv_head, std::int64_t begin,
                         std::int64_t end, std::vector<const std::uint16_t*>& tiles);
  void run_prefill(const Call& call, const PrefillItem& item, Scratch& scratch) const;
  void plan_decode(const Call& call);
  void run_decode(const Call& call, const DecodeItem& item, Scratch& scratch);
  void merge(const Call& call, const MergeItem& item) const;

  ThreadPool& pool_;
  const KernelTable& table_;
  std::vector<Scratch> scratch_;
  std::vector<PrefillItem> prefill_items_;
  std::vector<DecodeItem> decode_items_;
  std::vector<MergeItem> merge_items_;
  AlignedMemory partials_;
};

}  // namespace weir::kernels::cpu
