#include "kernels/cpu/cpu_objects.h"

#include <algorithm>
#include <string>

namespace weir::kernels::cpu {
namespace {

template <class Own, class Base>
Own& cast_to(Base& object, const char* what) {
  auto* result = dynamic_cast<Own*>(&object);
  if (result == nullptr) throw std::invalid_argument(std::string(what) + " belongs to another device");
  return *result;
}

const KvShape& checked(const KvShape& shape) {
  if (shape.kv_heads < 1 || shape.head_dim < 1 || shape.blocks < 1 || shape.block_tokens < 1) {
    throw std::invalid_argument("allocate_kv: kv_heads, head_dim, blocks and block_tokens must be at least 1");
  }
  if (shape.block_tokens % kTokenTile != 0) {
    throw DeviceError("allocate_kv: the CPU back end wants blocks of a multiple of 16 tokens, not " +
                      std::to_string(shape.block_tokens));
  }
  return shape;
}

std::size_t kv_bytes(const KvShape& shape, std::int64_t tile_elements) {
  const std::int64_t tiles =
      checked_product(checked_product(shape.blocks, shape.kv_heads), shape.block_tokens / kTokenTile);
  return static_cast<std::size_t>(checked_product(checked_product(tiles, tile_elements), sizeof(std::uint16_t)));
}

void check_holds(std::size_t bytes, const char* call, const char* name, std::int64_t rows, std::int64_t columns) {
  const std::int64_t needed = checked_product(checked_product(rows, columns), sizeof(float));
  if (static_cast<std::size_t>(needed) > bytes) {
    throw std::invalid_argument(std::string(call) + ": " + name + " holds " + std::to_string(bytes) + " bytes, " +
                                std::to_string(rows) + " x " + std::to_string(columns) + " FP32 needs " +
                                std::to_string(needed));
  }
}

}  // namespace

CpuKvCache::CpuKvCache(const KvShape& shape)
    : shape_(checked(shape)),
      padded_dim_((shape.head_dim + kDimTile - 1) / kDimTile * kDimTile),
      tile_elements_(checked_product(shape.head_dim + padded_dim_, kTokenTile)),
      memory_(kv_bytes(shape, tile_elements_)) {
  // Padded dimensions are read; and memory touched for the first time during a measurement would be measured.
  std::fill_n(memory_.data(), memory_.bytes(), std::byte{0});
}

CpuBuffer& own(Buffer& buffer) { return cast_to<CpuBuffer>(buffer, "the buffer"); }
const CpuBuffer& own(const Buffer& buffer) { return cast_to<const CpuBuffer>(buffer, "the buffer"); }
CpuKvCache& own(KvCache& cache) { return cast_to<CpuKvCache>(cache, "the KV cache"); }
const CpuKvCache& own(const KvCache& cache) { return cast_to<const CpuKvCache>(cache, "the KV cache"); }

const float* floats(const Buffer& buffer, const char* call, const char* name, std::int64_t rows, std::int64_t columns) {
  const CpuBuffer& mine = own(buffer);
  check_holds(mine.bytes(), call, name, rows, columns);
  return reinterpret_cast<const float*>(mine.data());
}

float* floats(Buffer& buffer, const char* call, const char* name, std::int64_t rows, std::int64_t columns) {
  CpuBuffer& mine = own(buffer);
  check_holds(mine.bytes(), call, name, rows, columns);
  return reinterpret_cast<float*>(mine.data());
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) {
    throw std::invalid_argument("not a size: " + std::to_string(a) + " x " + std::to_string(b));
  }
  return product;
}

}  // namespace weir::kernels::cpu
