#pragma once

#include <cstdint>

#include "kernels/cpu/aligned_memory.h"
#include "kernels/cpu/kernel_table.h"
#include "kernels/device.h"

namespace weir::kernels::cpu {

class CpuBuffer final : public Buffer {
 public:
  explicit CpuBuffer(std::size_t bytes) : memory_(bytes) {}
  std::size_t bytes() const override { return memory_.bytes(); }
  std::byte* data() { return memory_.data(); }
  const std::byte* data() const { return memory_.data(); }

 private:
  AlignedMemory memory_;
};

/// [block][kv head][tile of 16 tokens][K part, V part]; see kernel_table.h for the parts.
class CpuKvCache final : public KvCache {
 public:
  explicit CpuKvCache(const KvShape& shape);
  const KvShape& shape() const override { return shape_; }
  std::size_t bytes() const override { return memory_.bytes(); }

  std::int64_t padded_dim() const { return padded_dim_; }
  std::int64_t tiles_per_block() const { return shape_.block_tokens / kTokenTile; }
  std::uint16_t* tile(std::int64_t block, std::int64_t kv_head, std::int64_t tile) {
    return memory_.as<std::uint16_t>() + offset(block, kv_head, tile);
  }
  const std::uint16_t* tile(std::int64_t block, std::int64_t kv_head, std::int64_t tile) const {
    return memory_.as<std::uint16_t>() + offset(block, kv_head, tile);
  }

 private:
  std::int64_t offset(std::int64_t block, std::int64_t kv_head, std::int64_t tile) const {
    return ((block * shape_.kv_heads + kv_head) * tiles_per_block() + tile) * tile_elements_;
  }

  KvShape shape_;
  std::int64_t padded_dim_, tile_elements_;
  AlignedMemory memory_;
};

/// The object as the CPU back end's own, std::invalid_argument when it belongs to another device.
CpuBuffer& own(Buffer& buffer);
const CpuBuffer& own(const Buffer& buffer);
CpuKvCache& own(KvCache& cache);
const CpuKvCache& own(const KvCache& cache);

/// The buffer as `count` elements (a product of the given factors), std::invalid_argument when it holds fewer.
const float* floats(const Buffer& buffer, const char* call, const char* name, std::int64_t rows, std::int64_t columns);
float* floats(Buffer& buffer, const char* call, const char* name, std::int64_t rows, std::int64_t columns);

/// a x b, std::invalid_argument when a factor is negative or the product has no 64 bits.
std::int64_t checked_product(std::int64_t a, std::int64_t b);

}  // namespace weir::kernels::cpu
