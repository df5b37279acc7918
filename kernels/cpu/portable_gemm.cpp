#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernels/cpu/aligned_memory.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/half.h"

namespace weir::kernels::cpu {
namespace {

constexpr std::int64_t kColumns = 16;
constexpr int kRows = 4;

/// [n / 16][k][16], the last panel padded with zeros.
class PortableWeights final : public PackedWeights {
 public:
  PortableWeights(DataType type, std::int64_t n, std::int64_t k)
      : type_(type), n_(n), k_(k), memory_(static_cast<std::size_t>(panels() * kColumns * k) * size_of(type)) {}
  std::int64_t n() const override { return n_; }
  std::int64_t k() const override { return k_; }
  DataType type() const override { return type_; }
  std::size_t bytes() const override { return memory_.bytes(); }
  std::int64_t panels() const { return (n_ + kColumns - 1) / kColumns; }
  template <class T>
  T* panel(std::int64_t index) {
    return memory_.as<T>() + index * kColumns * k_;
  }
  template <class T>
  const T* panel(std::int64_t index) const {
    return memory_.as<T>() + index * kColumns * k_;
  }

 private:
  DataType type_;
  std::int64_t n_, k_;
  AlignedMemory memory_;
};

float widen(float value) { return value; }
float widen(std::uint16_t bits) { return float_from_bfloat(bits); }
void narrow(float value, float& out) { out = value; }
void narrow(float value, std::uint16_t& out) { out = bfloat_from_float(value); }

template <class T>
void fill_panel(PortableWeights& packed, std::int64_t index, const float* weights) {
  T* out = packed.panel<T>(index);
  const std::int64_t k = packed.k(), first = index * kColumns;
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < kColumns; ++j) {
      narrow(first + j < packed.n() ? weights[(first + j) * k + i] : 0.0F, out[i * kColumns + j]);
    }
  }
}

/// c[rows, columns] = a[rows, k] x panel; sums in FP32 over rising k.
template <class T>
void multiply_panel(const float* a, const T* panel, std::int64_t k, int rows, float* c, std::int64_t c_stride,
                    std::int64_t columns) {
  float sums[kRows][kColumns] = {};
  for (std::int64_t i = 0; i < k; ++i) {
    for (int r = 0; r < rows; ++r) {
      const float value = a[r * k + i];
      for (std::int64_t j = 0; j < kColumns; ++j) sums[r][j] += value * widen(panel[i * kColumns + j]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (std::int64_t j = 0; j < columns; ++j) c[r * c_stride + j] = sums[r][j];
  }
}

class PortableGemm final : public FloatGemm {
 public:
  explicit PortableGemm(ThreadPool& pool) : pool_(pool) {}

  PackedWeightsPtr pack(DataType type, std::int64_t n, std::int64_t k, std::span<const float> weights) override {
    auto packed = std::make_unique<PortableWeights>(type, n, k);
    pool_.split(packed->panels(), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t p = begin; p < end; ++p) {
        type == DataType::bf16 ? fill_panel<std::uint16_t>(*packed, p, weights.data())
                               : fill_panel<float>(*packed, p, weights.data());
      }
    });
    return packed;
  }

  void gemm(const float* a, const PackedWeights& w, float* c, std::int64_t m) override {
    const auto* packed = dynamic_cast<const PortableWeights*>(&w);
    if (packed == nullptr) throw std::invalid_argument("gemm: the weights were packed by another device");
    if (packed->type() == DataType::bf16) {
      rounded_.reserve(static_cast<std::size_t>(m * packed->k()) * sizeof(float));
      float* rounded = rounded_.as<float>();
      pool_.split(m * packed->k(), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) rounded[i] = float_from_bfloat(bfloat_from_float(a[i]));
      });
      multiply<std::uint16_t>(rounded, *packed, c, m);
    } else {
      multiply<float>(a, *packed, c, m);
    }
  }

 private:
  template <class T>
  void multiply(const float* a, const PortableWeights& packed, float* c, std::int64_t m) {
    const std::int64_t n = packed.n(), k = packed.k();
    pool_.split(packed.panels(), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t p = begin; p < end; ++p) {
        const std::int64_t columns = std::min(kColumns, n - p * kColumns);
        for (std::int64_t row = 0; row < m; row += kRows) {
          const int rows = static_cast<int>(std::min<std::int64_t>(kRows, m - row));
          multiply_panel(a + row * k, packed.panel<T>(p), k, rows, c + row * n + p * kColumns, n, columns);
        }
      }
    });
  }

  ThreadPool& pool_;
  AlignedMemory rounded_;
};

}  // namespace

std::unique_ptr<FloatGemm> make_portable_gemm(ThreadPool& pool) { return std::make_unique<PortableGemm>(pool); }

}  // namespace weir::kernels::cpu
