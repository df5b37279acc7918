#include "kernels/cpu/int8_gemm.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::kernels::cpu {
namespace {

/// 127 x 127 x k must stay below 2^31.
constexpr std::int64_t kMaxDepth = 133144;
/// Packed activations of one block of rows: they stay in the second-level cache while all panels pass.
constexpr std::int64_t kActivationBytes = std::int64_t{1} << 20;

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

}  // namespace

/// Panels of 8 output rows: [n / 8][k / 4][8][4], padded with zeros.
class Int8Weights final : public PackedWeights {
 public:
  Int8Weights(std::int64_t n, std::int64_t k)
      : n_(n),
        k_(k),
        payload_(static_cast<std::size_t>(panels() * panel_bytes())),
        scales_(static_cast<std::size_t>(panels() * kPanelColumns) * sizeof(float)) {}
  std::int64_t n() const override { return n_; }
  std::int64_t k() const override { return k_; }
  DataType type() const override { return DataType::int8; }
  std::size_t bytes() const override { return payload_.bytes() + scales_.bytes(); }

  std::int64_t panels() const { return (n_ + kPanelColumns - 1) / kPanelColumns; }
  std::int64_t depth_groups() const { return (k_ + kDepthGroup - 1) / kDepthGroup; }
  std::int64_t panel_bytes() const { return depth_groups() * kDepthGroup * kPanelColumns; }
  int columns(std::int64_t panel) const {
    return static_cast<int>(std::min<std::int64_t>(kPanelColumns, n_ - panel * kPanelColumns));
  }
  std::int8_t* panel(std::int64_t index) { return payload_.as<std::int8_t>() + index * panel_bytes(); }
  const std::int8_t* panel(std::int64_t index) const { return payload_.as<std::int8_t>() + index * panel_bytes(); }
  float* scale(std::int64_t panel) { return scales_.as<float>() + panel * kPanelColumns; }
  const float* scale(std::int64_t panel) const { return scales_.as<float>() + panel * kPanelColumns; }

 private:
  std::int64_t n_, k_;
  AlignedMemory payload_, scales_;
};

PackedWeightsPtr Int8Gemm::pack(std::int64_t n, std::int64_t k, std::span<const float> weights) {
  if (k > kMaxDepth) {
    throw DeviceError("pack_weights: int8 sums of k = " + std::to_string(k) +
                      " products could leave 32 bits; k <= " + std::to_string(kMaxDepth));
  }
  auto packed = std::make_unique<Int8Weights>(n, k);
  const std::int64_t padded = packed->depth_groups() * kDepthGroup;
  pool_.split(packed->panels(), [&](std::int64_t begin, std::int64_t end, int) {
    std::vector<std::int8_t> row(static_cast<std::size_t>(padded));
    for (std::int64_t p = begin; p < end; ++p) {
      std::int8_t* out = packed->panel(p);
      for (std::int64_t j = 0; j < kPanelColumns; ++j) {
        const std::int64_t index = p * kPanelColumns + j;
        if (index < n) {
          packed->scale(p)[j] = table_.quantize_row(weights.data() + index * k, k, padded, row.data());
        } else {
          packed->scale(p)[j] = 0;
          std::fill(row.begin(), row.end(), std::int8_t{0});
        }
        for (std::int64_t g = 0; g < packed->depth_groups(); ++g) {
          std::copy_n(row.data() + g * kDepthGroup, kDepthGroup, out + (g * kPanelColumns + j) * kDepthGroup);
        }
      }
    }
  });
  return packed;
}

void Int8Gemm::gemm(const float* a, const PackedWeights& w, float* c, std::int64_t m) {
  const auto* packed = dynamic_cast<const Int8Weights*>(&w);
  if (packed == nullptr) throw std::invalid_argument("gemm: the weights were packed by another device");
  if (m <= kStreamRows) {
    few_rows(a, *packed, c, static_cast<int>(m));
    return;
  }
  const std::int64_t row_bytes = packed->depth_groups() * kDepthGroup * 2;
  const std::int64_t block = std::clamp<std::int64_t>(kActivationBytes / row_bytes / kTileRows, 1, 16) * kTileRows;
  // Blocks of like size: a last block of few rows would read all weights for little.
  const std::int64_t blocks = (m + block - 1) / block;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const IndexRange rows = static_split(m, static_cast<int>(blocks), static_cast<int>(i));
    many_rows(a + rows.begin * packed->k(), *packed, c + rows.begin * packed->n(), rows.end - rows.begin);
  }
}

void Int8Gemm::few_rows(const float* a, const Int8Weights& w, float* c, int rows) {
  const std::int64_t padded = round_up(w.depth_groups() * kDepthGroup, 64);
  quantized_.reserve(static_cast<std::size_t>(padded * rows));
  float a_scale[kStreamRows] = {};
  for (int r = 0; r < rows; ++r) {
    a_scale[r] = table_.quantize_row(a + r * w.k(), w.k(), padded, quantized_.as<std::int8_t>() + r * padded);
  }
  pool_.split(w.panels(), [&](std::int64_t begin, std::int64_t end, int) {
    // Each stream walks its own quarter: memory gives one core half as much again when it asks in four places.
    const std::int64_t steps = (end - begin + kStreams - 1) / kStreams;
    for (std::int64_t step = 0; step < steps; ++step) {
      Int8Streams call{.a = quantized_.as<std::int8_t>(),
                       .a_stride = padded,
                       .depth_groups = w.depth_groups(),
                       .rows = rows,
                       .a_scale = a_scale,
                       .c_stride = w.n()};
      for (int s = 0; s < kStreams; ++s) {
        const std::int64_t panel = std::min(begin + s * steps + step, end - 1);  // past the end: the last one again
        call.panel[s] = w.panel(panel);
        call.w_scale[s] = w.scale(panel);
        call.c[s] = c + panel * kPanelColumns;
        call.columns[s] = w.columns(panel);
      }
      table_.int8_streams(call);
    }
  });
}

void Int8Gemm::many_rows(const float* a, const Int8Weights& w, float* c, std::int64_t rows) {
  const std::int64_t groups = w.depth_groups(), padded = groups * kDepthGroup;
  const int tiles = static_cast<int>((rows + kTileRows - 1) / kTileRows);
  quantized_.reserve(static_cast<std::size_t>(rows * padded));
  packed_.reserve(static_cast<std::size_t>(rows * groups * 2) * sizeof(std::int32_t));
  scales_.reserve(static_cast<std::size_t>(rows) * sizeof(float));
  std::int8_t* quantized = quantized_.as<std::int8_t>();
  std::int32_t* packed = packed_.as<std::int32_t>();
  float* scales = scales_.as<float>();
  pool_.split(tiles, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t) {
      const IndexRange tile = static_split(rows, tiles, static_cast<int>(t));
      for (std::int64_t r = tile.begin; r < tile.end; ++r) {
        scales[r] = table_.quantize_row(a + r * w.k(), w.k(), padded, quantized + r * padded);
      }
      table_.pack_tile(quantized + tile.begin * padded, padded, static_cast<int>(tile.end - tile.begin), groups,
                       packed + tile.begin * groups * 2);
    }
  });
  pool_.split(w.panels(), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      for (int t = 0; t < tiles; ++t) {
        const IndexRange tile = static_split(rows, tiles, t);
        table_.int8_tile({.a = packed + tile.begin * groups * 2,
                          .panel = w.panel(p),
                          .depth_groups = groups,
                          .rows = static_cast<int>(tile.end - tile.begin),
                          .columns = w.columns(p),
                          .a_scale = scales + tile.begin,
                          .w_scale = w.scale(p),
                          .c = c + tile.begin * w.n() + p * kPanelColumns,
                          .c_stride = w.n()});
      }
    }
  });
}

}  // namespace weir::kernels::cpu
